//! The configuration of an image: for which machine, how it is labelled, what it runs.
//!
//! Rule: OCI image specification, config.md; docker's has the same fields. The bytes are checked against digest and size
//! before anything of them is believed. Cost: one blob of at most 16 MiB.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::finding::ContentDigest;
use crate::source::store::{MANIFEST_BYTES, Store, StoreError, StoreErrorKind, Verified};

use super::json::{List, object};
use super::{Descriptor, MANIFEST_LAYERS, Platform};

/// The most words of a command.
const COMMAND_WORDS: usize = 10_000;

/// What a configuration says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// The machine; `None` where nothing is said, as in artifacts.
    pub platform: Option<Platform>,
    /// When it was made, as it is written.
    pub created: Option<String>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// What it always runs.
    pub entrypoint: Vec<String>,
    /// What it runs, or the arguments of the entry point.
    pub command: Vec<String>,
    /// Digests of its layers, uncompressed, the lowest first.
    pub diff_ids: Vec<ContentDigest>,
}

/// Reads the configuration that a manifest names.
///
/// # Errors
/// Those of the store; [`StoreErrorKind::Bad`] where its bytes are not those of its digest and size, or not well formed;
/// [`StoreErrorKind::Limit`] where it is too large.
pub fn read_configuration(
    store: &dyn Store,
    repository: Option<&str>,
    descriptor: &Descriptor,
) -> Result<Configuration, StoreError> {
    let Descriptor { digest, bytes: stated, .. } = descriptor;
    let named = |kind, reason: String| StoreError::new(kind, format!("the configuration {digest}: {reason}"));
    if *stated > MANIFEST_BYTES {
        return Err(named(StoreErrorKind::Limit, format!("it has {stated} bytes, more than {MANIFEST_BYTES}")));
    }
    let blob = store.blob(repository, digest)?;
    let mut bytes = Vec::new();
    Verified::new(blob.content, digest.clone(), Some(*stated)).read_to_end(&mut bytes).map_err(|error| {
        let kind = match error.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => StoreErrorKind::Bad,
            _ => StoreErrorKind::Unreadable,
        };
        named(kind, error.to_string())
    })?;
    parse(&bytes).map_err(|reason| named(StoreErrorKind::Bad, reason))
}

/// Reads the text of a configuration, or says what is wrong with it.
fn parse(bytes: &[u8]) -> Result<Configuration, String> {
    let text: ConfigurationText<'_> = object(bytes)?;
    let run = text.config.unwrap_or_default();
    let said = |text: Option<String>| text.filter(|text| !text.is_empty());
    let platform = said(text.os).zip(said(text.architecture));
    Ok(Configuration {
        platform: platform
            .map(|(os, architecture)| Platform { variant: said(text.variant), ..Platform::new(os, architecture) }),
        created: said(text.created),
        labels: run.labels.unwrap_or_default(),
        entrypoint: texts(run.entrypoint.members(COMMAND_WORDS, "words in its entry point")?)?,
        command: texts(run.cmd.members(COMMAND_WORDS, "words in its command")?)?,
        diff_ids: texts(text.rootfs.unwrap_or_default().diff_ids.members(MANIFEST_LAYERS, "layers")?)?,
    })
}

/// Members of a list that are all of one kind.
fn texts<T: serde::de::DeserializeOwned>(members: Vec<&RawValue>) -> Result<Vec<T>, String> {
    members.iter().map(|member| serde_json::from_str(member.get()).map_err(|error| error.to_string())).collect()
}

#[derive(Deserialize)]
struct ConfigurationText<'a> {
    #[serde(default)]
    os: Option<String>,
    #[serde(default)]
    architecture: Option<String>,
    #[serde(default)]
    variant: Option<String>,
    #[serde(default)]
    created: Option<String>,
    #[serde(default, borrow)]
    config: Option<RunText<'a>>,
    #[serde(default, borrow)]
    rootfs: Option<RootText<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RunText<'a> {
    #[serde(default)]
    labels: Option<BTreeMap<String, String>>,
    #[serde(default, borrow)]
    entrypoint: List<'a>,
    #[serde(default, borrow)]
    cmd: List<'a>,
}

