//! Bare addresses in a text as links.
//!
//! Rule: GitHub Flavored Markdown, 6.9 "extended autolinks": an address ends at blank or `<`; closing punctuation and an
//! unmatched closing bracket belong to the sentence, not to the address. Only `http://` and `https://` are looked for.
//! Cost: linear in the text.

use super::{allowed, escape, link_start};

/// Characters that end a sentence rather than an address.
const TRAILING: [char; 10] = ['.', ',', ';', ':', '!', '?', '\'', '"', '*', '_'];

/// Escapes a text for HTML and makes links of the addresses in it.
///
/// ```
/// use skipstone::report::prose::link_addresses;
/// let html = link_addresses("(see https://a.example/x?a=1&b=2).");
/// assert_eq!(
///     html,
///     "(see <a href=\"https://a.example/x?a=1&amp;b=2\" rel=\"noreferrer nofollow\">https://a.example/x?a=1&amp;b=2</a>).",
/// );
/// ```
pub fn link_addresses(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, candidate)) = next_candidate(rest) {
        let end = candidate.find(|c: char| c.is_whitespace() || c == '<' || c == '>').unwrap_or(candidate.len());
        let (word, after) = candidate.split_at_checked(end).unwrap_or((candidate, ""));
        let address = without_trailing(word);
        let trailing = word.strip_prefix(address).unwrap_or_default();
        html.push_str(&escape(before));
        match allowed(address).filter(|address| !address.ends_with("//")) {
            Some(address) => html.push_str(&format!("{}{}</a>", link_start(address), escape(address))),
            None => html.push_str(&escape(address)),
        }
        html.push_str(&escape(trailing));
        rest = after;
    }
    html.push_str(&escape(rest));
    html
}

/// The text before the next address, and the text from there on.
fn next_candidate(text: &str) -> Option<(&str, &str)> {
    let start = match (text.find("https://"), text.find("http://")) {
        (Some(one), Some(other)) => one.min(other),
        (one, other) => one.or(other)?,
    };
    text.split_at_checked(start)
}

/// The address without the punctuation of the sentence around it.
fn without_trailing(word: &str) -> &str {
    let mut address = word;
    loop {
        let shorter = address.trim_end_matches(TRAILING);
        let shorter = match (shorter.strip_suffix(')'), shorter.strip_suffix(']')) {
            (Some(inner), _) if shorter.matches(')').count() > shorter.matches('(').count() => inner,
            (_, Some(inner)) if shorter.matches(']').count() > shorter.matches('[').count() => inner,
            _ => shorter,
        };
        if shorter.len() == address.len() {
            return address;
        }
        address = shorter;
    }
}
