//! Keeps secrets out of everything that is made of a bundle.
//!
//! Rule: ours. Of an object of the kind Secret nothing is kept but what tells it from others and its type: neither `data` nor
//! `stringData`, nor annotations, in which `kubectl apply` leaves a copy of both. Cost: one look at the kind.

use serde_json::{Map, Value};

const KEPT: &[&str] = &["apiVersion", "kind", "type", "immutable"];
const KEPT_OF_METADATA: &[&str] = &["name", "namespace", "labels"];

/// The object; of a Secret only what is not secret.
pub(super) fn without_secrets(object: Value, kind: &str) -> Value {
    match object {
        Value::Object(fields) if kind == "Secret" => {
            let metadata = fields
                .get("metadata")
                .and_then(Value::as_object)
                .map(|metadata| Value::Object(only(metadata, KEPT_OF_METADATA)));
            let mut kept = only(&fields, KEPT);
            kept.extend(metadata.map(|metadata| ("metadata".to_owned(), metadata)));
            Value::Object(kept)
        }
        other => other,
    }
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
