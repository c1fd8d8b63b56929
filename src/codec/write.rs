//! The door through which YAML is written. Reading documents never goes through it.
//!
//! What is written must read the same in Go, which takes YAML 1.1 for granted, while the emitter of `yaml_serde` (a port of
//! libyaml) quotes for YAML 1.2: it leaves the texts `y` and `n` and the key `<<` plain. So each text is read back.
//!
//! Cost: one pass of the emitter, and one of [`decode`].

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value as Json;

use super::{Format, Limits, decode};

/// The value as one YAML document, without a leading `---`, ending in a line break.
///
/// Text that would read as something else is quoted; keys keep the order of the value.
///
/// # Errors
/// When the value cannot be expressed as JSON or YAML, or when Go would read the YAML as another value.
///
/// # Examples
/// ```
/// let value = serde_json::json!({"kind": "Subscription", "approved": true, "channel": "1.10"});
/// let text = skipstone::codec::to_yaml(&value)?;
/// assert_eq!(text, "approved: true\nchannel: '1.10'\nkind: Subscription\n");
/// # Ok::<(), serde_yaml::Error>(())
/// ```
pub fn to_yaml(value: &impl Serialize) -> Result<String, serde_yaml::Error> {
    let text = serde_yaml::to_string(value)?;
    let intended = serde_json::to_value(value).map_err(serde_yaml::Error::custom)?;
    let decoded = decode(text.as_bytes(), Format::Yaml, &Limits::default()).map_err(serde_yaml::Error::custom)?;
    if !is_same(&decoded.value.to_json(), &intended) {
        return Err(serde_yaml::Error::custom("the text would be read as another value"));
    }
    Ok(text)
}

/// Whether two values are equal, numbers by value: Go writes the `float64` 1.0 as `1`.
fn is_same(one: &Json, two: &Json) -> bool {
    match (one, two) {
        (Json::Number(one), Json::Number(two)) => one == two || one.as_f64() == two.as_f64(),
        (Json::Array(one), Json::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| is_same(one, two))
        }
        (Json::Object(one), Json::Object(two)) => {
            one.len() == two.len() && one.iter().all(|(key, value)| two.get(key).is_some_and(|two| is_same(value, two)))
        }
        _ => one == two,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn text_that_go_would_misread_is_not_written() {
        for value in [json!({"y": 1}), json!(["n"]), json!({"<<": {"a": 1}})] {
            assert!(to_yaml(&value).is_err(), "{value}");
        }
        assert_eq!(to_yaml(&json!(["yes", "off", "0755", 1.0])).unwrap(), "- 'yes'\n- 'off'\n- '0755'\n- 1.0\n");
    }
}
