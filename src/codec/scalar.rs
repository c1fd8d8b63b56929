//! What a scalar means: the implicit types of YAML 1.1 as Go reads them.
//!
//! Rules: `go.yaml.in/yaml/v2`, resolve.go (which text is a truth value, number or null; what a tag makes of it) and
//! `sigs.k8s.io/yaml`, yaml.go (the text of keys). Times stay text there, numbers with colons are text, and so is a number
//! whose `float64` would be infinite. Whole numbers beyond 64 bits are `float64` in decimal and text in another base.
//!
//! Cost: for most text one look at its first byte.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::Value;

mod core_schema;
mod number;

/// A scalar's meaning, before it becomes a JSON value or a JSON key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar<'a> {
    Null,
    Bool(bool),
    /// A whole number of 64 bits, in decimal.
    Integer(Cow<'a, str>),
    Float(f64),
    Text(Cow<'a, str>),
}

impl<'a> Scalar<'a> {
    /// The JSON value, or why there is none.
    pub(super) fn into_value(self) -> Result<Value<'a>, &'static str> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => Value::Bool(value),
            Self::Integer(digits) => Value::Number(digits),
            Self::Float(value) if value.is_finite() => Value::Number(Cow::Owned(number::json_float(value))),
            Self::Float(_) => return Err("JSON has no infinite number and no NaN"),
            Self::Text(text) => Value::Text(text),
        })
    }

    /// The text of the scalar as a JSON key, or why it cannot be one.
    pub(super) fn into_key(self) -> Result<Cow<'a, str>, &'static str> {
        Ok(match self {
            Self::Null => return Err("null cannot be a key"),
            Self::Bool(true) => Cow::Borrowed("true"),
            Self::Bool(false) => Cow::Borrowed("false"),
            Self::Integer(digits) if digits.parse::<i64>().is_err() => {
                return Err("a number beyond signed 64 bits cannot be a key");
            }
            Self::Integer(digits) => digits,
            Self::Float(value) => Cow::Owned(number::key_float(value)),
            Self::Text(text) => text,
        })
    }
}

/// What a plain scalar without a tag means.
pub(super) fn plain(text: Cow<'_, str>) -> Scalar<'_> {
    match text.as_bytes().first() {
        None => Scalar::Null,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~') => {
            word(&text).unwrap_or(Scalar::Text(text))
        }
        Some(b'.' | b'+' | b'-' | b'0'..=b'9') => {
            special_float(&text).map(Scalar::Float).or_else(|| number::numeric(&text)).unwrap_or(Scalar::Text(text))
        }
        Some(_) => Scalar::Text(text),
    }
}

/// Whether the core schema of YAML 1.2 takes the plain scalar for another value than `scalar`. `<<` does not count.
pub(super) fn differs_in_yaml_1_2(text: &str, scalar: &Scalar<'_>) -> bool {
    let may_differ = match scalar {
        Scalar::Text(_) => matches!(text.as_bytes().first(), Some(b'.' | b'+' | b'-' | b'0'..=b'9')),
        _ => true,
    };
    may_differ && core_schema::Reading::of(text) != core_schema::Reading::of_scalar(scalar)
}

/// What a scalar means under a tag of the YAML namespace, given by the name that follows `!!`, or why it does not fit.
pub(super) fn tagged<'a>(tag: &str, text: Cow<'a, str>) -> Result<Scalar<'a>, String> {
    let misfit = |text: &str| Err(format!("{:?} is no !!{tag}", super::path::excerpt(text)));
    match tag {
        "binary" => binary(&text).map(Scalar::Text).ok_or_else(|| "!!binary holds no base64".to_owned()),
        "null" | "bool" | "int" | "float" => match (tag, plain(text.clone())) {
            ("null", scalar @ Scalar::Null)
            | ("bool", scalar @ Scalar::Bool(_))
            | ("int", scalar @ Scalar::Integer(_))
            | ("float", scalar @ Scalar::Float(_)) => Ok(scalar),
            ("float", Scalar::Integer(digits)) => match digits.parse::<i64>() {
                #[expect(clippy::cast_precision_loss, reason = "Go converts in the same way")]
                Ok(whole) => Ok(Scalar::Float(whole as f64)),
                Err(_) => misfit(&text),
            },
            _ => misfit(&text),
        },
        _ => Ok(Scalar::Text(text)),
    }
}

fn word(text: &str) -> Option<Scalar<'static>> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Scalar::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        _ => None,
    }
}

fn special_float(text: &str) -> Option<f64> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Base64 as Go's `StdEncoding` reads it: padded, line breaks dropped, loose bits at the end ignored. Each byte that is not
/// UTF-8 becomes U+FFFD, as `encoding/json` writes it.
fn binary(text: &str) -> Option<Cow<'static, str>> {
    const LENIENT: GeneralPurpose =
        GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));
    let encoded: String = text.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
    let bytes = LENIENT.decode(encoded).ok()?;
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Some(Cow::Owned(decoded))
}

#[cfg(test)]
mod tests;
