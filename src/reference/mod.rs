//! Image references: which repository, tag and digest a text means.
//!
//! Rule: distribution/reference, `normalize.go` and `reference.go`: without a domain `docker.io` is meant, `index.docker.io` is
//! another name of it, and its repositories of one part lie below `library/`. Cost: one pass over the text.

mod grammar;

use std::fmt;
use std::str::FromStr;

use crate::finding::ContentDigest;

const DOCKER_HUB: &str = "docker.io";

/// An image reference with its names written out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ImageReference {
    /// The registry's host, with its port where one is written.
    pub host: String,
    /// The repository's path below the host, such as `library/alpine`.
    pub path: String,
    /// The tag; where there is a digest too, nobody looks at it.
    pub tag: Option<String>,
    /// The digest.
    pub digest: Option<ContentDigest>,
}

/// A text that is no image reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no image reference")]
pub struct ReferenceError {
    /// The text, cut to 160 characters.
    pub text: String,
}

/// Whether a text is an image reference, as opm asks; digests of sha384, which no registry serves, are among them.
///
/// ```
/// use skipstone::reference::is_reference;
///
/// assert!(is_reference("host.example/a/b:1.0"));
/// assert!(!is_reference("oci:///a/b"));
/// ```
pub fn is_reference(text: &str) -> bool {
    grammar::parts(text).is_some()
}

/// Whether a text names a registry, a namespace or a repository: a domain, alone or with a path behind it.
///
/// ```
/// use skipstone::reference::is_location;
///
/// assert!(is_location("host.example:5000") && is_location("host.example/a/b"));
/// assert!(!is_location("host.example/a:1") && !is_location(""));
/// ```
pub fn is_location(text: &str) -> bool {
    let (host, path) = text.split_once('/').map_or((text, None), |(host, path)| (host, Some(path)));
    text.len() <= 255
        && grammar::is_domain(host)
        && path.is_none_or(|path| path.split('/').all(grammar::is_path_component))
}

impl ImageReference {
    /// Host and path: the repository without tag and digest.
    pub fn name(&self) -> String {
        format!("{}/{}", self.host, self.path)
    }

    /// The part that a registry resolves: the digest, else the tag, else `latest`.
    pub fn target(&self) -> String {
        match (&self.digest, &self.tag) {
            (Some(digest), _) => digest.to_string(),
            (None, Some(tag)) => tag.clone(),
            (None, None) => "latest".to_owned(),
        }
    }
}

impl FromStr for ImageReference {
    type Err = ReferenceError;

    fn from_str(text: &str) -> Result<Self, ReferenceError> {
        let refused = || ReferenceError { text: text.chars().take(160).collect() };
        let parts = grammar::parts(text).ok_or_else(refused)?;
        let digest = parts.digest.map(str::parse).transpose().map_err(|_| refused())?;
        let host = match parts.domain {
            None | Some("index.docker.io") => DOCKER_HUB,
            Some(domain) => domain,
        };
        let is_official = host == DOCKER_HUB && !parts.path.contains('/');
        let path = if is_official { format!("library/{}", parts.path) } else { parts.path.to_owned() };
        Ok(Self { host: host.to_owned(), path, tag: parts.tag.map(str::to_owned), digest })
    }
}

impl fmt::Display for ImageReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.host, self.path)?;
        if let Some(tag) = &self.tag {
            write!(formatter, ":{tag}")?;
        }
        match &self.digest {
            Some(digest) => write!(formatter, "@{digest}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ImageReference {
        text.parse().unwrap()
    }

    #[test]
    fn a_reference_is_taken_apart() {
        let digest = ContentDigest::of(b"a");
        let reference = read(&format!("host.example:5000/a/b:1.0@{digest}"));
        assert_eq!((&*reference.host, &*reference.path), ("host.example:5000", "a/b"));
        assert_eq!((reference.tag.as_deref(), reference.digest.as_ref()), (Some("1.0"), Some(&digest)));
        assert_eq!(reference.name(), "host.example:5000/a/b");
        assert_eq!(reference.target(), digest.to_string());
        assert_eq!(reference.to_string(), format!("host.example:5000/a/b:1.0@{digest}"));
    }

    #[test]
    fn names_of_docker_hub_are_written_out() {
        for (text, name) in [
            ("alpine", "docker.io/library/alpine"),
            ("index.docker.io/alpine", "docker.io/library/alpine"),
            ("some/alpine", "docker.io/some/alpine"),
            ("localhost/alpine", "localhost/alpine"),
        ] {
            assert_eq!(read(text).name(), name, "{text}");
        }
        assert_eq!(read("alpine").target(), "latest");
    }

    #[test]
    fn what_nothing_can_pull_is_refused() {
        let sha384 = format!("a@sha384:{}", "0".repeat(96));
        assert!(is_reference(&sha384));
        for text in ["", "oci:///a", "https://a.example/b", "a:", "A", &sha384, "a@sha256:00"] {
            assert!(text.parse::<ImageReference>().is_err(), "{text}");
        }
    }

    #[test]
    fn locations() {
        for text in ["host.example", "localhost", "host:5000", "host.example/a/b-c", "[::1]:5000/a"] {
            assert!(is_location(text), "{text}");
        }
        for text in ["", "/", "host.example/", "host.example//a", "host.example/A", "host.example/a@b", "ho st"] {
            assert!(!is_location(text), "{text}");
        }
    }
}
