//! Finds the roots that a reference means.
//!
//! Rule: what stands behind `#` in `SOURCE#REF` is `@N` for the Nth root of a store, counted from 0, or a tag,
//! `repository:tag`, `repository@digest`, a repository or a digest; where several roots are meant, all of them are. Mirrors
//! drop the host of the registry and put paths before names, so that a repository may also be given by its end, or with more
//! before it than the store keeps, but what is exactly meant goes first. Cost: a look at each root.

use super::reference::{self, Reference};
use super::{Root, RootContent};
use crate::finding::ContentDigest;

/// The numbers of the roots that a reference means, ascending; a root is given with the number of its store and with its
/// position there.
///
/// ```
/// use skipstone::finding::ContentDigest;
/// use skipstone::source::store::{Root, RootContent, select};
///
/// let image = RootContent::Image(ContentDigest::of(b"an image"));
/// let (repository, tag) = (Some("birds/index".to_owned()), Some("v1".to_owned()));
/// let root = Root { repository, tag, identity: None, content: image, notes: Vec::new() };
/// let roots = [(0, 0, root)];
/// for reference in ["@0", "v1", "birds/index:v1", "birds/index", "index:v1"] {
///     assert_eq!(select(&roots, reference), [0]);
/// }
/// assert!(select(&roots, "v2").is_empty());
/// ```
pub fn select(roots: &[(usize, usize, Root)], reference: &str) -> Vec<usize> {
    let numbers_where = |is_meant: &dyn Fn(usize, &Root) -> bool| -> Vec<usize> {
        let meant = roots.iter().enumerate().filter(|(_, (_, position, root))| is_meant(*position, root));
        meant.map(|(number, _)| number).collect()
    };
    if let Some(position) = reference.strip_prefix('@').and_then(|number| number.parse::<usize>().ok()) {
        return numbers_where(&|at, _| at == position);
    }
    if let Ok(digest) = reference.parse() {
        return numbers_where(&|_, root| has_digest(root, &digest));
    }
    let parts = reference::parts(reference);
    let tiers: [&dyn Fn(&Root) -> bool; 3] =
        [&|root| is_exactly(root, reference, &parts), &|root| has_bare_tag(root, reference), &|root| {
            is_nearly(root, &parts)
        }];
    let mut found = tiers.into_iter().map(|tier| numbers_where(&|_, root| tier(root)));
    found.find(|numbers| !numbers.is_empty()).unwrap_or_default()
}

/// Whether a root is known by a digest, or holds an image of it.
fn has_digest(root: &Root, digest: &ContentDigest) -> bool {
    root.identity.as_ref() == Some(digest) || matches!(&root.content, RootContent::Image(own) if own == digest)
}

/// Whether the text is the root's own tag or repository, with or without tag and digest.
fn is_exactly(root: &Root, text: &str, parts: &Reference<'_>) -> bool {
    root.tag.as_deref() == Some(text) || is_named(root, parts, &|own| own == parts.name)
}

/// Whether the text is the tag at the end of a whole reference that stands in the place of a tag.
fn has_bare_tag(root: &Root, text: &str) -> bool {
    root.tag.as_deref().and_then(reference::tag_of) == Some(text)
}

/// Whether the name is that of the root but for what stands before it in one of the two.
fn is_nearly(root: &Root, parts: &Reference<'_>) -> bool {
    is_named(root, parts, &|own| ends_with_path(own, parts.name) || ends_with_path(parts.name, own))
}

/// Whether the root has a repository that fits, and the tag and the digest that are given.
fn is_named(root: &Root, parts: &Reference<'_>, fits: &dyn Fn(&str) -> bool) -> bool {
    let (repository, tag) = match (&root.repository, root.tag.as_deref().map(reference::parts)) {
        (Some(repository), _) => (repository.as_str(), root.tag.as_deref()),
        (None, Some(whole)) if whole.tag.is_some() || whole.digest.is_some() => (whole.name, whole.tag),
        (None, _) => return false,
    };
    let digest_fits = match parts.digest.map(str::parse) {
        None => true,
        Some(Ok(digest)) => has_digest(root, &digest),
        Some(Err(_)) => false,
    };
    // A tag beside a digest is for people: the digest decides.
    let tag_fits = parts.digest.is_some() || parts.tag.is_none_or(|wanted| tag == Some(wanted));
    fits(repository) && digest_fits && tag_fits
}

