//! How severities, subjects and places are said, the same in every format; and foreign text made harmless to show.
//!
//! Rule: ours. Control characters and the bidirectional overrides of Unicode TR 36 never pass, for a catalog must not be
//! able to steer the reader's terminal. Cost: one pass over each text.

use std::borrow::Cow;
use std::cmp::Reverse;

use super::schema::{FindingView, PlaceView, SeverityCounts, SubjectView};
use crate::finding::counted;

/// How bad a finding is, as a number: larger is worse. A severity that this version does not know stands between
/// `error` and `info`, so that it is neither lost nor louder than an error.
pub(super) fn badness(severity: &str) -> u8 {
    match severity {
        "error" => 2,
        "info" => 0,
        _ => 1,
    }
}

/// The findings, worst first; equal ones in the order of code, subject and message.
pub(super) fn worst_first(findings: &[FindingView]) -> Vec<&FindingView> {
    let mut sorted: Vec<&FindingView> = findings.iter().collect();
    sorted.sort_by(|a, b| {
        let key = |finding: &FindingView| Reverse(badness(&finding.severity));
        key(a).cmp(&key(b)).then_with(|| (&a.code, &a.subject, &a.message).cmp(&(&b.code, &b.subject, &b.message)))
    });
    sorted
}

/// When a dump of a cluster was taken: newest conditions tell only that it was not earlier.
pub(super) fn observed(at: Option<&str>, basis: Option<&str>) -> String {
    match (at, basis) {
        (Some(at), Some("conditions")) => format!("taken at {at} or later"),
        (Some(at), _) => format!("taken at {at}"),
        (None, _) => "when it was taken is not known".to_owned(),
    }
}

/// How many findings there are of each severity, counted as [`badness`] sees them.
pub(super) fn count<'a>(findings: impl IntoIterator<Item = &'a FindingView>) -> SeverityCounts {
    findings.into_iter().fold(SeverityCounts::default(), |mut counts, finding| {
        match badness(&finding.severity) {
            2 => counts.error += 1,
            0 => counts.info += 1,
            _ => counts.warning += 1,
        }
        counts
    })
}

/// `2 errors, 1 warning, 0 infos`.
pub(super) fn severities(counts: SeverityCounts) -> String {
    [counted(counts.error, "error"), counted(counts.warning, "warning"), counted(counts.info, "info")].join(", ")
}

/// The levels that a subject names, from the widest: what each is, and its name.
pub(super) fn levels(subject: &SubjectView) -> impl Iterator<Item = (&'static str, &str)> {
    [
        ("catalog", &subject.catalog),
        ("package", &subject.package),
        ("channel", &subject.channel),
        ("bundle", &subject.bundle),
    ]
    .into_iter()
    .filter_map(|(level, name)| Some((level, name.as_deref()?)))
}

/// What a finding is about: `catalog c, package p, channel stable, bundle p.v1.0.0`, as far as it goes.
pub(super) fn subject(subject: &SubjectView) -> String {
    levels(subject).map(|(level, name)| format!("{level} {name}")).collect::<Vec<_>>().join(", ")
}

/// A length for people: `1.2 GiB`; below one KiB in bytes.
pub(super) fn size(bytes: u64) -> String {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let Some((unit, shift)) = units.into_iter().find(|(_, shift)| bytes >> shift > 0) else {
        return counted(usize::try_from(bytes).unwrap_or(usize::MAX), "byte");
    };
    let tenths = ((bytes >> (shift - 10)) * 10) >> 10;
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

/// A digest as far as people compare it: its algorithm and twelve digits.
pub(super) fn short_digest(digest: &str) -> String {
    digest.split_once(':').map_or_else(
        || digest.to_owned(),
        |(algorithm, hex)| format!("{algorithm}:{}", hex.chars().take(12).collect::<String>()),
    )
}

/// The file that a place names, or the input where it names none.
pub(super) fn file(place: &PlaceView) -> &str {
    place.path.as_deref().unwrap_or(&place.source)
}

/// `line 41`, else `document 3`, else nothing.
pub(super) fn position(place: &PlaceView) -> Option<String> {
    match (place.line, place.document) {
        (Some(line), _) => Some(format!("line {line}")),
        (None, Some(document)) => Some(format!("document {document}")),
        (None, None) => None,
    }
}

/// The text on one line, without anything that a terminal obeys: line breaks and tabs become blanks, other control
/// characters and bidirectional overrides become U+FFFD.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(steers_terminal) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(harmless(&text.replace(['\n', '\r', '\t'], " ")).into_owned())
}

/// The text with its line breaks and tabs, but without anything else that a terminal obeys: it becomes U+FFFD.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let obeyed = |character: char| steers_terminal(character) && !matches!(character, '\n' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(obeyed, "\u{fffd}"))
}

