//! Takes references to images apart.
//!
//! Rule: distribution/reference, reference.go: `name[:tag][@digest]`, where a colon before the last slash belongs to the
//! port of the host. Cost: that of a search in a short text.

/// A reference in its parts; the digest is not yet parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference<'a> {
    /// What stands before tag and digest: a repository, with or without the host of its registry.
    pub(super) name: &'a str,
    /// What stands behind the colon.
    pub(super) tag: Option<&'a str>,
    /// What stands behind `@`.
    pub(super) digest: Option<&'a str>,
}

/// Takes a reference apart; any text has parts.
pub(super) fn parts(text: &str) -> Reference<'_> {
    let (rest, digest) = match text.split_once('@') {
        Some((rest, digest)) => (rest, Some(digest)),
        None => (text, None),
    };
    match rest.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => Reference { name, tag: Some(tag), digest },
        _ => Reference { name: rest, tag: None, digest },
    }
}

/// The tag of a whole reference; `None` where it has none, so that a bare tag has none, too.
pub(super) fn tag_of(text: &str) -> Option<&str> {
    parts(text).tag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_taken_apart() {
        for (text, name, tag, digest) in [
            ("quay.io/a/b:v1", "quay.io/a/b", Some("v1"), None),
            ("host:5000/a/b", "host:5000/a/b", None, None),
            ("host:5000/a/b:v1@sha256:00", "host:5000/a/b", Some("v1"), Some("sha256:00")),
            ("a/b@sha256:00", "a/b", None, Some("sha256:00")),
            ("v1", "v1", None, None),
            ("", "", None, None),
            (":", "", Some(""), None),
        ] {
            assert_eq!(parts(text), Reference { name, tag, digest }, "{text}");
        }
    }
}
