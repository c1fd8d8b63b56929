//! The wanted files of an image or a directory, in memory.
//!
//! Rule: paths are relative to the root of the image, clean, with `/` between their parts; links are resolved by whoever
//! reads. Cost: the bytes themselves; the reader bounds their number and size.

use std::collections::BTreeMap;

/// Files by path.
pub type FileSet = BTreeMap<String, Vec<u8>>;

/// The directories, `""` for the root, that hold one of these files or directories, sorted. Used to find what a plain
/// directory holds by its paths alone.
pub(crate) fn directories_with<'p>(paths: impl IntoIterator<Item = &'p str>, marks: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for path in paths {
        let holder = marks.iter().find_map(|mark| {
            let parts = || path.match_indices(*mark);
            parts().find_map(|(at, _)| {
                let (before, rest) = path.split_at_checked(at)?;
                let ends = rest.strip_prefix(*mark)?;
                let is_whole = (before.is_empty() || before.ends_with('/')) && (ends.is_empty() || mark.ends_with('/'));
                is_whole.then(|| before.trim_end_matches('/'))
            })
        });
        if let Some(holder) = holder
            && found.last().is_none_or(|last| last != holder)
        {
            found.push(holder.to_owned());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_counts_as_a_whole_part_of_a_path_only() {
        let paths = ["a/manifests/x.yaml", "b/my-manifests/x.yaml", "manifests/x.yaml", "c/image-references.txt"];
        assert_eq!(directories_with(paths, &["manifests/", "image-references"]), ["", "a"]);
        assert_eq!(directories_with(["d/e/image-references"], &["image-references"]), ["d/e"]);
    }
}
