//! What is read of a live registry: all of it, a repository, a tag or a digest.
//!
//! Rule: the grammar of distribution/reference `regexp.go` (repository and tag) and the OCI distribution specification,
//! "Pulling manifests". No host is made up: `docker.io` and `library/` are never added. Cost: one look at each character.

use std::fmt;
use std::str::FromStr;

use crate::finding::ContentDigest;

use super::host::Host;

/// The longest name of a repository (distribution/reference, `NameTotalLengthMax`).
const LONGEST_REPOSITORY: usize = 255;

/// The longest tag.
const LONGEST_TAG: usize = 128;

/// The prefixes that say that a registry is meant.
const SCHEMES: [&str; 2] = ["registry:", "docker://"];

/// What is read of a registry.
///
/// # Examples
/// ```
/// use skipstone::source::store::registry::RegistryReference;
///
/// let reference: RegistryReference = "docker://mirror.example.com:5000/redhat/index:v4.18".parse()?;
/// assert_eq!(reference.host.to_string(), "mirror.example.com:5000");
/// assert_eq!(reference.repository(), Some("redhat/index"));
/// assert_eq!(reference.to_string(), "registry:mirror.example.com:5000/redhat/index:v4.18");
/// assert!("docker://ubuntu".parse::<RegistryReference>().is_err());
/// # Ok::<(), skipstone::source::store::registry::RegistryReferenceError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryReference {
    /// The registry.
    pub host: Host,
    /// Which part of it.
    pub part: RegistryPart,
}

/// A part of a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistryPart {
    /// Every repository that its catalog names.
    Everything,
    /// Every tag of a repository.
    Repository(String),
    /// What a tag means now.
    Tag {
        /// The repository.
        repository: String,
        /// The tag.
        tag: String,
    },
    /// One manifest. A tag that was written beside it says nothing more, and is dropped.
    Digest {
        /// The repository.
        repository: String,
        /// The digest.
        digest: ContentDigest,
    },
}

/// Why a text names nothing of a registry. It never repeats the text, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegistryReferenceError {
    /// Neither `registry:` nor `docker://` stands in front.
    #[error("a registry is written registry:HOST[:PORT][/REPOSITORY][:TAG|@DIGEST]")]
    Scheme,
    /// Credentials stand in it.
    #[error("credentials do not belong into the name of a registry; put them into an auth file")]
    Credentials,
    /// The first part is no host.
    #[error("the registry must be named by its host, with a dot, a port, or as localhost; none is assumed")]
    Host,
    /// The repository is none.
    #[error(
        "the repository is not written as registries want it: lower case letters, digits and single separators, between slashes"
    )]
    Repository,
    /// The tag is none.
    #[error("the tag is not written as registries want it: at most 128 letters, digits, dots, hyphens and underscores")]
    Tag,
    /// A tag or a digest of no repository.
    #[error("a tag or digest needs the repository that it belongs to")]
    NoRepository,
    /// The digest is none.
    #[error("the digest is neither sha256 nor sha512 with its hexadecimal digits in lower case")]
    Digest,
}

impl RegistryReference {
    /// Whether a text is meant to name something of a registry.
    pub fn is_meant(text: &str) -> bool {
        SCHEMES.iter().any(|scheme| text.starts_with(scheme))
    }

    /// The repository, where only one is read.
    pub fn repository(&self) -> Option<&str> {
        match &self.part {
            RegistryPart::Everything => None,
            RegistryPart::Repository(repository)
            | RegistryPart::Tag { repository, .. }
            | RegistryPart::Digest { repository, .. } => Some(repository),
        }
    }
}

impl FromStr for RegistryReference {
    type Err = RegistryReferenceError;

    fn from_str(text: &str) -> Result<Self, RegistryReferenceError> {
        let stripped = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
        let named = stripped.ok_or(RegistryReferenceError::Scheme)?;
        let (host, rest) = named.split_once('/').unwrap_or((named, ""));
        if host.contains('@') {
            let is_digest = host.contains("@sha");
            return Err(if is_digest {
                RegistryReferenceError::NoRepository
            } else {
                RegistryReferenceError::Credentials
            });
        }
        let host: Host = host.parse().map_err(|_| RegistryReferenceError::Host)?;
        if !host.is_certain() {
            return Err(RegistryReferenceError::Host);
        }
        Ok(Self { host, part: part(rest)? })
    }
}

fn part(rest: &str) -> Result<RegistryPart, RegistryReferenceError> {
    if rest.is_empty() {
        return Ok(RegistryPart::Everything);
    }
    let (named, digest) = match rest.split_once('@') {
        Some((named, digest)) => (named, Some(digest)),
        None => (rest, None),
    };
    let (repository, tag) = match named.split_once(':') {
        Some((repository, tag)) => (repository, Some(tag)),
        None => (named, None),
    };
    if repository.is_empty() {
        return Err(RegistryReferenceError::NoRepository);
    }
    if !is_repository(repository) {
        return Err(RegistryReferenceError::Repository);
    }
    if !tag.is_none_or(is_tag) {
        return Err(RegistryReferenceError::Tag);
    }
    let repository = repository.to_owned();
    Ok(match (digest, tag) {
        (Some(digest), _) => {
            let digest = digest.parse().map_err(|_| RegistryReferenceError::Digest)?;
            RegistryPart::Digest { repository, digest }
        }
        (None, Some(tag)) => RegistryPart::Tag { repository, tag: tag.to_owned() },
        (None, None) => RegistryPart::Repository(repository),
    })
}

