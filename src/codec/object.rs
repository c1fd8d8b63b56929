//! Lists the Kubernetes objects of a manifest file.
//!
//! Rule: `k8s.io/cli-runtime/pkg/resource` (builder.go, `Flatten`), as operator-controller reads bundles: every document is
//! an object with `apiVersion` and `kind`, an empty document is passed over, and an object with a list `items` stands for
//! its items. An item of a `FooList` that does not name its kind is a `Foo` (apimachinery, `UnstructuredList`).
//! Cost: one [`decode`] for each document, and one look at its identity; values stay as they were read.

use serde::{Deserialize, Serialize};

use super::fields::{FieldFault, Fields, mismatch};
use super::{Document, Limits, Value, decode, split};

/// The most objects that one file may hold, lists opened.
const MOST_OBJECTS: usize = 20_000;
/// The most faults of one file that are told; the last one counts the rest.
const MOST_FAULTS: usize = 100;

/// What tells an object from others, and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ObjectFacts {
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.name`, empty where it is not stated.
    pub name: String,
    /// `metadata.namespace`, empty where it is not stated.
    pub namespace: String,
    /// The file that holds it.
    pub path: String,
    /// Number of the document in the file, from 1.
    pub document: u32,
    /// Line of the file that the document starts in, from 1.
    pub line: u32,
}

/// An object as it was read.
#[derive(Debug, Clone)]
pub struct ManifestObject<'a> {
    /// What it is, and where.
    pub facts: ObjectFacts,
    /// All of it.
    pub value: Value<'a>,
}

/// Why a document, or the rest of a file, holds no object.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ManifestFault {
    /// The file.
    pub path: String,
    /// Number of the document in the file, from 1.
    pub document: u32,
    /// Line in the file, from 1.
    pub line: u32,
    /// What is wrong.
    pub reason: String,
}

/// What a manifest file holds.
#[derive(Debug, Clone, Default)]
pub struct ManifestFile<'a> {
    /// The objects in the order of the file.
    pub objects: Vec<ManifestObject<'a>>,
    /// What holds no object, in the order of the file.
    pub faults: Vec<ManifestFault>,
    /// Number of documents that are not empty.
    pub documents: usize,
}

/// The objects of a file. Text that is no object is a fault beside the others, never an end of the reading.
///
/// ```
/// use skipstone::codec::{Limits, manifest_objects};
///
/// let text = b"{apiVersion: v1, kind: ServiceAccount, metadata: {name: tern}}\n---\nkind: Service\n";
/// let file = manifest_objects("manifests/tern.yaml", text, &Limits::of_manifests());
/// assert_eq!(file.objects[0].facts.name, "tern");
/// assert_eq!((file.faults[0].document, file.faults[0].line), (2, 3));
/// ```
#[must_use]
pub fn manifest_objects<'a>(path: &str, file: &'a [u8], limits: &Limits) -> ManifestFile<'a> {
    let cut = split(file, limits);
    let mut reading = Reading { path, file: ManifestFile::default(), untold: 0, is_full: false };
    for (document, number) in cut.documents.iter().zip(1..) {
        reading.document(document, number, limits);
    }
    if let Some(fault) = cut.fault {
        let number = u32::try_from(cut.documents.len()).unwrap_or(u32::MAX).saturating_add(1);
        reading.fault(number, fault.line, fault.message);
    }
    reading.finish()
}

/// A file while it is read.
struct Reading<'p, 'a> {
    path: &'p str,
    file: ManifestFile<'a>,
    /// Faults beyond those that are told.
    untold: usize,
    /// Whether objects were left out.
    is_full: bool,
}

impl<'a> Reading<'_, 'a> {
    fn document(&mut self, document: &Document<'a>, number: u32, limits: &Limits) {
        match decode(document.bytes, document.format, limits) {
            Ok(decoded) if decoded.value.is_null() => {}
            Ok(decoded) => {
                self.file.documents += 1;
                let facts = ObjectFacts { document: number, line: document.line, ..ObjectFacts::default() };
                self.object(decoded.value, &facts);
            }
            Err(fault) => {
                self.file.documents += 1;
                let line = document.line.saturating_add(fault.line).saturating_sub(1);
                self.fault(number, line, fault.message);
            }
        }
    }

    /// Adds an object, or the items of a list; `around` knows the place, and the kind where a list states it.
    fn object(&mut self, value: Value<'a>, around: &ObjectFacts) {
        match identity(&value, around) {
            Ok((facts, None)) => self.push(ManifestObject { facts, value }),
            Ok((list, Some(items))) => {
                let kind = list.kind.strip_suffix("List").unwrap_or_default().to_owned();
                let around = ObjectFacts { kind, name: String::new(), namespace: String::new(), ..list };
                for item in items {
                    if self.is_full {
                        break;
                    }
                    self.object(item, &around);
                }
            }
            Err(reason) => self.fault(around.document, around.line, reason),
        }
    }

    fn push(&mut self, mut object: ManifestObject<'a>) {
        if self.file.objects.len() < MOST_OBJECTS {
            object.facts.path = self.path.to_owned();
            self.file.objects.push(object);
        } else if !self.is_full {
            self.is_full = true;
            let reason = format!("the file holds more than {MOST_OBJECTS} objects");
            self.fault(object.facts.document, object.facts.line, reason);
        }
    }

    fn fault(&mut self, document: u32, line: u32, reason: String) {
        if self.file.faults.len() < MOST_FAULTS {
            self.file.faults.push(ManifestFault { path: self.path.to_owned(), document, line, reason });
        } else {
            self.untold += 1;
        }
    }

    fn finish(mut self) -> ManifestFile<'a> {
        if let (Some(last), 1..) = (self.file.faults.last_mut(), self.untold) {
            last.reason = format!("{}; {} more of this file are faulty", last.reason, self.untold);
        }
        self.file
    }
}

