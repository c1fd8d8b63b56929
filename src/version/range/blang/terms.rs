//! Splits the text of a range into terms.
//!
//! Rule: blang/semver v4.0, `range.go`, `splitAndTrim`. Cost: one pass.

/// The terms of a range text, in order.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Terms {
    /// Those that count: of two bytes and more, blanks inside them removed.
    pub(super) seen: Vec<String>,
    /// Those of one byte, which are dropped.
    pub(super) unseen: Vec<String>,
}

impl Terms {
    /// Takes up what stands between two separators.
    fn take(&mut self, term: Option<&str>) {
        match term {
            Some(term) if term.len() > 1 => self.seen.push(term.replace(' ', "")),
            Some(term) if !term.is_empty() => self.unseen.push(term.to_owned()),
            _ => {}
        }
    }
}

/// Splits at blanks, except where the last byte that is no blank is `>`, `<` or `=`: there the version still follows.
pub(super) fn split(text: &str) -> Terms {
    let mut terms = Terms { seen: Vec::new(), unseen: Vec::new() };
    let mut start = 0;
    let mut version_must_follow = false;
    for (position, byte) in text.bytes().enumerate() {
        if byte != b' ' {
            version_must_follow = matches!(byte, b'>' | b'<' | b'=');
        } else if !version_must_follow {
            terms.take(text.get(start..position));
            start = position + 1;
        }
    }
    terms.take(text.get(start..));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_separate_unless_a_version_must_follow() {
        let table: [(&str, &[&str], &[&str]); 11] = [
            ("", &[], &[]),
            ("   ", &[], &[]),
            (">=1.0.0 <2.0.0", &[">=1.0.0", "<2.0.0"], &[]),
            (">=  1.0.0   < 2.0.0 ", &[">=1.0.0", "<2.0.0"], &[]),
            ("> = 1.0.0", &[">=1.0.0"], &[]),
            (">=1.0.0 , ! 1.2.0 |", &[">=1.0.0", "1.2.0"], &[",", "!", "|"]),
            ("1.0.0 - 2.0.0", &["1.0.0", "2.0.0"], &["-"]),
            ("<1.0.0||>=2.0.0", &["<1.0.0||>=2.0.0"], &[]),
            ("<1.0.0 || >=2.0.0", &["<1.0.0", "||", ">=2.0.0"], &[]),
            (">=1.0.0\t<2.0.0\n", &[">=1.0.0\t<2.0.0\n"], &[]),
            (">= ", &[">="], &[]),
        ];
        for (text, seen, unseen) in table {
            let terms = split(text);
            assert_eq!((terms.seen, terms.unseen), (owned(seen), owned(unseen)), "{text:?}");
        }
    }

    fn owned(terms: &[&str]) -> Vec<String> {
        terms.iter().map(|&term| term.to_owned()).collect()
    }
}
