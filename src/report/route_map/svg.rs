//! Writes SVG text: the only place of the map that knows escaping.
//!
//! Rule: XML 1.0, sections 2.2 (characters) and 2.4 (markup).
//! Cost: linear in what is written.

use std::fmt::{Display, Write};

use crate::report::phrase::{entity, overrides_direction};

/// A growing piece of SVG.
#[derive(Debug, Default)]
pub(super) struct Svg {
    text: String,
}

/// The attributes of one element, in the order of writing.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a dyn Display)];

impl Svg {
    /// Starts an element that holds others.
    pub(super) fn open(&mut self, element: &str, attributes: Attributes) {
        self.start(element, attributes);
        self.text.push('>');
    }

    /// Ends the element that was opened last.
    pub(super) fn close(&mut self, element: &str) {
        self.text.push_str("</");
        self.text.push_str(element);
        self.text.push_str(">\n");
    }

    /// Writes an element that holds nothing.
    pub(super) fn empty(&mut self, element: &str, attributes: Attributes) {
        self.start(element, attributes);
        self.text.push_str("/>");
    }

    /// Writes an element that holds only text.
    pub(super) fn text(&mut self, element: &str, attributes: Attributes, content: &str) {
        self.open(element, attributes);
        self.escaped(content);
        self.text.push_str("</");
        self.text.push_str(element);
        self.text.push('>');
    }

    /// Writes a title: the name of the element that was opened last.
    pub(super) fn title(&mut self, content: &str) {
        self.text("title", &[], content);
    }

    /// The finished text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    fn start(&mut self, element: &str, attributes: Attributes) {
        self.text.push('<');
        self.text.push_str(element);
        for (name, value) in attributes {
            let value = value.to_string();
            if is_initial(name, &value) {
                continue;
            }
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escaped(&value);
            self.text.push('"');
        }
    }

    fn escaped(&mut self, content: &str) {
        for character in content.chars() {
            match (entity(character), character) {
                (Some(entity), _) => self.text.push_str(entity),
                (None, '\'') => self.text.push_str("&#39;"),
                (None, '\t' | '\n' | '\r') => self.text.push(' '),
                (None, forbidden) if is_forbidden(forbidden) => self.text.push(char::REPLACEMENT_CHARACTER),
                (None, plain) => self.text.push(plain),
            }
        }
    }
}

/// Whether an attribute says what holds without it (SVG 2, the initial values of its properties).
fn is_initial(name: &str, value: &str) -> bool {
    matches!((name, value), ("stroke-dasharray", "none") | ("stroke-opacity" | "fill-opacity" | "stroke-width", "1"))
}

/// Whether XML 1.0 forbids a character even as a reference, or a reader could take text around it for something else.
fn is_forbidden(character: char) -> bool {
    character.is_control() || overrides_direction(character) || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// A text of at most `limit` characters: the middle of a longer one gives way to an ellipsis.
pub(super) fn elide(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let kept = limit.saturating_sub(1);
    let tail = kept / 2;
    let start = text.chars().take(kept - tail);
    start.chain(std::iter::once('…')).chain(text.chars().skip(length - tail)).collect()
}

/// A sorted set of positions as text: `3,5-9`.
pub(super) fn positions(sorted: impl IntoIterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for position in sorted {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == position => *last = position,
            _ => runs.push((position, position)),
        }
    }
    let mut text = String::new();
    for (first, last) in runs {
        if !text.is_empty() {
            text.push(',');
        }
        // Writing to a string cannot fail.
        let _ = if first == last { write!(text, "{first}") } else { write!(text, "{first}-{last}") };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        let mut svg = Svg::default();
        svg.text("text", &[("data-name", &"\"'><script>")], "a<b & c\u{1}\u{202e}");
        assert_eq!(
            svg.finish(),
            "<text data-name=\"&quot;&#39;&gt;&lt;script&gt;\">a&lt;b &amp; c\u{fffd}\u{fffd}</text>"
        );
    }

    #[test]
    fn only_attributes_that_change_something_are_written() {
        let mut svg = Svg::default();
        svg.empty(
            "path",
            &[("stroke-dasharray", &"none"), ("stroke-width", &1), ("x", &1), ("stroke-opacity", &"0.1")],
        );
        assert_eq!(svg.finish(), "<path x=\"1\" stroke-opacity=\"0.1\"/>");
    }

    #[test]
    fn only_long_text_is_elided() {
        assert_eq!(elide("stable-1.4", 10), "stable-1.4");
        assert_eq!(elide("stable-1.40", 10), "stabl…1.40");
        assert_eq!(elide("äöüß", 3), "ä…ß");
        assert_eq!(elide("anything", 0), "…");
    }

    #[test]
    fn positions_in_a_row_are_written_as_a_range() {
        assert_eq!(positions([3, 5, 6, 7, 9]), "3,5-7,9");
        assert_eq!(positions([]), "");
    }
}
