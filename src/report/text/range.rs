//! The answer of `skipstone range`: which versions a range holds.
//!
//! Cost: linear in the versions.

use super::{Style, Tone};
use crate::report::phrase::one_line;

/// One line a version, in the order given: whether the range holds it, or that it is no version. An `Err` is why the range
/// itself is none.
#[must_use]
pub fn range_text(answer: Result<&[(String, Option<bool>)], &str>, style: Style) -> String {
    match answer {
        Err(error) => format!("{}: {}\n", style.paint(Tone::Bad, "not a range"), one_line(error)),
        Ok(matches) => matches.iter().map(|(version, held)| line(version, *held, style)).collect(),
    }
}

fn line(version: &str, held: Option<bool>, style: Style) -> String {
    let answer = match held {
        Some(true) => style.paint(Tone::Good, "in the range"),
        Some(false) => style.paint(Tone::Bad, "not in the range"),
        None => style.paint(Tone::Doubtful, "not a version"),
    };
    format!("{}: {answer}\n", one_line(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_gets_its_answer() {
        let matches = [("1.0.0".into(), Some(true)), ("2.0.0".into(), Some(false)), ("x".into(), None)];
        assert_eq!(
            range_text(Ok(&matches), Style::default()),
            "1.0.0: in the range\n2.0.0: not in the range\nx: not a version\n"
        );
    }

    #[test]
    fn a_bad_range_says_why() {
        assert_eq!(range_text(Err("no\nnumber"), Style::default()), "not a range: no number\n");
    }
}
