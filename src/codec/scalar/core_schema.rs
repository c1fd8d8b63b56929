//! The core schema of YAML 1.2.2, section 10.3.2, only to tell where YAML 1.1 reads otherwise.
//!
//! Cost: one pass over the text.

use super::{Scalar, number, special_float};

/// A value as far as the two versions can be compared: numbers by value, text by itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    Null,
    Bool(bool),
    Number(f64),
    Text,
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) | (Self::Text, Self::Text) => true,
            (Self::Bool(one), Self::Bool(two)) => one == two,
            (Self::Number(one), Self::Number(two)) => one == two || (one.is_nan() && two.is_nan()),
            _ => false,
        }
    }
}

impl Reading {
    /// What YAML 1.2 makes of a plain scalar.
    pub(super) fn of(text: &str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Bool(true),
            "false" | "False" | "FALSE" => Self::Bool(false),
            _ => number_of(text).map_or(Self::Text, Self::Number),
        }
    }

    /// What YAML 1.1 made of it.
    pub(super) fn of_scalar(scalar: &Scalar<'_>) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(value) => Self::Bool(*value),
            Scalar::Integer(digits) => digits.parse().map_or(Self::Text, Self::Number),
            Scalar::Float(value) => Self::Number(*value),
            Scalar::Text(_) => Self::Text,
        }
    }
}

fn number_of(text: &str) -> Option<f64> {
    if let Some(digits) = text.strip_prefix("0o") {
        return in_radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return in_radix(digits, 16);
    }
    if number::is_decimal_float(text) {
        return text.parse().ok();
    }
    special_float(text)
}

fn in_radix(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    if let Ok(exact) = u64::from_str_radix(digits, radix)
        && !digits.starts_with('+')
    {
        #[expect(clippy::cast_precision_loss, reason = "compared with another float64 of the same number")]
        return Some(exact as f64);
    }
    digits.chars().try_fold(0.0, |value, digit| Some(value * f64::from(radix) + f64::from(digit.to_digit(radix)?)))
}