fn steers_terminal(character: char) -> bool {
    character.is_control() || overrides_direction(character)
}

/// Words that our own sentences begin with. Whatever else a sentence begins with may be a foreign name, which keeps its case.
const FIRST_WORDS: &[&str] = &[
    "a", "an", "channels", "every", "from", "in", "instead", "no", "none", "not", "nothing", "of", "outside",
    "several", "taken", "the", "there", "what",
];

/// A sentence that begins with a capital letter, where it begins with a word of ours.
pub(super) fn capitalised(sentence: &str) -> Cow<'_, str> {
    let word = sentence.split(' ').next().unwrap_or_default();
    let mut rest = sentence.chars();
    match rest.next() {
        Some(first) if FIRST_WORDS.contains(&word) => {
            Cow::Owned(format!("{}{}", first.to_ascii_uppercase(), rest.as_str()))
        }
        _ => Cow::Borrowed(sentence),
    }
}

/// How a character that is markup in XML and in HTML is written as text (XML 1.0, section 2.4).
pub(super) fn entity(character: char) -> Option<&'static str> {
    match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

/// Whether a character changes the direction of the text around it.
pub(super) fn overrides_direction(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The longest start of a text that has at most `limit` bytes and ends between two characters.
pub(super) fn start(text: &str, limit: usize) -> &str {
    (0..=limit.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// At most `limit` bytes of the text, cut between characters, with `…` where something was cut.
pub(super) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{}…", start(text, limit.saturating_sub('…'.len_utf8()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::codes;
    use crate::report::sample;

    #[test]
    fn the_worst_come_first_and_equal_ones_by_code() {
        let findings =
            [sample::finding("info", "a/a"), sample::finding("warning", "a/a"), sample::finding("error", "b/b")];
        let mut findings = findings.to_vec();
        findings.push(sample::finding("error", "a/z"));
        let codes: Vec<_> = worst_first(&findings)
            .into_iter()
            .map(|finding| (finding.severity.as_str(), finding.code.as_str()))
            .collect();
        assert_eq!(codes, [("error", "a/z"), ("error", "b/b"), ("warning", "a/a"), ("info", "a/a")]);
    }

    #[test]
    fn one_is_singular_and_none_is_plural() {
        let counts = SeverityCounts { error: 1, warning: 0, info: 2 };
        assert_eq!(severities(counts), "1 error, 0 warnings, 2 infos");
    }

    #[test]
    fn a_sentence_begins_with_a_capital_and_a_name_stays_as_it_is() {
        assert_eq!(capitalised("the head"), "The head");
        assert_eq!(capitalised("no entry"), "No entry");
        for text in ["etcd requires it", "the.v1 is lower", "OLM v0 walks", "äh", ""] {
            assert_eq!(capitalised(text), text);
        }
    }

    #[test]
    fn every_sentence_of_the_registry_begins_with_a_known_word_or_a_name() {
        for code in codes::ALL.iter().copied() {
            let message = code.row().message;
            let known = message.starts_with('{') || message.starts_with(|first: char| first.is_uppercase());
            assert!(known || capitalised(message) != message, "{message}");
        }
    }

    #[test]
    fn terminals_get_no_orders() {
        assert_eq!(harmless("a\nb\tc\u{1b}[31m\rd"), "a\nb\tc\u{fffd}[31m\u{fffd}d");
        assert_eq!(one_line("a\nb\u{1b}[31mc\u{202e}d"), "a b\u{fffd}[31mc\u{fffd}d");
        assert!(matches!(one_line("häufig"), Cow::Borrowed("häufig")));
    }

    #[test]
    fn a_cut_falls_between_characters() {
        assert_eq!(clip("äöü", 6), "äöü");
        assert_eq!(clip("äöüx", 6), "ä…");
        assert_eq!(clip("abcdef", 5), "ab…");
    }

    #[test]
    fn lengths_are_cut_and_never_rounded_up() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (1, "1 byte"),
            (1_023, "1023 bytes"),
            (1_024, "1.0 KiB"),
            (1_048_575, "1023.9 KiB"),
            (1_610_612_736, "1.5 GiB"),
            (u64::MAX, "16777215.9 TiB"),
        ] {
            assert_eq!(size(bytes), text);
        }
        assert_eq!(short_digest("sha256:0123456789abcdef"), "sha256:0123456789ab");
        assert_eq!(short_digest("none"), "none");
    }

    #[test]
    fn a_position_prefers_the_line() {
        let mut place = sample::place("c.yaml", 7);
        assert_eq!(position(&place).as_deref(), Some("line 7"));
        place.line = None;
        assert_eq!(position(&place).as_deref(), Some("document 1"));
        place.document = None;
        assert_eq!(position(&place), None);
    }
}
