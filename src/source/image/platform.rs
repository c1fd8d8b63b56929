//! The machine that an image is made for.
//!
//! Rule: OCI image index, `platform`, with the names that Go gives systems and processors; the text form is the
//! `os/architecture[/variant]` of every registry tool. Cost: none worth naming.

use std::fmt;
use std::str::FromStr;

/// Operating system and processor.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform {
    /// As Go names it: `linux`.
    pub os: String,
    /// As Go names it: `amd64`, `arm64`, `ppc64le`, `s390x`.
    pub architecture: String,
    /// `v8` and the like, where it is stated.
    pub variant: Option<String>,
}

/// A text that names no platform.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no platform: it wants os/architecture, as in linux/amd64")]
pub struct PlatformError {
    /// The text that was refused, cut to 160 characters.
    pub text: String,
}

impl Platform {
    /// A platform without a variant.
    pub fn new(os: impl Into<String>, architecture: impl Into<String>) -> Self {
        Self { os: os.into(), architecture: architecture.into(), variant: None }
    }

    /// Whether an image for `offered` is what is wanted here: a variant counts only where one is wanted.
    pub fn accepts(&self, offered: &Self) -> bool {
        self.os == offered.os
            && self.architecture == offered.architecture
            && (self.variant.is_none() || self.variant == offered.variant)
    }

    /// Whether it is the platform `unknown/unknown`, under which attestations lie in an index.
    pub fn is_unknown(&self) -> bool {
        self.os == "unknown" && self.architecture == "unknown"
    }
}

impl Default for Platform {
    /// `linux/amd64`, whatever machine this program runs on.
    fn default() -> Self {
        Self::new("linux", "amd64")
    }
}

impl fmt::Display for Platform {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.os, self.architecture)?;
        self.variant.iter().try_for_each(|variant| write!(formatter, "/{variant}"))
    }
}

impl FromStr for Platform {
    type Err = PlatformError;

    fn from_str(text: &str) -> Result<Self, PlatformError> {
        let plain = |part: &&str| {
            !part.is_empty() && part.chars().all(|each| each.is_ascii_alphanumeric() || matches!(each, '.' | '_' | '-'))
        };
        let parts: Vec<&str> = text.split('/').filter(plain).collect();
        match (parts.as_slice(), text.split('/').count()) {
            ([os, architecture], 2) => Ok(Self::new(*os, *architecture)),
            ([os, architecture, variant], 3) => {
                Ok(Self { variant: Some((*variant).to_owned()), ..Self::new(*os, *architecture) })
            }
            _ => Err(PlatformError { text: text.chars().take(160).collect() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_platform_are_the_same() {
        for text in ["linux/amd64", "linux/arm64/v8", "windows/amd64"] {
            assert_eq!(text.parse::<Platform>().unwrap().to_string(), text);
        }
        assert_eq!(Platform::default().to_string(), "linux/amd64");
        for text in ["", "linux", "linux/", "/amd64", "linux//amd64", "a/b/c/d", "linux/amd 64", "linux/amd64/"] {
            assert!(text.parse::<Platform>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_variant_counts_where_it_is_wanted() {
        let plain: Platform = "linux/arm64".parse().unwrap();
        let eighth: Platform = "linux/arm64/v8".parse().unwrap();
        assert!(plain.accepts(&eighth) && eighth.accepts(&eighth) && !eighth.accepts(&plain));
        assert!(!plain.accepts(&Platform::default()));
    }
}
