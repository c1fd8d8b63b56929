//! The JSON of indexes and manifests, before it means anything.
//!
//! Members of lists stay text at first, so that a bad one is told from its neighbours. Fields that nobody knows are skipped.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Descriptor, owned};
use crate::source::image::Platform;
use crate::source::image::json::{List, object};

/// An index or an image: whichever its keys say.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    #[serde(default, borrow)]
    schema_version: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(super) media_type: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    pub(super) artifact_type: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    pub(super) manifests: List<'a>,
    #[serde(default, borrow)]
    pub(super) config: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(super) layers: List<'a>,
    #[serde(default, borrow)]
    fs_layers: Option<&'a RawValue>,
    #[serde(default, borrow)]
    pub(super) subject: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) annotations: Option<BTreeMap<String, String>>,
}

impl Document<'_> {
    /// Docker's schema 1 says so, and keeps its layers under a key of its own.
    pub(super) fn is_schema_1(&self) -> bool {
        self.schema_version.is_some_and(|version| version.get() == "1") || self.fs_layers.is_some()
    }
}

/// A descriptor.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DescriptorText<'a> {
    #[serde(default, borrow)]
    media_type: Option<Cow<'a, str>>,
    #[serde(borrow)]
    digest: Cow<'a, str>,
    size: u64,
    #[serde(default)]
    platform: Option<PlatformText>,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
    #[serde(default, borrow)]
    artifact_type: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct PlatformText {
    #[serde(default)]
    os: Option<String>,
    #[serde(default)]
    architecture: Option<String>,
    #[serde(default)]
    variant: Option<String>,
}

impl DescriptorText<'_> {
    /// Reads one descriptor, or says what is wrong with it.
    pub(super) fn read(json: &str) -> Result<Descriptor, String> {
        let text: DescriptorText<'_> = object(json.as_bytes())?;
        let digest = text.digest.parse().map_err(|error: crate::finding::ContentDigestError| error.to_string())?;
        Ok(Descriptor {
            media_type: owned(text.media_type).unwrap_or_default(),
            digest,
            bytes: text.size,
            platform: text.platform.and_then(PlatformText::platform),
            annotations: text.annotations.unwrap_or_default(),
            artifact_type: owned(text.artifact_type),
        })
    }
}

impl PlatformText {
    /// A platform of which nothing is said is none: `docker manifest create` writes empty texts where it knows nothing.
    fn platform(self) -> Option<Platform> {
        let said = |text: Option<String>| text.filter(|text| !text.is_empty());
        let (os, architecture) = (said(self.os), said(self.architecture));
        if os.is_none() && architecture.is_none() {
            return None;
        }
        let variant = said(self.variant);
        Some(Platform { variant, ..Platform::new(os.unwrap_or_default(), architecture.unwrap_or_default()) })
    }
}
