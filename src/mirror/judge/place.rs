//! Where mirror tools put a repository.
//!
//! Rule and cost: those of [`super`].

use crate::finding::ContentDigest;
use crate::reference::ImageReference;

/// The repositories into which oc-mirror v2 puts release payloads, wherever they came from.
const RELEASE_REPOSITORY: &str = "openshift/release-images";
/// The last part of the repositories that payloads come from.
const RELEASE_SOURCES: &[&str] = &["ocp-release", "ocp-release-nightly", "okd-release", "release"];

/// The tag under which oc-mirror v2 stores a digest.
pub(super) fn digest_tag(digest: &ContentDigest) -> String {
    format!("{}-{}", digest.algorithm(), digest.hex())
}

/// Repositories with their tags in which a reference by tag may lie: its own path first, then the repositories that end with
/// it, then those with joined parts, then that of payloads.
pub(super) fn of<'a>(
    repositories: &'a [String],
    reference: &'a ImageReference,
    tag: &'a str,
) -> impl Iterator<Item = (String, String)> + 'a {
    let own = [reference.path.clone()].into_iter();
    let last = reference.path.rsplit('/').next().unwrap_or_default();
    let is_release = RELEASE_SOURCES.contains(&last);
    let releases =
        repositories.iter().filter(move |repository| is_release && ends_with(repository, RELEASE_REPOSITORY));
    own.chain(like(repositories, &reference.path).cloned())
        .chain(releases.cloned())
        .map(move |repository| (repository, tag.to_owned()))
}

/// The repositories that may be a path in a mirror: those that end with it, whole or with its last parts joined.
pub(super) fn like<'a>(repositories: &'a [String], path: &str) -> impl Iterator<Item = &'a String> + use<'a> {
    let mut forms = vec![path.to_owned()];
    forms.extend(joined(path));
    repositories.iter().filter(move |repository| forms.iter().any(|form| ends_with(repository, form)))
}

/// The repositories that a path ends with, itself left out.
pub(super) fn ends_of<'a>(repositories: &'a [String], path: &'a str) -> impl Iterator<Item = &'a String> {
    repositories.iter().filter(move |repository| *repository != path && ends_with(path, repository))
}

/// A path with its last parts joined by `-`, as few as two and as many as all.
fn joined(path: &str) -> impl Iterator<Item = String> {
    let cuts: Vec<usize> = [0].into_iter().chain(path.match_indices('/').map(|(position, _)| position + 1)).collect();
    let kept = cuts.len().saturating_sub(1);
    cuts.into_iter().take(kept).filter_map(|cut| {
        let (before, rest) = path.split_at_checked(cut)?;
        Some(format!("{before}{}", rest.replace('/', "-")))
    })
}

/// Whether a path is the end of a repository, at the border of a part.
fn ends_with(repository: &str, path: &str) -> bool {
    let before = repository.strip_suffix(path);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_whole_below_a_prefix_and_joined() {
        let repositories: Vec<String> =
            ["a/b/c", "x/a/b/c", "a/b-c", "x/a-b-c", "xa/b/c", "b/c", "a/b", "openshift/release-images"]
                .map(str::to_owned)
                .into();
        let found: Vec<&String> = like(&repositories, "a/b/c").collect();
        assert_eq!(found, ["a/b/c", "x/a/b/c", "a/b-c", "x/a-b-c"]);
        assert_eq!(like(&repositories, "d").next(), None);
        let release: ImageReference = "host.example/dev/ocp-release:4.1-x86_64".parse().unwrap();
        let places: Vec<(String, String)> = of(&repositories, &release, "4.1-x86_64").collect();
        assert_eq!(places.len(), 2);
        assert_eq!(places[1], ("openshift/release-images".to_owned(), "4.1-x86_64".to_owned()));
    }
}
