//! JSON text: the files of the static API in one line, answers of commands for people to read as well.
//!
//! Rule: RFC 8259; two blanks to a level in answers, one trailing newline always. Field order is that of the types, map
//! order that of their sorted maps, so equal values give equal bytes. Cost: linear in the text.

use serde::Serialize;

/// One document of the static API: compact, for a report has thousands of them.
///
/// ```
/// assert_eq!(skipstone::report::json::document(&vec![1, 2])?, "[1,2]\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// Only where the value's own `Serialize` fails or a map has keys that are no strings; no view model does.
pub fn document(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(value)? + "\n")
}

/// What a command prints with `--format json`: the same value, indented.
///
/// ```
/// assert_eq!(skipstone::report::json::answer(&vec![1, 2])?, "[\n  1,\n  2\n]\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
/// As [`document`].
pub fn answer(value: &impl Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;
    use crate::report::schema::{Overview, PackageView};

    #[test]
    fn both_forms_read_back_to_the_same_value() {
        let package = sample::package(vec![sample::finding("error", "a/b")]);
        for text in [document(&package).unwrap(), answer(&package).unwrap()] {
            assert_eq!(serde_json::from_str::<PackageView>(&text).unwrap(), package);
            assert!(text.ends_with("}\n") && !text.ends_with("\n\n"));
        }
    }

    #[test]
    fn a_document_is_one_line() {
        assert_eq!(document(&sample::overview()).unwrap().lines().count(), 1);
    }

    #[test]
    fn what_is_not_known_is_null_and_never_left_out() {
        let mut overview: Overview = sample::overview();
        overview.attention[0].default_channel = None;
        assert!(document(&overview).unwrap().contains(r#""default_channel":null"#));
    }

    #[test]
    fn keys_that_are_no_strings_are_an_error() {
        assert!(document(&std::collections::BTreeMap::from([(vec![1], 2)])).is_err());
    }
}
