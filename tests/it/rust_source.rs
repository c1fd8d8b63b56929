//! Just enough of a reader for Rust to see which paths a file names outside its comments, texts and tests. It knows
//! tokens and `use` trees, and no grammar beyond them; linear in the length of the text.

/// A path as it is written: `["crate", "version", "Range"]`. A glob ends in `"*"`.
pub(crate) type Path = Vec<String>;

/// What a file names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// Every path with at least two segments, `use` trees written out.
    pub(crate) paths: Vec<Path>,
    /// Modules of their own file that are compiled for tests alone.
    pub(crate) test_modules: Vec<String>,
}

/// Reads one file.
pub(crate) fn read_names(text: &str) -> Names {
    let tokens = tokens(text);
    let (tokens, test_modules) = without_tests(tokens);
    Names { paths: paths(&tokens), test_modules }
}

/// Words and single marks; `::` is one token. Comments, texts, characters and lifetimes are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some(length) = text_literal(rest) {
            length
        } else if first == '\'' {
            character_or_lifetime(rest)
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            found.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            found.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                found.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += character.len_utf8();
        }
    }
    at
}

/// The length of the text literal that stands here, plain or raw, with its prefix.
fn text_literal(text: &str) -> Option<usize> {
    let after_prefix = ["br", "cr", "b", "c", "r", ""].iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let raw = prefix.ends_with('r');
        (rest[hashes..].starts_with('"') && (raw || hashes == 0)).then_some((prefix.len() + hashes + 1, raw, hashes))
    });
    let (start, raw, hashes) = after_prefix?;
    if raw {
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(text[start..].find(&end).map_or(text.len(), |at| start + at + end.len()));
    }
    let mut escaped = false;
    for (at, character) in text[start..].char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(start + at + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// `'a'` and `'\n'` are characters, `'a` is a lifetime.
fn character_or_lifetime(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(text.len(), |at| at + 4),
        Some((at, character)) if text[at + character.len_utf8()..].starts_with('\'') => at + character.len_utf8() + 1,
        _ => 1,
    }
}

/// Leaves out each item under `#[cfg(test)]`, and names those that are modules in a file of their own.
fn without_tests(tokens: Vec<String>) -> (Vec<String>, Vec<String>) {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut modules = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if tokens[at..].iter().take(ATTRIBUTE.len()).eq(ATTRIBUTE) {
            let item = &tokens[at + ATTRIBUTE.len()..];
            if let [keyword, name, end, ..] = after_attributes(item)
                && keyword == "mod"
                && end == ";"
            {
                modules.push(name.clone());
            }
            at += ATTRIBUTE.len() + item_length(item);
        } else {
            kept.push(token.clone());
            at += 1;
        }
    }
    (kept, modules)
}

fn after_attributes(item: &[String]) -> &[String] {
    let mut rest = item;
    while let ["#", "[", ..] = rest.iter().map(String::as_str).take(2).collect::<Vec<_>>()[..] {
        let end = rest.iter().position(|token| token == "]").unwrap_or(rest.len() - 1);
        rest = &rest[end + 1..];
    }
    rest
}

/// An item ends at its semicolon, or where its braces close; a semicolon inside of brackets belongs to a type.
fn item_length(tokens: &[String]) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token == "}" {
                    return at + 1;
                }
            }
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn paths(tokens: &[String]) -> Vec<Path> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let starts = is_word(token) && tokens.get(at + 1).is_some_and(|next| next == "::");
        at = if starts { read_path(tokens, at, &[], &mut found) } else { at + 1 };
    }
    found.retain(|path| path.len() > 1);
    found
}

/// Reads one path, or one branch of a `use` tree; returns where it ends.
fn read_path(tokens: &[String], start: usize, prefix: &[String], found: &mut Vec<Path>) -> usize {
    let mut path = prefix.to_vec();
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token == "{" {
            at += 1;
            while let Some(token) = tokens.get(at) {
                match token.as_str() {
                    "}" => return at + 1,
                    word if is_word(word) || word == "*" || word == "{" => at = read_path(tokens, at, &path, found),
                    _ => at += 1,
                }
            }
            return at;
        }
        if !is_word(token) && token != "*" {
            break;
        }
        path.push(token.clone());
        at += 1;
        if tokens.get(at).is_none_or(|next| next != "::") {
            break;
        }
        at += 1;
    }
    found.push(path);
    at.max(start + 1)
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::read_names;

    fn paths(text: &str) -> Vec<String> {
        read_names(text).paths.iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn use_trees_are_written_out() {
        assert_eq!(
            paths("use crate::{finding::{Digest, self}, version::*};\nuse std::fs as files;"),
            ["crate::finding::Digest", "crate::finding::self", "crate::version::*", "std::fs"]
        );
    }

    #[test]
    fn paths_in_code_count() {
        assert_eq!(
            paths("fn f(x: &crate::a::B<'_>) -> u8 { std::env::var::<u8>(1); x }"),
            ["crate::a::B", "std::env::var"]
        );
    }

    #[test]
    fn comments_texts_and_characters_do_not_count() {
        let text = r####"// crate::a
            /* crate::b /* crate::c */ crate::d */
            const T: &str = "crate::e \" crate::f";
            const R: &str = r##"crate::g "# crate::h"##;
            const Q: char = '"'; const N: char = '\''; fn f<'a>(x: &'a u8) { crate::real::x(b"crate::i", '\u{2019}') }"####;
        assert_eq!(paths(text), ["crate::real::x"]);
    }

    #[test]
    fn tests_do_not_count() {
        let text = "#[cfg(test)]\nmod tests { use crate::a::B; }\n#[cfg(test)]\n#[path = \"x.rs\"]\nmod other;\n#[cfg(test)]\nuse crate::c::D;\nuse crate::e::F;";
        assert_eq!(paths(text), ["crate::e::F"]);
        assert_eq!(read_names(text).test_modules, ["other"]);
    }
}
