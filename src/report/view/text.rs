//! Texts of facts in the published form.
//!
//! Rule: facts write "not stated" as an empty text, the published JSON as null. Cost: one copy.

/// The text, or nothing where none is stated.
pub(super) fn stated(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}
