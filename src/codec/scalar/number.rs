//! Numbers in plain scalars, and how Go writes them: `strconv.ParseInt` with base 0, `strconv.FormatFloat`, `encoding/json`.
//!
//! Cost: one pass over the text.

use std::borrow::Cow;

use super::Scalar;

/// The number that a plain scalar starting with a digit, sign or dot stands for, if it is one.
pub(super) fn numeric<'a>(text: &Cow<'a, str>) -> Option<Scalar<'a>> {
    if is_canonical_integer(text) {
        return Some(Scalar::Integer(text.clone()));
    }
    // After a dot Go calls ParseFloat on the text itself, so underscores are not dropped there.
    let digits = if text.starts_with('.') { Cow::Borrowed(text.as_ref()) } else { without_underscores(text) };
    if let Some(value) = integer(&digits) {
        return Some(Scalar::Integer(Cow::Owned(value.to_string())));
    }
    let value: f64 = if is_decimal_float(&digits) { digits.parse().ok()? } else { return None };
    value.is_finite().then_some(Scalar::Float(value))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

/// Whether the text is a whole number of at most 18 digits just as Go writes it.
fn is_canonical_integer(text: &str) -> bool {
    let magnitude = text.strip_prefix('-').unwrap_or(text);
    let has_leading_zero = magnitude.starts_with('0') && text != "0";
    (1..=18).contains(&magnitude.len()) && !has_leading_zero && magnitude.bytes().all(|byte| byte.is_ascii_digit())
}

/// A whole number in decimal or with the prefix `0x`, `0o`, `0b` or `0`: with a sign within `i64`, without within `u64`.
fn integer(text: &str) -> Option<i128> {
    let negative = text.strip_prefix('-');
    let magnitude = negative.or_else(|| text.strip_prefix('+')).unwrap_or(text);
    let (radix, digits) = radix_and_digits(magnitude)?;
    if !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    let value = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let value = if negative.is_some() { -value } else { value };
    let is_signed = magnitude.len() < text.len();
    (!is_signed || i64::try_from(value).is_ok()).then_some(value)
}

fn radix_and_digits(magnitude: &str) -> Option<(u32, &str)> {
    let Some(after_zero) = magnitude.strip_prefix('0') else {
        return (!magnitude.is_empty()).then_some((10, magnitude));
    };
    let mut rest = after_zero.chars();
    let radix = match rest.next() {
        None => return Some((10, magnitude)),
        Some('x' | 'X') => 16,
        Some('o' | 'O') => 8,
        Some('b' | 'B') => 2,
        Some(_) => return Some((8, after_zero)),
    };
    let digits = rest.as_str();
    (!digits.is_empty()).then_some((radix, digits))
}

/// Whether the text matches `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`.
pub(super) fn is_decimal_float(text: &str) -> bool {
    let unsigned = without_sign(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(without_sign(exponent))),
        None => (unsigned, None),
    };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let exponent_fits = exponent.is_none_or(|digits| !digits.is_empty() && are_digits(digits));
    has_digits && are_digits(whole) && are_digits(fraction) && exponent_fits
}

fn without_sign(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// A finite number as `encoding/json` writes a `float64`.
pub(super) fn json_float(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-6..1e21).contains(&magnitude) {
        return with_signed_exponent(&format!("{value:e}"), 1);
    }
    format!("{value}")
}

/// A number as a key: `strconv.FormatFloat(value, 'g', -1, 32)`, and YAML's names for what is no number.
pub(super) fn key_float(value: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "Go narrows keys to 32 bits, too")]
    let value = value as f32;
    if value.is_nan() {
        return ".nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { ".inf".to_owned() } else { "-.inf".to_owned() };
    }
    let scientific = format!("{value:e}");
    let exponent = scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok()).unwrap_or(0);
    if (-4..6).contains(&exponent) { format!("{value}") } else { with_signed_exponent(&scientific, 2) }
}

/// Turns Rust's `1e7` and `1e-7` into Go's `1e+07` and `1e-07`, with at least `digits` digits in the exponent.
fn with_signed_exponent(scientific: &str, digits: usize) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let sign = if exponent.starts_with('-') { '-' } else { '+' };
    format!("{mantissa}e{sign}{:0>digits$}", without_sign(exponent))
}
