//! Digests of blobs, by any algorithm that registries use.
//!
//! Rule: OCI image specification, descriptor, section "Digests": `algorithm:encoded`, of which `sha256` and `sha512` are
//! registered and computed here. The text is parsed before it is compared or joined to a path.
//! Cost: one pass over the bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256, Sha512};

use super::Digest;

/// The digest of a blob, as a registry names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContentDigest {
    /// `sha256:` and 64 hexadecimal digits.
    Sha256(Digest),
    /// `sha512:` and 128 hexadecimal digits.
    Sha512(Box<[u8; 64]>),
}

/// A text that is no digest of a registered algorithm.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is neither sha256 nor sha512 with its hexadecimal digits in lower case")]
pub struct ContentDigestError {
    /// The text that was refused, cut to 160 characters.
    pub text: String,
}

impl ContentDigest {
    /// The SHA-256 digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self::Sha256(Digest::of(bytes))
    }

    /// `sha256` or `sha512`.
    pub fn algorithm(&self) -> &'static str {
        match self {
            Self::Sha256(_) => "sha256",
            Self::Sha512(_) => "sha512",
        }
    }

    /// The hexadecimal digits without the algorithm: safe as a file name.
    pub fn hex(&self) -> String {
        match self {
            Self::Sha256(digest) => digest.hex(),
            Self::Sha512(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// The raw bytes: 32 or 64.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Sha256(digest) => digest.as_bytes(),
            Self::Sha512(bytes) => bytes.as_slice(),
        }
    }

    /// Computes a digest of the same algorithm, piece by piece.
    pub fn hasher(&self) -> ContentHasher {
        match self {
            Self::Sha256(_) => ContentHasher::Sha256(Sha256::new()),
            Self::Sha512(_) => ContentHasher::Sha512(Box::new(Sha512::new())),
        }
    }
}

/// A digest that is being computed.
#[derive(Debug, Clone)]
pub enum ContentHasher {
    /// By SHA-256.
    Sha256(Sha256),
    /// By SHA-512.
    Sha512(Box<Sha512>),
}

impl ContentHasher {
    /// Takes the next bytes in.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hasher) => hasher.update(bytes),
            Self::Sha512(hasher) => hasher.update(bytes),
        }
    }

    /// The digest of everything that was taken in.
    pub fn finish(self) -> ContentDigest {
        match self {
            Self::Sha256(hasher) => ContentDigest::Sha256(Digest::from_bytes(hasher.finalize().into())),
            Self::Sha512(hasher) => ContentDigest::Sha512(Box::new(hasher.finalize().into())),
        }
    }
}

impl From<Digest> for ContentDigest {
    fn from(digest: Digest) -> Self {
        Self::Sha256(digest)
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.algorithm(), self.hex())
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for ContentDigest {
    type Err = ContentDigestError;

    fn from_str(text: &str) -> Result<Self, ContentDigestError> {
        let refused = || ContentDigestError { text: text.chars().take(160).collect() };
        let Some(hex) = text.strip_prefix("sha512:") else {
            return text.parse().map(Self::Sha256).map_err(|_| refused());
        };
        if hex.len() != 128 || hex.bytes().any(|byte| !matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(refused());
        }
        let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
        let mut bytes = Box::new([0; 64]);
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair.iter().fold(0, |sum, half| sum << 4 | u8::try_from(*half).unwrap_or(0));
        }
        Ok(Self::Sha512(bytes))
    }
}

impl Serialize for ContentDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SHA-512 of nothing, as FIPS 180-4 test vectors give it.
    const EMPTY_512: &str = "sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e";

    #[test]
    fn both_algorithms_are_read_computed_and_written() {
        let digest: ContentDigest = EMPTY_512.parse().unwrap();
        assert_eq!(digest.to_string(), EMPTY_512);
        assert_eq!(digest.hasher().finish(), digest);
        let shorter: ContentDigest = Digest::of(b"a").to_string().parse().unwrap();
        let mut hasher = shorter.hasher();
        hasher.update(b"a");
        assert_eq!(hasher.finish(), shorter);
    }

    #[test]
    fn what_could_leave_a_directory_is_refused() {
        for text in
            ["", "sha512:", "md5:00", "sha512:../..", &EMPTY_512.to_uppercase(), EMPTY_512.trim_end_matches('e')]
        {
            assert!(text.parse::<ContentDigest>().is_err(), "{text}");
        }
    }
}