/// Whether a text is the name of a repository.
pub(super) fn is_repository(text: &str) -> bool {
    text.len() <= LONGEST_REPOSITORY && text.split('/').all(is_path_component)
}

/// Lower case letters and digits, and between them a dot, one or two underscores, or any number of hyphens.
fn is_path_component(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let separators: Vec<&[u8]> =
        text.as_bytes().split(|byte| is_plain(*byte)).filter(|separator| !separator.is_empty()).collect();
    let is_separator =
        |separator: &[u8]| matches!(separator, b"." | b"_" | b"__") || separator.iter().all(|byte| *byte == b'-');
    let known = separators.into_iter().all(is_separator);
    known && text.bytes().next().is_some_and(is_plain) && text.bytes().last().is_some_and(is_plain)
}

/// Whether a text is a tag.
pub(super) fn is_tag(text: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.len() <= LONGEST_TAG
        && text.bytes().next().is_some_and(is_word)
        && text.bytes().all(|byte| is_word(byte) || byte == b'.' || byte == b'-')
}

impl fmt::Display for RegistryReference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "registry:{}", self.host)?;
        match &self.part {
            RegistryPart::Everything => Ok(()),
            RegistryPart::Repository(repository) => write!(formatter, "/{repository}"),
            RegistryPart::Tag { repository, tag } => write!(formatter, "/{repository}:{tag}"),
            RegistryPart::Digest { repository, digest } => write!(formatter, "/{repository}@{digest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RegistryReference, RegistryReferenceError> {
        text.parse()
    }

    #[test]
    fn each_part_of_a_registry_can_be_named() {
        let digest = format!("sha256:{}", "a".repeat(64));
        let tag = RegistryPart::Tag { repository: "redhat/index".to_owned(), tag: "v4.18".to_owned() };
        let by_digest = RegistryPart::Digest { repository: "a".to_owned(), digest: digest.parse().unwrap() };
        for (text, host, part) in [
            ("registry:mirror:5000", "mirror:5000", RegistryPart::Everything),
            ("docker://localhost/", "localhost", RegistryPart::Everything),
            ("registry:a.example/b__c/d-e", "a.example", RegistryPart::Repository("b__c/d-e".to_owned())),
            ("docker://a.example:1/redhat/index:v4.18", "a.example:1", tag),
            (&format!("registry:[::1]:5000/a@{digest}"), "[::1]:5000", by_digest.clone()),
            (&format!("registry:a.example/a:v1@{digest}"), "a.example", by_digest),
        ] {
            let found = read(text).unwrap();
            assert_eq!((found.host.to_string().as_str(), &found.part), (host, &part), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in ["registry:mirror:5000", "registry:a.example/b/c", "registry:localhost/b:v1.0-rc_1"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn each_mistake_has_its_own_sentence() {
        use RegistryReferenceError as Error;
        let digest = "a".repeat(64);
        for (text, error) in [
            ("mirror:5000/a", Error::Scheme),
            ("registry:ubuntu", Error::Host),
            ("registry:library/ubuntu", Error::Host),
            ("registry:", Error::Host),
            ("registry:../a.example", Error::Host),
            ("registry:user:secret@a.example/b", Error::Credentials),
            ("registry:a.example/B", Error::Repository),
            ("registry:a.example/b/../c", Error::Repository),
            ("registry:a.example/b//c", Error::Repository),
            ("registry:a.example/b/", Error::Repository),
            ("registry:a.example/b___c", Error::Repository),
            ("registry:a.example/b\r\nc", Error::Repository),
            ("registry:a.example/b?c", Error::Repository),
            ("registry:a.example/b:", Error::Tag),
            ("registry:a.example/b:.x", Error::Tag),
            ("registry:a.example/b:x/y", Error::Tag),
            ("registry:a.example/b:x%2fy", Error::Tag),
            (&format!("registry:a.example/:{}", "v1"), Error::NoRepository),
            (&format!("registry:a.example@sha256:{digest}"), Error::NoRepository),
            (&format!("registry:a.example/b@sha256:{digest}f"), Error::Digest),
            ("registry:a.example/b@md5:00", Error::Digest),
        ] {
            assert_eq!(read(text), Err(error), "{text}");
        }
    }

    #[test]
    fn a_password_in_a_name_is_not_repeated() {
        let error = read("registry:user:hunter2@a.example/b").unwrap_err();
        assert!(!error.to_string().contains("hunter2") && !format!("{error:?}").contains("hunter2"));
    }

    #[test]
    fn names_have_a_longest_length() {
        assert!(is_repository(&"a".repeat(255)) && !is_repository(&"a".repeat(256)));
        assert!(is_tag(&"a".repeat(128)) && !is_tag(&"a".repeat(129)));
    }
}
