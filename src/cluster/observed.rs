//! When a dump was taken.
//!
//! Rule: must-gather writes its start and its end into files named `timestamp` as Go prints a time (openshift/oc,
//! pkg/cli/admin/mustgather/mustgather.go; Go's time.Time.String); the latest of them counts. Without such a file the
//! newest instant in any condition is a lower bound: the dump is not older. Cost: one pass over the conditions.

use jiff::Timestamp;
use serde_json::Value as Json;

use super::path;

/// When a dump was taken, and how that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observed {
    /// The instant.
    pub at: Timestamp,
    /// What tells it.
    pub basis: ObservedBasis,
}

/// What tells when a dump was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObservedBasis {
    /// The collector wrote it down.
    TimestampFile,
    /// The newest instant in a condition: the dump was taken then or later.
    Conditions,
}

impl ObservedBasis {
    /// `timestamp-file` or `conditions`, as the published JSON has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TimestampFile => "timestamp-file",
            Self::Conditions => "conditions",
        }
    }
}

/// Fields of a condition that hold an instant.
const INSTANTS: [&str; 4] = ["lastTransitionTime", "lastUpdateTime", "lastHeartbeatTime", "lastProbeTime"];

/// The latest instant of a `timestamp` file.
pub(super) fn of_timestamp_file(text: &str) -> Option<Timestamp> {
    text.lines().filter_map(of_go_time).max()
}

/// `2026-11-30 12:00:00.123456789 +0000 UTC m=+0.05`, or RFC 3339.
fn of_go_time(line: &str) -> Option<Timestamp> {
    let mut words = line.split_ascii_whitespace();
    let first = words.next()?;
    let (Some(time), Some(offset)) = (words.next(), words.next()) else { return first.parse().ok() };
    let (hours, minutes) = offset.split_at_checked(offset.len().checked_sub(2)?)?;
    format!("{first}T{time}{hours}:{minutes}").parse().ok()
}

/// The newest instant in the conditions of an object's status.
pub(super) fn of_conditions(object: &Json) -> Option<Timestamp> {
    let conditions = path::at(object, &["status", "conditions"]).and_then(Json::as_array).into_iter().flatten();
    let instants = conditions.flat_map(|condition| INSTANTS.iter().filter_map(|field| condition.get(*field)));
    instants.filter_map(Json::as_str).filter_map(|text| text.parse().ok()).max()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_latest_line_of_a_timestamp_file_counts() {
        let text = "2026-11-30 11:58:01.5 +0100 CET m=+0.189\n2026-11-30 12:10:00.25 +0100 CET m=+718.9\n";
        assert_eq!(of_timestamp_file(text), "2026-11-30T11:10:00.25Z".parse().ok());
        assert_eq!(of_timestamp_file("2026-11-30T11:10:00Z\n"), "2026-11-30T11:10:00Z".parse().ok());
    }

    #[test]
    fn what_is_no_time_tells_nothing() {
        for text in ["", "yesterday", "2026-11-30 25:00:00 +0000 UTC", "a b c", "a b é", "2026-11-30 12:00:00"] {
            assert_eq!(of_timestamp_file(text), None, "{text:?}");
        }
    }

    #[test]
    fn the_newest_instant_of_conditions_counts() {
        let object = json!({"status": {"conditions": [
            {"type": "A", "lastTransitionTime": "2026-01-02T00:00:00Z", "lastUpdateTime": "2026-01-04T00:00:00Z"},
            {"type": "B", "lastTransitionTime": "2026-01-03T00:00:00Z"},
            {"type": "C", "lastTransitionTime": null},
            "no condition",
        ]}});
        assert_eq!(of_conditions(&object), "2026-01-04T00:00:00Z".parse().ok());
        assert_eq!(of_conditions(&json!({"status": {"conditions": {}}})), None);
    }
}
