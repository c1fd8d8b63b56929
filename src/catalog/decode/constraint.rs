//! `olm.constraint`: what OLM v0's resolver must satisfy.
//!
//! Rule: operator-framework/api `pkg/constraints/constraint.go`: exactly one kind, unknown fields refused, at most
//! 2<<16 bytes of JSON. opm does not look into it; a broken one is a warning. Cost: one look at each part; nesting is
//! bounded by the decoder.

use super::super::facts::Constraint;
use super::property;
use crate::codec::Value;
use crate::codec::fields::{FieldFault as Fault, Fields};

const MAXIMUM_BYTES: usize = 2 << 16;
const MAXIMUM_DEPTH: usize = 32;

/// The constraint that a property value states.
///
/// # Errors
/// A sentence that says which rule it breaks.
pub(super) fn parse(value: &Value<'_>) -> Result<Constraint, Fault> {
    let bytes = value.to_json().to_string().len();
    if bytes > MAXIMUM_BYTES {
        return Err(format!("it is {bytes} bytes long, {MAXIMUM_BYTES} are allowed"));
    }
    at_depth(value, 0)
}

fn at_depth(value: &Value<'_>, depth: usize) -> Result<Constraint, Fault> {
    if depth > MAXIMUM_DEPTH {
        return Err(format!("it is nested deeper than {MAXIMUM_DEPTH}"));
    }
    let fields = Fields::of(value, "")?;
    let mut constraint = None;
    for (key, part) in fields.all() {
        if part.is_null() {
            continue;
        }
        let parsed = match key.as_ref() {
            "failureMessage" => {
                fields.text("failureMessage")?;
                continue;
            }
            "cel" => Constraint::Cel(only(part, &["rule"])?.text("rule")?),
            "package" => Constraint::Package(property::package_range(&only(part, &["packageName", "versionRange"])?)?),
            "gvk" => Constraint::Gvk(property::gvk(&only(part, &["group", "version", "kind"])?)?),
            "all" => Constraint::All(parts(part, depth)?),
            "any" => Constraint::Any(parts(part, depth)?),
            "not" => Constraint::Not(parts(part, depth)?),
            other => return Err(format!("the field {other:?} is unknown")),
        };
        if constraint.replace(parsed).is_some() {
            return Err("it states more than one constraint".to_owned());
        }
    }
    constraint.ok_or_else(|| "it states no constraint".to_owned())
}

fn parts(value: &Value<'_>, depth: usize) -> Result<Vec<Constraint>, Fault> {
    only(value, &["constraints"])?.list("constraints", |item, _| at_depth(item, depth + 1))
}

fn only<'v, 'a>(value: &'v Value<'a>, known: &[&str]) -> Result<Fields<'v, 'a>, Fault> {
    let fields = Fields::of(value, "")?;
    match fields.all().iter().find(|(key, _)| !known.contains(&key.as_ref())) {
        Some((key, _)) => Err(format!("the field {key:?} is unknown")),
        None => Ok(fields),
    }
}
