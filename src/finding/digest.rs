//! Content digests: the only identity of content.
//!
//! Rule: an OCI digest is `algorithm:hex` and is parsed before it is compared or joined to a path (OCI image
//! specification, descriptor, section "Digests"). Only `sha256` is computed here; it is what every mirror writes.
//! Cost: one pass over the bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// A SHA-256 digest of some content; shown as `sha256:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is no `sha256:<64 hex digits>`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no digest of the form sha256:<64 lower-case hexadecimal digits>")]
pub struct DigestError {
    /// The text that was refused.
    pub text: String,
}

impl Digest {
    /// The digest of these bytes.
    ///
    /// ```
    /// use skipstone::finding::Digest;
    /// assert!(Digest::of(b"").to_string().starts_with("sha256:e3b0c44298fc"));
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several parts, each preceded by its length, so that no two lists of parts share one digest.
    pub fn of_parts<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The 64 hexadecimal digits without the algorithm: safe as a file name.
    pub fn hex(&self) -> String {
        let mut text = String::with_capacity(64);
        for byte in self.0 {
            for half in [byte >> 4, byte & 0xf] {
                text.push(char::from_digit(u32::from(half), 16).unwrap_or('0'));
            }
        }
        text
    }

    /// The 32 raw bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest whose raw bytes these are.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", self.hex())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let refused = || DigestError { text: text.chars().take(100).collect() };
        let hex = text.strip_prefix("sha256:").ok_or_else(refused)?;
        if hex.len() != 64 || hex.bytes().any(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(refused());
        }
        let digits: Vec<u8> = hex.chars().filter_map(|digit| digit.to_digit(16)).map(|value| value as u8).collect();
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair.iter().fold(0, |sum, half| sum << 4 | half);
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn known_digest_of_nothing() {
        assert_eq!(Digest::of(b"").to_string(), EMPTY);
        assert_eq!(EMPTY.parse::<Digest>().unwrap(), Digest::of(b""));
    }

    #[test]
    fn refuses_what_could_leave_a_directory() {
        for text in
            ["", "sha256:", "sha256:../../etc/passwd", "sha512:00", &EMPTY.to_uppercase(), EMPTY.trim_end_matches("55")]
        {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(Digest::of_parts([b"ab".as_slice(), b"c"]), Digest::of_parts([b"a".as_slice(), b"bc"]));
    }
}
