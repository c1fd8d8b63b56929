//! Ways into objects of JSON. Cost: one look-up for each name.

use serde_json::{Map, Value as Json};

/// What lies below these names, one inside the other.
pub(super) fn at<'v>(value: &'v Json, names: &[&str]) -> Option<&'v Json> {
    names.iter().try_fold(value, |value, name| value.get(*name))
}

/// The text that lies below these names.
pub(super) fn text_at<'v>(value: &'v Json, names: &[&str]) -> Option<&'v str> {
    at(value, names)?.as_str()
}

/// The object in a field, to be changed.
pub(super) fn object_mut<'v>(object: &'v mut Map<String, Json>, name: &str) -> Option<&'v mut Map<String, Json>> {
    object.get_mut(name)?.as_object_mut()
}