#[derive(Default, Deserialize)]
struct RootText<'a> {
    #[serde(default, borrow)]
    diff_ids: List<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::image::memory::MemoryStore;

    fn read(text: &str, stated: Option<u64>) -> Result<Configuration, StoreError> {
        let mut store = MemoryStore::default();
        let digest = store.add(text);
        let bytes = stated.unwrap_or(u64::try_from(text.len()).unwrap());
        read_configuration(&store, None, &descriptor(digest, bytes))
    }

    fn descriptor(digest: ContentDigest, bytes: u64) -> Descriptor {
        Descriptor {
            media_type: String::new(),
            digest,
            bytes,
            platform: None,
            annotations: BTreeMap::new(),
            artifact_type: None,
        }
    }

    #[test]
    fn what_it_says_is_read() {
        let layer = ContentDigest::of(b"layer");
        let text = format!(
            r#"{{"architecture": "arm64", "os": "linux", "variant": "v8", "created": "2026-01-02T03:04:05Z",
                "config": {{"Labels": {{"a": "b"}}, "Entrypoint": ["/bin/opm"], "Cmd": ["serve", "/configs"], "Env": ["A=B"]}},
                "rootfs": {{"type": "layers", "diff_ids": ["{layer}"]}}, "history": null}}"#
        );
        let configuration = read(&text, None).unwrap();
        assert_eq!(configuration.platform, Some("linux/arm64/v8".parse().unwrap()));
        assert_eq!(configuration.created.as_deref(), Some("2026-01-02T03:04:05Z"));
        assert_eq!(configuration.labels["a"], "b");
        assert_eq!(configuration.entrypoint, ["/bin/opm"]);
        assert_eq!(configuration.command, ["serve", "/configs"]);
        assert_eq!(configuration.diff_ids, [layer]);
    }

    #[test]
    fn nothing_need_be_said() {
        let nulls = r#"{"os": "", "config": {"Labels": null, "Cmd": null}, "rootfs": {"diff_ids": null}}"#;
        for text in ["{}", nulls, r#"{"config": null, "rootfs": null}"#] {
            assert_eq!(read(text, None).unwrap(), Configuration::default(), "{text}");
        }
    }

    #[test]
    fn what_is_not_well_formed_is_refused() {
        for text in ["", "{", "[]", r#"{"config": {"Labels": [1]}}"#, r#"{"rootfs": {"diff_ids": ["sha256:../.."]}}"#] {
            assert_eq!(read(text, None).unwrap_err().kind, StoreErrorKind::Bad, "{text}");
        }
    }

    #[test]
    fn attack_a_size_that_lies() {
        assert_eq!(read("{}", Some(1)).unwrap_err().kind, StoreErrorKind::Bad);
        assert_eq!(read("{}", Some(3)).unwrap_err().kind, StoreErrorKind::Bad);
        assert_eq!(read("{}", Some(MANIFEST_BYTES + 1)).unwrap_err().kind, StoreErrorKind::Limit);
    }

    #[test]
    fn attack_a_digest_that_lies() {
        let mut store = MemoryStore::default();
        let digest = ContentDigest::of(b"{}");
        store.lie(digest.clone(), "[]");
        let error = read_configuration(&store, None, &descriptor(digest, 2)).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad);
    }

    #[test]
    fn attack_too_many_layers() {
        let list = vec![format!("\"{}\"", ContentDigest::of(b"")); MANIFEST_LAYERS + 1].join(",");
        let text = format!(r#"{{"rootfs": {{"diff_ids": [{list}]}}}}"#);
        assert!(read(&text, None).unwrap_err().what.contains("more than 1000 layers"));
    }
}
