//! The place of a value in its document, for notes: `entries[2].name`. Built only when a note is made.
//!
//! Rule: ours. Cost: nothing while no note is made.

use std::borrow::Cow;
use std::fmt::Write;

/// The longest path kept, in characters.
const LONGEST_PATH: usize = 400;
/// The longest text kept in a note, in characters.
const LONGEST_TEXT: usize = 100;

/// One step from a value to a value inside it.
#[derive(Clone, Debug)]
pub(super) enum Step<'a> {
    Key(Cow<'a, str>),
    Index(usize),
}

/// The path through `steps`, then to `last`.
pub(super) fn render(steps: &[Step<'_>], last: Option<&str>) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Key(key) => push_key(&mut path, key),
            Step::Index(index) => {
                let _ = write!(path, "[{index}]");
            }
        }
    }
    if let Some(last) = last {
        push_key(&mut path, last);
    }
    shorten(&path, LONGEST_PATH)
}

/// The start of `text` that a note keeps.
pub(super) fn excerpt(text: &str) -> String {
    shorten(text, LONGEST_TEXT)
}

fn push_key(path: &mut String, key: &str) {
    let is_word = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '$');
    if key.is_empty() || !key.chars().all(is_word) {
        let _ = write!(path, "[{key:?}]");
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(key);
}

fn shorten(text: &str, longest: usize) -> String {
    text.chars().take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_reads_like_an_expression() {
        let steps = [Step::Key("entries".into()), Step::Index(2)];
        assert_eq!(render(&steps, Some("name")), "entries[2].name");
        assert_eq!(render(&[], Some("name")), "name");
        assert_eq!(render(&[Step::Key("annotations".into())], Some("a/b.c")), "annotations[\"a/b.c\"]");
        assert_eq!(render(&[], Some(&"k".repeat(1000))).len(), 400);
    }

    #[test]
    fn an_excerpt_has_at_most_a_hundred_characters() {
        assert_eq!(excerpt(&"é".repeat(300)), "é".repeat(100));
    }
}
