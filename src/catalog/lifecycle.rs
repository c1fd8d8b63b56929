//! Which phase of support a bundle is in at an instant.
//!
//! Rule: openshift/enhancements `enhancements/olm/lifecycle-and-compatibility.md`: a bundle belongs to the version named by
//! its MAJOR.MINOR; both days of a phase are inside it. What nobody states is unknown, with the reason.
//! Cost: linear in the phases of one minor.

use jiff::civil::Date;

use super::chain;
use super::model::{Bundle, Catalog, Lifecycle};
use crate::finding::{Finding, codes};

/// Days before the end of the last phase from which it is worth a finding.
const SOON: i64 = 90;

/// The phase of a bundle, or why it is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PhaseAnswer {
    /// Nothing usable is stated.
    Unknown(String),
    /// The phase that holds on the day.
    Phase {
        /// Its name.
        name: String,
        /// Its last day.
        ends: Date,
        /// Days from the day asked about to the last one; 0 on the last day itself.
        days_left: i64,
        /// Whether no later phase is stated.
        last: bool,
    },
    /// The last stated phase is over.
    Ended {
        /// Its name.
        last: String,
        /// Its last day.
        ended: Date,
        /// Days from the day asked about to that one: below 0.
        days_left: i64,
    },
}

/// Heads of default channels whose last stated phase is over on a day, or ends soon after it. Older channels are left out:
/// that their support ends is how a package moves on.
pub fn support_findings(catalog: &Catalog, day: Date) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in catalog.packages.values() {
        let Some(channel) = package.default_channel().and_then(|name| package.channel(name)) else { continue };
        let heads = chain::heads(channel.entries());
        for bundle in heads.iter().filter_map(|head| package.bundle(head)) {
            let subject =
                package.subject(&catalog.name).in_channel(channel.name.clone()).of_bundle(bundle.name.clone());
            let finding = |code| Finding::new(code, subject.clone()).at(&bundle.at);
            match phase_of(&package.lifecycle, bundle, day) {
                PhaseAnswer::Ended { ended, .. } => findings.push(finding(codes::SUPPORT_OVER).with("day", ended)),
                PhaseAnswer::Phase { ends, days_left, last: true, .. } if days_left <= SOON => {
                    findings.push(finding(codes::SUPPORT_ENDS).with("day", ends).with("days", days_left));
                }
                _ => {}
            }
        }
    }
    findings
}

/// The phase of a bundle on a day.
pub fn phase_of(lifecycle: &Lifecycle, bundle: &Bundle, day: Date) -> PhaseAnswer {
    let unknown = |reason: &str| PhaseAnswer::Unknown(reason.to_owned());
    let versions = match lifecycle {
        Lifecycle::NotStated => return unknown("the catalog states no lifecycle for the package"),
        Lifecycle::Unusable(reason) => return PhaseAnswer::Unknown(format!("the lifecycle is not usable: {reason}")),
        Lifecycle::Stated(versions) => versions,
    };
    let Some(version) = &bundle.version else { return unknown("the version of the bundle is not known") };
    let minor = format!("{}.{}", version.major(), version.minor());
    let Some(stated) = versions.iter().find(|stated| stated.name == minor) else {
        return PhaseAnswer::Unknown(format!("no lifecycle is stated for {minor}"));
    };
    let phases = stated
        .phases
        .iter()
        .filter_map(|phase| Some((phase, phase.start.parse::<Date>().ok()?, phase.end.parse::<Date>().ok()?)));
    for (phase, start, end) in phases {
        if start <= day && day <= end {
            let days_left = i64::from((end - day).get_days());
            let last = stated.phases.last() == Some(phase);
            return PhaseAnswer::Phase { name: phase.name.clone(), ends: end, days_left, last };
        }
    }
    match stated.phases.last().and_then(|last| Some((last, last.end.parse::<Date>().ok()?))) {
        Some((last, ended)) if ended < day => {
            PhaseAnswer::Ended { last: last.name.clone(), ended, days_left: i64::from((ended - day).get_days()) }
        }
        _ => PhaseAnswer::Unknown(format!("no phase of {minor} holds on {day}")),
    }
}