/// Whether a path ends with another at a border between names.
fn ends_with_path(path: &str, end: &str) -> bool {
    !end.is_empty() && path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn root(repository: Option<&str>, tag: Option<&str>, identity: Option<&[u8]>, content: &[u8]) -> Root {
        Root {
            repository: repository.map(str::to_owned),
            tag: tag.map(str::to_owned),
            identity: identity.map(ContentDigest::of),
            content: RootContent::Image(ContentDigest::of(content)),
            notes: Vec::new(),
        }
    }

    fn numbered(roots: impl IntoIterator<Item = (usize, Vec<Root>)>) -> Vec<(usize, usize, Root)> {
        let stores = roots.into_iter();
        let of_store = |(store, roots): (usize, Vec<Root>)| {
            roots.into_iter().enumerate().map(move |(position, root)| (store, position, root))
        };
        stores.flat_map(of_store).collect()
    }

    #[test]
    fn each_form_of_a_reference_finds_what_it_means() {
        let roots = numbered([
            (
                0,
                vec![
                    root(Some("redhat/index"), Some("v4.18"), Some(b"true"), b"converted"),
                    root(Some("redhat/index"), Some("v4.19"), Some(b"b"), b"b"),
                    root(Some("other/index"), Some("v4.18"), Some(b"c"), b"c"),
                    root(Some("redhat/index"), None, Some(b"d"), b"d"),
                ],
            ),
            (
                1,
                vec![
                    root(None, Some("v4.18"), Some(b"e"), b"e"),
                    root(None, Some("quay.io:443/birds/index:v7"), Some(b"f"), b"f"),
                    root(None, None, None, b"g"),
                ],
            ),
        ]);
        let digest = |bytes: &[u8]| ContentDigest::of(bytes).to_string();
        let at = |name: &str, bytes: &[u8]| format!("{name}@{}", digest(bytes));
        for (reference, expected) in [
            ("@0".to_owned(), vec![0, 4]),
            ("@3".to_owned(), vec![3]),
            ("@9".to_owned(), vec![]),
            ("v4.18".to_owned(), vec![0, 2, 4]),
            ("v7".to_owned(), vec![5]),
            ("redhat/index:v4.18".to_owned(), vec![0]),
            ("redhat/index".to_owned(), vec![0, 1, 3]),
            ("index".to_owned(), vec![0, 1, 2, 3, 5]),
            ("registry.redhat.io/redhat/index:v4.18".to_owned(), vec![0]),
            ("quay.io:443/birds/index:v7".to_owned(), vec![5]),
            ("birds/index:v7".to_owned(), vec![5]),
            ("dex".to_owned(), vec![]),
            (digest(b"true"), vec![0]),
            (digest(b"converted"), vec![0]),
            (digest(b"g"), vec![6]),
            (at("redhat/index", b"d"), vec![3]),
            (at("redhat/index:v9", b"d"), vec![3]),
            (at("redhat/index", b"c"), vec![]),
            ("redhat/index@sha256:00".to_owned(), vec![]),
            (String::new(), vec![]),
        ] {
            assert_eq!(select(&roots, &reference), expected, "{reference}");
        }
    }

    proptest! {
        #[test]
        fn the_name_of_a_root_means_the_root(
            parts in prop::collection::vec(
                ("[a-c]{1,2}(/[a-c]{1,2})?", "[a-c]{1,3}", prop::bool::ANY, prop::bool::ANY), 1..8),
        ) {
            let roots = parts.iter().map(|(repository, tag, has_repository, has_tag)| {
                let content = format!("{repository}{tag}{has_repository}");
                let repository = has_repository.then_some(repository.as_str());
                root(repository, has_tag.then_some(tag.as_str()), Some(content.as_bytes()), content.as_bytes())
            });
            let roots = numbered([(0, roots.collect())]);
            for (number, (_, position, root)) in roots.iter().enumerate() {
                let found = select(&roots, &root.name(*position));
                prop_assert!(found.contains(&number), "{} means {found:?}", root.name(*position));
            }
        }
    }
}
