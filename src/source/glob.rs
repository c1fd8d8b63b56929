//! Patterns of one path component, as Go's `path/filepath.Match` reads them: `*`, `?`, classes, and `\` as escape.
//!
//! Cost: component times pattern in the worst case, both bounded by the file system's name length.

/// Whether the whole text matches the pattern; a malformed pattern matches nothing and is an error in Go.
pub(super) fn matches(pattern: &str, text: &str) -> Option<bool> {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    // One row for each part of the pattern: which prefixes of the text it can end at.
    let mut ends = vec![false; text.len() + 1];
    set(&mut ends, 0);
    let mut rest = pattern.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let mut next = vec![false; text.len() + 1];
        if *first == '*' {
            let start = ends.iter().position(|end| *end).unwrap_or(ends.len());
            next.iter_mut().skip(start).for_each(|end| *end = true);
            rest = behind;
        } else {
            let (part, behind) = single(*first, behind)?;
            for (index, letter) in text.iter().enumerate() {
                if ends.get(index) == Some(&true) && part.admits(*letter) {
                    set(&mut next, index + 1);
                }
            }
            rest = behind;
        }
        ends = next;
    }
    Some(ends.last() == Some(&true))
}

fn set(ends: &mut [bool], index: usize) {
    if let Some(end) = ends.get_mut(index) {
        *end = true;
    }
}

enum Single {
    Any,
    Letter(char),
    Class { negated: bool, ranges: Vec<(char, char)> },
}

impl Single {
    fn admits(&self, letter: char) -> bool {
        match self {
            Self::Any => true,
            Self::Letter(wanted) => *wanted == letter,
            Self::Class { negated, ranges } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&letter)) != *negated
            }
        }
    }
}

fn single(first: char, behind: &[char]) -> Option<(Single, &[char])> {
    match first {
        '?' => Some((Single::Any, behind)),
        '\\' => behind.split_first().map(|(letter, behind)| (Single::Letter(*letter), behind)),
        '[' => class(behind),
        letter => Some((Single::Letter(letter), behind)),
    }
}

fn class(mut rest: &[char]) -> Option<(Single, &[char])> {
    let negated = rest.first() == Some(&'^');
    if negated {
        rest = rest.get(1..)?;
    }
    let mut ranges = Vec::new();
    loop {
        if rest.first() == Some(&']') && !ranges.is_empty() {
            return Some((Single::Class { negated, ranges }, rest.get(1..)?));
        }
        let (low, behind) = class_letter(rest)?;
        let (high, behind) = match behind.split_first() {
            Some(('-', behind)) => class_letter(behind)?,
            _ => (low, behind),
        };
        ranges.push((low, high));
        rest = behind;
    }
}

fn class_letter(rest: &[char]) -> Option<(char, &[char])> {
    match rest.split_first()? {
        ('-' | ']', _) => None,
        ('\\', behind) => behind.split_first().map(|(letter, behind)| (*letter, behind)),
        (letter, behind) => Some((*letter, behind)),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, text) in [
            ("*", "a"),
            ("*.md", "README.md"),
            ("a?c", "abc"),
            ("[a-c]x", "bx"),
            ("[^a]x", "bx"),
            ("\\*", "*"),
            ("a*b*c", "aXbYc"),
            ("", ""),
        ] {
            assert_eq!(matches(pattern, text), Some(true), "{pattern} {text}");
        }
        for (pattern, text) in [("*.md", "README.txt"), ("a?c", "ac"), ("[^a]x", "ax"), ("a", "b"), ("", "a")] {
            assert_eq!(matches(pattern, text), Some(false), "{pattern} {text}");
        }
    }

    #[test]
    fn malformed_patterns() {
        for pattern in ["[", "[]", "[a", "\\", "[-]", "[a-]"] {
            assert_eq!(matches(pattern, "a"), None, "{pattern}");
        }
    }
}
