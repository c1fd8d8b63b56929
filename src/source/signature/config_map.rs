//! Release signatures inside ConfigMaps, in which they reach a cluster.
//!
//! Rule: library-go (`pkg/verify/store/configmap`): `binaryData` has the messages in base64, under keys
//! `sha256-<digits>-<number>`. `oc adm release mirror` and oc-mirror v1 write one ConfigMap for each digest
//! (`signature-sha256-….json`), oc-mirror v2 one for all of them (`signature-configmap.json` and `.yaml`).
//! Cost: one pass over the file.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::codec::{Limits, decode, split};
use crate::finding::ContentDigest;

use super::SIGNATURE_BYTES;

/// The most signatures that are taken from one file.
const SIGNATURES: usize = 10_000;

/// The most bytes of a file of ConfigMaps.
const FILE_BYTES: usize = 16 << 20;

/// A signature as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSignature {
    /// The key that it is kept under.
    pub name: String,
    /// The digest that the key promises; the message may state another.
    pub digest: Option<ContentDigest>,
    /// The message, not checked.
    pub message: Vec<u8>,
}

/// The signatures of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigMapSignatures {
    /// Those that can be read: in the order of the documents, and by name in each.
    pub signatures: Vec<StoredSignature>,
    /// What cannot, as sentences.
    pub faults: Vec<String>,
}

/// Reads the signatures of all ConfigMaps in a JSON or YAML file. Other objects are passed over.
///
/// # Examples
/// ```
/// use skipstone::source::signature::signatures_in_config_maps;
///
/// let file = b"kind: ConfigMap\nbinaryData: {sha256-00-1: AAEC}\n";
/// let found = signatures_in_config_maps(file);
/// assert_eq!(found.signatures[0].message, [0, 1, 2]);
/// ```
pub fn signatures_in_config_maps(file: &[u8]) -> ConfigMapSignatures {
    let mut found = ConfigMapSignatures::default();
    if file.len() > FILE_BYTES {
        found.faults.push(format!("it has more than {FILE_BYTES} bytes"));
        return found;
    }
    let limits = Limits::default();
    let cut = split(file, &limits);
    for document in &cut.documents {
        match decode(document.bytes, document.format, &limits) {
            Ok(decoded) => found.take_object(&decoded.value.to_json()),
            Err(fault) => found.faults.push(fault.to_string()),
        }
    }
    found.faults.extend(cut.fault.map(|fault| fault.to_string()));
    found
}

impl ConfigMapSignatures {
    fn take_object(&mut self, object: &Value) {
        if object.get("kind").and_then(Value::as_str) != Some("ConfigMap") {
            return;
        }
        let Some(data) = object.get("binaryData").and_then(Value::as_object) else { return };
        let mut entries: Vec<(&String, &Value)> = data.iter().collect();
        entries.sort_by_key(|(name, _)| *name);
        for (name, value) in entries {
            if self.signatures.len() == SIGNATURES {
                self.faults.push(format!("it has more than {SIGNATURES} signatures"));
                return;
            }
            match message(value) {
                Ok(message) => {
                    let digest = digest_in_name(name);
                    self.signatures.push(StoredSignature { name: name.clone(), digest, message });
                }
                Err(reason) => self.faults.push(format!("{name}: {reason}")),
            }
        }
    }
}

fn message(value: &Value) -> Result<Vec<u8>, String> {
    let text = value.as_str().ok_or("it is no text")?;
    if text.len() / 4 > SIGNATURE_BYTES / 3 {
        return Err(format!("it has more than {SIGNATURE_BYTES} bytes"));
    }
    STANDARD.decode(text).map_err(|error| format!("it is no base64: {error}"))
}

/// The digest in the name of a signature: `sha256-<digits>-<number>`, or `<tag>-sha256-<digits>` as oc-mirror v2 names the
/// files of `working-dir/signatures`.
pub fn digest_in_name(name: &str) -> Option<ContentDigest> {
    let (_, rest) = name.rsplit_once("sha256-")?;
    let hex = rest.split_once('-').map_or(rest, |(hex, _)| hex);
    format!("sha256:{hex}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest() -> ContentDigest {
        ContentDigest::of(b"payload")
    }

    #[test]
    fn both_forms_are_read() {
        let hex = digest().hex();
        let json =
            format!(r#"{{"apiVersion": "v1", "kind": "ConfigMap", "binaryData": {{"sha256-{hex}-1": "AAEC"}}}}"#);
        let yaml = format!(
            "apiVersion: v1\nkind: ConfigMap\nbinaryData:\n  sha256-{hex}-2: AQ==\n  sha256-{hex}-1: AAEC\n---\nkind: Secret\nbinaryData: {{a: AAEC}}\n"
        );
        let entry = |number: u8, message: &[u8]| StoredSignature {
            name: format!("sha256-{hex}-{number}"),
            digest: Some(digest()),
            message: message.to_vec(),
        };
        let found = signatures_in_config_maps(json.as_bytes());
        assert_eq!((found.signatures, found.faults), (vec![entry(1, &[0, 1, 2])], vec![]));
        let found = signatures_in_config_maps(yaml.as_bytes());
        assert_eq!((found.signatures, found.faults), (vec![entry(1, &[0, 1, 2]), entry(2, &[1])], vec![]));
    }

    #[test]
    fn one_bad_entry_does_not_lose_the_others() {
        let found = signatures_in_config_maps(b"kind: ConfigMap\nbinaryData: {a: '?', b: AQ==, c: 7}\n");
        assert_eq!(found.signatures.iter().map(|signature| signature.name.as_str()).collect::<Vec<_>>(), ["b"]);
        assert_eq!(found.faults.len(), 2);
        assert_eq!(signatures_in_config_maps(b"[1").signatures, []);
        assert!(!signatures_in_config_maps(b"{").faults.is_empty());
    }

    #[test]
    fn attack_a_signature_without_end() {
        let text = STANDARD.encode(vec![0; SIGNATURE_BYTES + 3]);
        let file = format!(r#"{{"kind": "ConfigMap", "binaryData": {{"a": "{text}"}}}}"#);
        let found = signatures_in_config_maps(file.as_bytes());
        assert_eq!((found.signatures.len(), found.faults.len()), (0, 1));
    }

    #[test]
    fn names_promise_digests() {
        let hex = digest().hex();
        for name in [format!("sha256-{hex}-12"), format!("4.18.2-x86_64-sha256-{hex}"), format!("sha256-{hex}")] {
            assert_eq!(digest_in_name(&name), Some(digest()), "{name}");
        }
        for name in ["", "sha256-", "sha256-abc-1", &format!("sha512-{hex}-1")] {
            assert_eq!(digest_in_name(name), None, "{name}");
        }
    }
}
