//! Reads the text of catalogs, manifests and release metadata: JSON and YAML, exactly as the Go programs of OLM read them.
//!
//! [`split`] cuts a file into documents, [`decode`] turns one document into a [`Value`], [`manifest_objects`] lists the objects
//! of a manifest, [`to_yaml`] writes YAML. The rules are those of three Go packages: `k8s.io/apimachinery/pkg/util/yaml` (decoder.go, the stream of documents),
//! `sigs.k8s.io/yaml` (yaml.go, YAML to JSON) and `go.yaml.in/yaml/v2` (resolve.go and decode.go, scalars of YAML 1.1, merge
//! keys, duplicate keys). What they read silently, but another reader would read otherwise, comes back as a [`Note`].
//!
//! Deliberate departures towards refusal: a second document inside one slice is a fault where Go drops it; text that is
//! not UTF-8 is a fault in JSON, too; and the [`Limits`] are ours. Two more come from the parser and the tags: U+0085, U+2028
//! and U+2029 are characters, not the line breaks that YAML 1.1 has in them, and text under `!!timestamp` need not be a time.
//!
//! Cost: splitting runs at the speed of a byte search, a JSON document at the speed of skipping over it (its values are
//! opened when asked for), a YAML document near the event speed of granit-parser.

pub(crate) mod fields;
mod json;
mod limits;
mod object;
mod path;
mod scalar;
mod split;
mod text;
mod value;
mod write;
mod yaml;

pub use limits::Limits;
pub use object::{ManifestFault, ManifestFile, ManifestObject, ObjectFacts, manifest_objects};
pub use split::{Document, Split, Splitter, certain_format, split};
pub use value::{Entry, Kind, Value};
pub use write::to_yaml;

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON value.
    Json,
    /// One YAML document.
    Yaml,
}

/// A document as read, with what deserves a warning.
#[derive(Clone, Debug)]
pub struct Decoded<'a> {
    /// The document's value. An empty document is [`Value::Null`].
    pub value: Value<'a>,
    /// What another reader would read otherwise, in the order of the text; at most [`Limits::notes`].
    pub notes: Vec<Note>,
}

/// Why a note was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum NoteKind {
    /// The key stands twice in one mapping; the last one wins, as `yaml.Unmarshal` of `go.yaml.in/yaml/v2` has it.
    DuplicateKey,
    /// A plain scalar that YAML 1.1, as Go reads it, and the core schema of YAML 1.2 take for different values.
    Yaml11Scalar,
}

/// Something legal that is worth a warning.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Note {
    /// What was noted.
    pub kind: NoteKind,
    /// Where, as in `entries[2].name`; keys that are no plain words are quoted, as in `annotations["a/b"]`.
    pub key_path: String,
    /// The key or the scalar as written, at most 100 characters.
    pub text: String,
    /// Line in the document, from 1.
    pub line: u32,
}

/// Why a document, or the rest of a file, cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Fault {
    /// Line in the text that was handed in, from 1.
    pub line: u32,
    /// What is wrong, in one line.
    pub message: String,
}

impl Fault {
    fn new(line: u32, message: impl Into<String>) -> Self {
        Self { line, message: message.into() }
    }
}

/// Reads one document.
///
/// Values borrow from `document` wherever it holds them unescaped.
///
/// # Errors
/// A [`Fault`] names the line for text that is not UTF-8, holds control characters, is not well formed, holds more than one
/// document, or goes over the `limits`, and for what Go cannot turn into JSON: an infinite number, a null or list as a key.
///
/// # Examples
/// ```
/// use skipstone::codec::{Format, Limits, NoteKind, decode};
///
/// let document = b"schema: olm.package\ndefaultChannel: on\n";
/// let decoded = decode(document, Format::Yaml, &Limits::default())?;
/// assert_eq!(decoded.value.to_json(), serde_json::json!({"schema": "olm.package", "defaultChannel": true}));
/// assert_eq!(decoded.notes[0].kind, NoteKind::Yaml11Scalar);
/// assert_eq!(decoded.notes[0].line, 2);
/// # Ok::<(), skipstone::codec::Fault>(())
/// ```
pub fn decode<'a>(document: &'a [u8], format: Format, limits: &Limits) -> Result<Decoded<'a>, Fault> {
    if document.len() > limits.bytes_per_document {
        let message = format!("the document has {} bytes, more than {}", document.len(), limits.bytes_per_document);
        return Err(Fault::new(1, message));
    }
    let text = text::utf8(document)?;
    match format {
        Format::Json => json::decode(text, limits),
        Format::Yaml => {
            text::refuse_control_characters(text)?;
            yaml::decode(text, limits)
        }
    }
}

#[cfg(test)]
mod tests;