/// What an object says of itself, and the items where it is a list.
fn identity<'a>(value: &Value<'a>, around: &ObjectFacts) -> Result<(ObjectFacts, Option<Vec<Value<'a>>>), FieldFault> {
    if value.object().is_none() {
        return Err(mismatch("", "an object", value));
    }
    let fields = Fields::of(value, "")?;
    let metadata = fields.object("metadata")?;
    let stated = |text: String, inherited: &str| if text.is_empty() { inherited.to_owned() } else { text };
    let facts = ObjectFacts {
        api_version: stated(fields.text("apiVersion")?, &around.api_version),
        kind: stated(fields.text("kind")?, &around.kind),
        name: metadata.text("name")?,
        namespace: metadata.text("namespace")?,
        path: String::new(),
        ..around.clone()
    };
    if facts.kind.is_empty() || facts.api_version.is_empty() {
        let missing = if facts.kind.is_empty() { "kind" } else { "apiVersion" };
        return Err(format!("the object has no {missing}"));
    }
    let items = fields.value("items").and_then(|items| items.list().map(|items| items.into_owned()));
    Ok((facts, items))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ManifestFile<'_> {
        manifest_objects("f.yaml", text.as_bytes(), &Limits::of_manifests())
    }

    fn named(file: &ManifestFile<'_>) -> Vec<(String, String, u32, u32)> {
        let facts = file.objects.iter().map(|object| &object.facts);
        facts.map(|facts| (facts.kind.clone(), facts.name.clone(), facts.document, facts.line)).collect()
    }

    #[test]
    fn documents_count_from_one_and_empty_ones_hold_nothing() {
        let file = read(
            "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\n# nothing\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\n",
        );
        assert_eq!(named(&file), [("Service".into(), "a".into(), 1, 1), ("Secret".into(), "b".into(), 3, 7)]);
        assert_eq!((file.documents, file.faults.len()), (2, 0));
    }

    #[test]
    fn a_list_stands_for_its_items() {
        let file = read(
            "apiVersion: v1\nkind: SecretList\nitems: [{metadata: {name: a}}, {kind: Pod, metadata: {name: b}}]\n",
        );
        assert_eq!(named(&file), [("Secret".into(), "a".into(), 1, 1), ("Pod".into(), "b".into(), 1, 1)]);
        assert_eq!(file.objects[0].facts.api_version, "v1");
    }

    #[test]
    fn what_is_no_object_is_a_fault_beside_the_others() {
        let file = read("just text\n---\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n---\na: [\n");
        assert_eq!(named(&file), [("Pod".into(), String::new(), 3, 5)]);
        let faults: Vec<(u32, u32)> = file.faults.iter().map(|fault| (fault.document, fault.line)).collect();
        assert_eq!(faults.iter().map(|(document, _)| *document).collect::<Vec<_>>(), [1, 2, 4]);
        assert!(file.faults[1].reason.contains("apiVersion"), "{}", file.faults[1].reason);
    }

    #[test]
    fn a_flood_of_faults_is_counted_and_not_told() {
        let text = "x\n---\n".repeat(250);
        let file = read(&text);
        assert_eq!(file.faults.len(), MOST_FAULTS);
        assert!(file.faults[MOST_FAULTS - 1].reason.ends_with("150 more of this file are faulty"));
    }

    #[test]
    fn a_flood_of_items_ends_at_the_limit() {
        let items = vec![r#"{"apiVersion":"v1","kind":"Pod"}"#; MOST_OBJECTS + 5].join(",");
        let text = format!(r#"{{"apiVersion":"v1","kind":"List","items":[{items}]}}"#);
        let file = read(&text);
        assert_eq!((file.objects.len(), file.faults.len()), (MOST_OBJECTS, 1));
    }

    #[test]
    fn lists_in_lists_end_with_the_depth_of_a_document() {
        let text = r#"{"apiVersion":"v1","kind":"List","items":["#.repeat(300) + &"]}".repeat(300);
        let file = read(&text);
        assert_eq!((file.objects.len(), file.faults.len()), (0, 1));
    }
}
