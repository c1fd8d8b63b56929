//! Foreign text inside Markdown: it shows as it is and starts nothing.
//!
//! Rule: CommonMark 0.31, section 2.4 (backslash escapes) and 6.1 (code spans); GitHub Flavored Markdown for tables,
//! strikethrough and mathematics. Only text inside a line is covered: none of ours stands first on its line.
//! Cost: one pass.

use crate::report::phrase::one_line;

/// The text for the middle of a line or for a cell of a table.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '#' | '|' | '~' | '$' | '^' | '!' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// A name as a code span; as plain text where it holds a backtick or a bar, which no code span in a table can show alike
/// everywhere.
#[must_use]
pub fn code(name: &str) -> String {
    let name = one_line(name);
    let shows = !name.contains(['`', '|']) && !name.starts_with(' ') && !name.ends_with(' ') && !name.is_empty();
    if shows { format!("`{name}`") } else { escape(&name) }
}

/// A name as [`code`], or a dash where there is none.
pub(super) fn code_or_dash(name: Option<&str>) -> String {
    name.map_or_else(|| "–".to_owned(), code)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

    use super::*;

    /// What a reader sees in the only cell of a table, and whether anything in it is more than text.
    fn seen(cell: &str) -> (String, bool) {
        let document = format!("| h |\n|---|\n| x{cell}x |\n");
        let (mut text, mut plain, mut inside) = (String::new(), true, false);
        // Typographic quotes are no markup; every other extension is on.
        for event in Parser::new_ext(&document, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
            match event {
                Event::End(TagEnd::TableHead) => inside = true,
                Event::Text(part) if inside => text.push_str(&part),
                Event::Code(part) if inside => text.push_str(&part),
                Event::Start(Tag::TableRow | Tag::TableCell) | Event::End(_) => {}
                _ if inside => plain = false,
                _ => {}
            }
        }
        (text, plain)
    }

    #[test]
    fn what_means_something_is_escaped() {
        assert_eq!(escape("a|b<c>`d`\n[e](f) & \\"), "a\\|b&lt;c&gt;\\`d\\` \\[e\\](f) &amp; \\\\");
        assert_eq!(escape("p.v1.2.3 — plain, text"), "p.v1.2.3 — plain, text");
    }

    #[test]
    fn names_are_code_unless_they_would_break_it() {
        assert_eq!(code("p.v1_0*"), "`p.v1_0*`");
        assert_eq!(code("a`b"), "a\\`b");
        assert_eq!(code("a|b"), "a\\|b");
        assert_eq!(code_or_dash(None), "–");
    }

    proptest! {
        #[test]
        fn a_reader_sees_the_text_and_nothing_but_text(text in "[ -~äß→\\n\\t]{0,40}") {
            let (shown, plain) = seen(&escape(&text));
            prop_assert_eq!(shown, format!("x{}x", one_line(&text)));
            prop_assert!(plain);
        }

        #[test]
        fn a_reader_sees_the_name(name in "[!-~]{1,20}") {
            prop_assert_eq!(seen(&code(&name)).0, format!("x{name}x"));
        }
    }
}
