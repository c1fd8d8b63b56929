//! What sentences of findings, reasons and reports share: numbers with their nouns, and lists of names.
//!
//! Rule: ours. A list in a sentence names a few and counts the rest. Cost: one text each.

/// A number with its noun: `1 bundle`, `2 bundles`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    counted_as(number, noun, &format!("{noun}s"))
}

/// A number with a noun whose plural is not made with an s alone: `1 entry`, `2 entries`.
pub(crate) fn counted_as(number: usize, one: &str, several: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {several}") }
}

/// At most so many names, and how many more there are.
pub(crate) fn first_names(names: &[&str], most: usize) -> String {
    match names.split_at_checked(most) {
        Some((first, rest)) if !rest.is_empty() => format!("{} and {} more", first.join(", "), rest.len()),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| counted(number, "hop")), ["0 hops", "1 hop", "2 hops"]);
        assert_eq!(
            [0, 1, 2].map(|number| counted_as(number, "entry", "entries")),
            ["0 entries", "1 entry", "2 entries"]
        );
    }

    #[test]
    fn names_beyond_the_first_are_counted() {
        assert_eq!(first_names(&[], 2), "");
        assert_eq!(first_names(&["a", "b"], 2), "a, b");
        assert_eq!(first_names(&["a", "b", "c", "d"], 2), "a, b and 2 more");
    }
}
