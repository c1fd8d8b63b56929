//! `io.openshift.operators.lifecycles.v1alpha1`: phases of support for each minor of a package.
//!
//! Rule: openshift/enhancements `enhancements/olm/lifecycle-and-compatibility.md`: versions named MAJOR.MINOR, phases with
//! inclusive days that follow each other without a gap, each ending after it starts, no other fields. A document that
//! breaks a rule is kept with its fault: the console shows nothing for it, and neither does a report. Cost: linear.

use jiff::civil::Date;

use super::super::facts::{LifecycleFacts, LifecyclePhase, LifecycleVersion};
use crate::codec::fields::{FieldFault as Fault, Fields};

/// The facts of a lifecycle document.
pub(super) fn facts(fields: &Fields<'_, '_>, package: String) -> LifecycleFacts {
    LifecycleFacts { package, versions: versions(fields) }
}

fn versions(fields: &Fields<'_, '_>) -> Result<Vec<LifecycleVersion>, Fault> {
    refuse_others(fields, &["schema", "package", "name", "versions"])?;
    let versions = fields.list("versions", |item, path| {
        let version = Fields::of(item, path)?;
        refuse_others(&version, &["name", "phases", "platformCompatibility"])?;
        let name = version.text("name")?;
        if !is_minor(&name) {
            return Err(format!("{path}: the version {name:?} is not MAJOR.MINOR"));
        }
        let phases = version.list("phases", phase)?;
        contiguous(&name, &phases)?;
        Ok(LifecycleVersion { phases, openshift: openshift(&version)?, name })
    })?;
    let mut names: Vec<&str> = versions.iter().map(|version| version.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(pair) => Err(format!("the version {:?} stands twice", pair.first().unwrap_or(&""))),
        None => Ok(versions),
    }
}

fn phase(item: &crate::codec::Value<'_>, path: &str) -> Result<LifecyclePhase, Fault> {
    let phase = Fields::of(item, path)?;
    refuse_others(&phase, &["name", "startDate", "endDate"])?;
    let stated =
        LifecyclePhase { name: phase.text("name")?, start: phase.text("startDate")?, end: phase.text("endDate")? };
    if stated.name.is_empty() {
        return Err(format!("{path}: a phase has no name"));
    }
    if day(&stated.end, path)? <= day(&stated.start, path)? {
        return Err(format!("{path}: the phase {} ends before it starts or on the same day", stated.name));
    }
    Ok(stated)
}

fn day(text: &str, path: &str) -> Result<Date, Fault> {
    let exact = text.len() == 10;
    text.parse().ok().filter(|_| exact).ok_or_else(|| format!("{path}: {text:?} is no day of the form YYYY-MM-DD"))
}

fn contiguous(version: &str, phases: &[LifecyclePhase]) -> Result<(), Fault> {
    for (before, after) in phases.iter().zip(phases.iter().skip(1)) {
        let next_day = day(&before.end, version)?.tomorrow().ok();
        if next_day != Some(day(&after.start, version)?) {
            return Err(format!("{version}: the phase {} does not start on the day after {}", after.name, before.name));
        }
    }
    Ok(())
}

fn openshift(version: &Fields<'_, '_>) -> Result<Option<Vec<String>>, Fault> {
    let platforms = version.list("platformCompatibility", |item, path| {
        let platform = Fields::of(item, path)?;
        refuse_others(&platform, &["name", "versions"])?;
        let versions = platform.texts("versions")?;
        match versions.iter().find(|text| !is_minor(text)) {
            Some(text) => Err(format!("{path}: the platform version {text:?} is not MAJOR.MINOR")),
            None => Ok((platform.text("name")?, versions)),
        }
    })?;
    Ok(platforms.into_iter().find(|(name, _)| name == "openshift").map(|(_, versions)| versions))
}

fn refuse_others(fields: &Fields<'_, '_>, known: &[&str]) -> Result<(), Fault> {
    match fields.all().iter().find(|(key, _)| !known.contains(&key.as_ref())) {
        Some((key, _)) => Err(format!("the field {:?} is unknown", fields.at(key))),
        None => Ok(()),
    }
}

/// Whether a text is MAJOR.MINOR: two numbers without leading zeros.
fn is_minor(text: &str) -> bool {
    let number = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) && (part == "0" || !part.starts_with('0'))
    };
    matches!(text.split_once('.'), Some((major, minor)) if number(major) && number(minor))
}
