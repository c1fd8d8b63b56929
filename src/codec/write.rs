//! The door through which YAML is written. Reading documents never goes through it.
//!
//! What is written must read the same in Go, which takes YAML 1.1 for granted, while the emitter of `yaml_serde` (a port of
//! libyaml) quotes for YAML 1.2: it leaves `yes`, `y`, `1_000` or a key `<<` plain. Such text gets its quotes here, and the
//! whole is read back and compared.
//!
//! Cost: one copy of the value, one pass of the emitter, and one of [`decode`].

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::Error as _;
use serde_json::Value as Json;
use serde_yaml::Value as Yaml;

use super::scalar::{self, Scalar};
use super::{Format, Limits, decode};

/// Stand for the quotes while the emitter works: characters for private use, which it leaves plain.
const OPENING_QUOTE: char = '\u{E000}';
const CLOSING_QUOTE: char = '\u{E001}';

/// The value as one YAML document, without a leading `---`, ending in a line break.
///
/// Text that would read as something else is quoted; keys keep the order of the value.
///
/// # Errors
/// When the value cannot be expressed as JSON or YAML, or when what was written does not read as the value again: text with
/// a line or paragraph separator (U+2028, U+2029) or with U+E000 or U+E001 in it.
///
/// # Examples
/// ```
/// let value = serde_json::json!({"kind": "Subscription", "approved": true, "channel": "1.10", "manual": "yes"});
/// let text = skipstone::codec::to_yaml(&value)?;
/// assert_eq!(text, "approved: true\nchannel: '1.10'\nkind: Subscription\nmanual: 'yes'\n");
/// # Ok::<(), serde_yaml::Error>(())
/// ```
pub fn to_yaml(value: &impl Serialize) -> Result<String, serde_yaml::Error> {
    let marked = mark_quotes(serde_yaml::to_value(value)?);
    let text = serde_yaml::to_string(&marked)?.replace([OPENING_QUOTE, CLOSING_QUOTE], "'");
    let intended = serde_json::to_value(value).map_err(serde_yaml::Error::custom)?;
    let decoded = decode(text.as_bytes(), Format::Yaml, &Limits::default()).map_err(serde_yaml::Error::custom)?;
    if !is_same(&decoded.value.to_json(), &intended) {
        return Err(serde_yaml::Error::custom("the text would be read as another value"));
    }
    Ok(text)
}

/// Puts marks for quotes around text that Go would not take for text.
fn mark_quotes(value: Yaml) -> Yaml {
    match value {
        Yaml::String(text) if !is_plain_text(&text) => Yaml::String(format!("{OPENING_QUOTE}{text}{CLOSING_QUOTE}")),
        Yaml::Sequence(items) => Yaml::Sequence(items.into_iter().map(mark_quotes).collect()),
        Yaml::Mapping(entries) => {
            let entries = entries.into_iter().map(|(key, value)| (mark_quotes(key), mark_quotes(value)));
            Yaml::Mapping(entries.collect())
        }
        other => other,
    }
}

fn is_plain_text(text: &str) -> bool {
    text != "<<" && matches!(scalar::plain(Cow::Borrowed(text)), Scalar::Text(_))
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
    fn text_that_go_would_misread_is_quoted() {
        let value = json!({"y": ["n", "yes", "off", "0755", "1_0", "", 1.0], "<<": "on", "a": "1:30"});
        let expected = "'<<': 'on'\na: 1:30\n'y':\n- 'n'\n- 'yes'\n- 'off'\n- '0755'\n- '1_0'\n- ''\n- 1.0\n";
        assert_eq!(to_yaml(&value).unwrap(), expected);
    }

    #[test]
    fn text_with_the_marks_in_it_is_refused() {
        assert!(to_yaml(&json!(["\u{E000}"])).is_err());
    }

    #[test]
    fn the_order_of_fields_stays() {
        #[derive(Serialize)]
        struct Pair {
            second: u8,
            first: u8,
        }
        assert_eq!(to_yaml(&Pair { second: 2, first: 1 }).unwrap(), "second: 2\nfirst: 1\n");
    }
}
