//! "Did you mean": names that are close to what was typed.
//!
//! Rule: Jaro-Winkler similarity above 0.75, or one name within the other; ours. Cost: names × their lengths.

/// The closest names, best first, as a question; `None` where none is close.
pub(super) fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let mut close: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (closeness(typed, name), name))
        .filter(|(closeness, _)| *closeness > 0.75)
        .collect();
    close.sort_by(|(one, one_name), (other, other_name)| other.total_cmp(one).then_with(|| one_name.cmp(other_name)));
    close.dedup_by(|(_, one), (_, other)| one == other);
    let names: Vec<&str> = close.into_iter().take(3).map(|(_, name)| name).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

fn closeness(typed: &str, name: &str) -> f64 {
    let contained = !typed.is_empty() && (name.contains(typed) || typed.contains(name));
    if contained { 0.9 } else { strsim::jaro_winkler(typed, name) }
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn close_names_are_offered_and_far_ones_not() {
        let names = ["stable", "stable-v2", "fast"];
        assert_eq!(did_you_mean("stabel", names).as_deref(), Some("did you mean stable or stable-v2?"));
        assert_eq!(did_you_mean("xyz", names), None);
    }
}
