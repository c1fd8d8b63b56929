//! Keeps secrets out of everything that is made of a bundle.
//!
//! Rule: ours. Of an object of the kind Secret nothing is kept but what tells it from others and its type: neither `data` nor
//! `stringData`, nor annotations, in which `kubectl apply` leaves a copy of both. Examples that a ClusterServiceVersion carries
//! as text may be Secrets, too, and are left out. Cost: one look at the kind.

use serde_json::{Map, Value};

const KEPT: &[&str] = &["apiVersion", "kind", "type", "immutable"];
const KEPT_OF_METADATA: &[&str] = &["name", "namespace", "labels"];

/// Annotations of a ClusterServiceVersion that hold whole objects as text: examples for forms of the console, Secrets among
/// them. Nothing of an upgrade depends on them.
const EXAMPLES: &[&str] = &["alm-examples", "operatorframework.io/initialization-resource"];

/// Whether an annotation of a ClusterServiceVersion holds examples of objects.
pub(super) fn holds_examples(annotation: &str) -> bool {
    EXAMPLES.contains(&annotation)
}

/// The object; of a Secret only what is not secret, of a ClusterServiceVersion everything but its examples.
pub(super) fn without_secrets(mut object: Value, kind: &str) -> Value {
    if let (Some(fields), "Secret") = (object.as_object(), kind) {
        let metadata =
            fields.get("metadata").and_then(Value::as_object).map(|metadata| only(metadata, KEPT_OF_METADATA));
        let mut kept = only(fields, KEPT);
        kept.extend(metadata.map(|metadata| ("metadata".to_owned(), Value::Object(metadata))));
        return Value::Object(kept);
    }
    if let Some(annotations) = object.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
        annotations.retain(|name, _| !holds_examples(name));
    }
    object
}

fn only(fields: &Map<String, Value>, names: &[&str]) -> Map<String, Value> {
    let kept = fields.iter().filter(|(name, _)| names.contains(&name.as_str()));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn examples_of_objects_are_left_out() {
        let csv = json!({"metadata": {"annotations": {"alm-examples": "[{\"kind\": \"Secret\"}]", "capabilities": "Deep Insights"}}});
        let expected = json!({"metadata": {"annotations": {"capabilities": "Deep Insights"}}});
        assert_eq!(without_secrets(csv, "ClusterServiceVersion"), expected);
    }

    #[test]
    fn of_a_secret_only_its_identity_stays() {
        let secret = json!({
            "apiVersion": "v1", "kind": "Secret", "type": "Opaque", "data": {"key": "aGlkZGVu"},
            "stringData": {"key": "hidden"}, "Data": {"key": "hidden"},
            "metadata": {"name": "nest", "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "hidden"}},
        });
        let expected = json!({"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": {"name": "nest"}});
        assert_eq!(without_secrets(secret, "Secret"), expected);
        let other = json!({"kind": "ConfigMap", "data": {"key": "shown"}});
        assert_eq!(without_secrets(other.clone(), "ConfigMap"), other);
    }
}
