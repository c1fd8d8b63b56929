//! Keeps a fault of this program in one unit of work from taking down the run.
//!
//! Rule: a unit that fails is named and the others go on. Cost: none where nothing fails.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::finding::{Finding, Subject, codes};

/// Runs one unit; a panic becomes a finding that names it. What the unit shares with others is only read, so nothing half
/// done is seen afterwards.
pub(super) fn guarded<T>(unit: &str, subject: Subject, work: impl FnOnce() -> T) -> Result<T, Box<Finding>> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let finding = Finding::new(codes::INTERNAL_PANIC, subject).with("unit", unit);
        Box::new(finding.with("reason", words(payload.as_ref())))
    })
}

fn words(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_finding_and_a_value_is_a_value() {
        assert_eq!(guarded("unit", Subject::default(), || 7), Ok(7));
        let finding = guarded("the unit", Subject::default(), || -> u8 { panic!("went wrong") }).unwrap_err();
        assert_eq!(finding.message(), "the work on the unit failed: went wrong");
    }
}
