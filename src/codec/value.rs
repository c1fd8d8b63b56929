//! A JSON value that borrows from the text it was read from, and that may not have been looked into yet.
//!
//! The shape is that of `encoding/json` with an interface as target; [`Value::Raw`] plays the part of `json.RawMessage`.
//! Cost: opening a raw list or object reads that value once and decodes nothing below its first level.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::json;

/// A key and its value.
pub type Entry<'a> = (Cow<'a, str>, Value<'a>);

/// A value read from JSON or YAML. Objects hold each key once.
#[derive(Clone, Debug, Default)]
pub enum Value<'a> {
    /// No value.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A number, as the JSON text that Go would write again: whole numbers of 64 bits in full, all others as `float64`.
    Number(Cow<'a, str>),
    /// Text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Value<'a>>),
    /// Keys with values in the order of the text; of a repeated key the last one.
    Object(Vec<Entry<'a>>),
    /// JSON that is well formed but not looked into; every accessor treats it like the value it stands for.
    Raw(&'a RawValue),
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No value.
    Null,
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// Text.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

impl<'a> Value<'a> {
    /// What the value is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Bool,
            Self::Number(_) => Kind::Number,
            Self::Text(_) => Kind::Text,
            Self::List(_) => Kind::List,
            Self::Object(_) => Kind::Object,
            Self::Raw(raw) => json::kind(raw),
        }
    }

    /// Whether the value is null.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// The truth value, or `None` when the value is something else.
    #[must_use]
    pub fn boolean(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Raw(raw) if json::kind(raw) == Kind::Bool => Some(raw.get() == "true"),
            _ => None,
        }
    }

    /// The number's JSON text, or `None` when the value is something else. A raw number keeps the spelling of its source.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::Number(text) => Some(text),
            Self::Raw(raw) if json::kind(raw) == Kind::Number => Some(raw.get()),
            _ => None,
        }
    }

    /// The text, or `None` when the value is something else.
    #[must_use]
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(text) => Some(Cow::Borrowed(text)),
            Self::Raw(raw) => json::text(raw),
            _ => None,
        }
    }

    /// The items, or `None` when the value is no list.
    #[must_use]
    pub fn list(&self) -> Option<Cow<'_, [Value<'a>]>> {
        match self {
            Self::List(items) => Some(Cow::Borrowed(items)),
            Self::Raw(raw) => json::items(raw).map(Cow::Owned),
            _ => None,
        }
    }

    /// The entries, each key once, or `None` when the value is no object.
    #[must_use]
    pub fn object(&self) -> Option<Cow<'_, [Entry<'a>]>> {
        match self {
            Self::Object(entries) => Some(Cow::Borrowed(entries)),
            Self::Raw(raw) => json::entries(raw).map(Cow::Owned),
            _ => None,
        }
    }

    /// The whole value, opened to the bottom. A number beyond `float64` becomes its text.
    ///
    /// # Examples
    /// ```
    /// use skipstone::codec::{Format, Limits, decode};
    ///
    /// let decoded = decode(br#"{"a": 1, "a": [2]}"#, Format::Json, &Limits::default())?;
    /// assert_eq!(decoded.value.to_json(), serde_json::json!({"a": [2]}));
    /// # Ok::<(), skipstone::codec::Fault>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        match self.kind() {
            Kind::Null => serde_json::Value::Null,
            Kind::Bool => self.boolean().unwrap_or_default().into(),
            Kind::Number => number_to_json(self.number().unwrap_or_default()),
            Kind::Text => self.text().unwrap_or_default().into(),
            Kind::List => self.list().unwrap_or_default().iter().map(Value::to_json).collect(),
            Kind::Object => {
                let entries = self.object().unwrap_or_default();
                entries.iter().map(|(key, value)| (key.clone().into_owned(), value.to_json())).collect()
            }
        }
    }
}

fn number_to_json(text: &str) -> serde_json::Value {
    serde_json::from_str::<serde_json::Number>(text).map_or_else(|_| text.into(), serde_json::Value::Number)
}

/// Two neighbouring entries of one key, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Replacement {
    pub(super) later: usize,
    pub(super) earlier: usize,
}

/// Above this number of entries sorting beats comparing each with each.
const FEW_ENTRIES: usize = 16;

/// The pairs of entries that have the same key, in the order of the later one.
pub(super) fn replacements(entries: &[Entry<'_>]) -> Vec<Replacement> {
    if entries.len() <= FEW_ENTRIES {
        let earlier_of = |later: usize, key: &str| entries.iter().take(later).rposition(|(other, _)| other == key);
        let pairs = entries.iter().enumerate();
        return pairs
            .filter_map(|(later, (key, _))| earlier_of(later, key).map(|earlier| Replacement { later, earlier }))
            .collect();
    }
    let mut by_key: Vec<(&str, usize)> = entries.iter().enumerate().map(|(at, (key, _))| (key.as_ref(), at)).collect();
    by_key.sort_unstable();
    let neighbours = by_key.iter().zip(by_key.iter().skip(1));
    let mut found: Vec<Replacement> = neighbours
        .filter(|((key, _), (next, _))| key == next)
        .map(|(&(_, earlier), &(_, later))| Replacement { later, earlier })
        .collect();
    found.sort_unstable();
    found
}

/// Removes the earlier entry of each pair.
pub(super) fn remove_replaced(entries: &mut Vec<Entry<'_>>, replacements: &[Replacement]) {
    let mut replaced = vec![false; entries.len()];
    for replacement in replacements {
        if let Some(mark) = replaced.get_mut(replacement.earlier) {
            *mark = true;
        }
    }
    let mut replaced = replaced.into_iter();
    entries.retain(|_| !replaced.next().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(keys: &[&'static str]) -> Vec<Entry<'static>> {
        keys.iter().enumerate().map(|(at, key)| ((*key).into(), Value::Number(at.to_string().into()))).collect()
    }

    #[test]
    fn the_last_entry_of_a_key_stays() {
        let mut few = numbered(&["a", "b", "a", "c", "a"]);
        let expected = [Replacement { later: 2, earlier: 0 }, Replacement { later: 4, earlier: 2 }];
        assert_eq!(replacements(&few), expected);
        remove_replaced(&mut few, &expected);
        assert_eq!(Value::Object(few).to_json(), serde_json::json!({"a": 4, "b": 1, "c": 3}));
        assert_eq!(replacements(&numbered(&["a", "b"])), []);
    }

    #[test]
    fn many_entries_are_treated_like_few() {
        let keys: Vec<String> = (0..40).map(|at| format!("k{}", at % 30)).collect();
        let many: Vec<Entry<'_>> = keys.iter().map(|key| (key.as_str().into(), Value::Null)).collect();
        let expected: Vec<Replacement> = (0..10).map(|at| Replacement { later: at + 30, earlier: at }).collect();
        assert_eq!(replacements(&many), expected);
    }

    #[test]
    fn a_number_beyond_float64_stays_text_in_json() {
        assert_eq!(Value::Number("1e999".into()).to_json(), serde_json::json!("1e999"));
        assert_eq!(Value::Number("1.2345e+71".into()).to_json(), serde_json::json!(1.2345e71));
    }
}
