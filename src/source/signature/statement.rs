//! What the body of a release signature states.
//!
//! Rule: `containers/image`, docs/containers-signature.5.md and `signature/simple.go`: `critical` has exactly the fields
//! that are known, since an unknown one could turn the meaning round; `optional` counts for nothing.

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::finding::ContentDigest;

const KIND: &str = "atomic container signature";

/// A digest, and the name it was signed under.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) digest: ContentDigest,
    pub(super) reference: String,
}

impl Statement {
    /// Reads a body whose signature was checked, or says what is wrong with it.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        if body.trim_ascii_start().first() != Some(&b'{') {
            return Err("its body is no JSON object".to_owned());
        }
        let text: Text = serde_json::from_slice(body).map_err(|error| format!("its body is no statement: {error}"))?;
        let Critical { kind, image, identity } = text.critical;
        if kind != KIND {
            let kind: String = kind.chars().take(160).collect();
            return Err(format!("its body is of the type {kind:?}, and a signature of an image is of {KIND:?}"));
        }
        let digest = image.digest.parse().map_err(|error| format!("its body states no digest: {error}"))?;
        Ok(Self { digest, reference: identity.reference })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    critical: Critical,
    #[serde(default, rename = "optional")]
    _optional: IgnoredAny,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Critical {
    #[serde(rename = "type")]
    kind: String,
    image: Image,
    identity: Identity,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Image {
    #[serde(rename = "docker-manifest-digest")]
    digest: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    #[serde(rename = "docker-reference")]
    reference: String,
}
