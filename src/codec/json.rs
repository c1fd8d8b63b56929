//! JSON documents, opened one level at a time.
//!
//! The rules are those of Go's `encoding/json`: of a repeated key the last value stays, and half of a surrogate pair in an
//! escape reads as U+FFFD. Cost: one pass of serde_json over the document that skips values, one that measures nesting.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::value::{Replacement, remove_replaced, replacements};
use super::{Decoded, Entry, Fault, Kind, Limits, Note, NoteKind, Value, path, text};

/// Reads a document, its first level opened.
pub(super) fn decode<'a>(document: &'a str, limits: &Limits) -> Result<Decoded<'a>, Fault> {
    refuse_deep_nesting(document.as_bytes(), limits.effective_depth())?;
    if !document.trim_ascii_start().starts_with('{') {
        return Ok(Decoded { value: Value::Raw(whole(document)?), notes: Vec::new() });
    }
    let mut entries = match level(document, Escapes::WellFormed) {
        Ok(entries) => entries,
        // What is wrong may be no more than half a surrogate pair in a key, which Go takes.
        Err(_) => level(whole(document)?.get(), Escapes::AnyUtf16).map_err(|error| fault(&error))?,
    };
    let replacements = replacements(&entries);
    let notes = duplicate_notes(document, &entries, replacements.iter().take(limits.notes));
    if !replacements.is_empty() {
        remove_replaced(&mut entries, &replacements);
    }
    Ok(Decoded { value: Value::Object(entries), notes })
}

/// A note for the later entry of each pair, at the line of its value.
fn duplicate_notes<'p>(
    document: &str,
    entries: &[Entry<'_>],
    pairs: impl Iterator<Item = &'p Replacement>,
) -> Vec<Note> {
    let mut line = 1;
    let mut counted = 0;
    let mut notes = Vec::new();
    for pair in pairs {
        let Some((key, Value::Raw(value))) = entries.get(pair.later) else { continue };
        let offset = value.get().as_ptr().addr().saturating_sub(document.as_ptr().addr());
        line = text::line_after(line, document.as_bytes().get(counted..offset).unwrap_or_default());
        counted = offset;
        let key_path = path::render(&[], Some(key));
        notes.push(Note { kind: NoteKind::DuplicateKey, key_path, text: path::excerpt(key), line });
    }
    notes
}

fn whole(document: &str) -> Result<&RawValue, Fault> {
    serde_json::from_str(document).map_err(|error| fault(&error))
}

/// A fault at the line that serde_json names; its text keeps the column only, since a part of a file counts lines anew.
pub(super) fn fault(error: &serde_json::Error) -> Fault {
    let line = u32::try_from(error.line()).unwrap_or(u32::MAX).max(1);
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = match text.strip_suffix(&place) {
        Some(what) => format!("not JSON: {what} in column {}", error.column()),
        None => format!("not JSON: {text}"),
    };
    Fault::new(line, message)
}

/// Refuses a document with more levels of brackets than `deepest`, whether or not it is well formed.
fn refuse_deep_nesting(document: &[u8], deepest: usize) -> Result<(), Fault> {
    let mut depth = 0_usize;
    let mut rest = document;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => rest = after_string(rest),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > deepest {
            let line = text::line_at(document, document.len() - rest.len());
            return Err(Fault::new(line, format!("nested deeper than {deepest} levels")));
        }
    }
    Ok(())
}

/// What follows the string whose opening quote has been read.
fn after_string(mut rest: &[u8]) -> &[u8] {
    while let Some(position) = memchr::memchr2(b'"', b'\\', rest) {
        let escaped = usize::from(rest.get(position) == Some(&b'\\'));
        rest = rest.get(position + 1 + escaped..).unwrap_or_default();
        if escaped == 0 {
            return rest;
        }
    }
    &[]
}

/// What a raw value is, told by its first byte.
pub(super) fn kind(raw: &RawValue) -> Kind {
    match raw.get().as_bytes().first() {
        Some(b'{') => Kind::Object,
        Some(b'[') => Kind::List,
        Some(b'"') => Kind::Text,
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') => Kind::Null,
        _ => Kind::Number,
    }
}

/// The text of a raw string.
pub(super) fn text(raw: &RawValue) -> Option<Cow<'_, str>> {
    let quoted = raw.get();
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    let mut deserializer = serde_json::Deserializer::from_str(quoted);
    TextSeed { escapes: Escapes::AnyUtf16 }.deserialize(&mut deserializer).ok()
}

/// The items of a raw list.
pub(super) fn items(raw: &RawValue) -> Option<Vec<Value<'_>>> {
    let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
    Some(items.into_iter().map(Value::Raw).collect())
}

/// The entries of a raw object, each key once.
pub(super) fn entries(raw: &RawValue) -> Option<Vec<Entry<'_>>> {
    let mut entries = level(raw.get(), Escapes::AnyUtf16).ok()?;
    let replacements = replacements(&entries);
    if !replacements.is_empty() {
        remove_replaced(&mut entries, &replacements);
    }
    Some(entries)
}

fn level(object: &str, escapes: Escapes) -> Result<Vec<Entry<'_>>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(object);
    let entries = deserializer.deserialize_map(LevelVisitor { escapes })?;
    deserializer.end()?;
    Ok(entries)
}

/// Which `\u` escapes are taken.
#[derive(Clone, Copy)]
enum Escapes {
    /// Whole surrogate pairs; everything about the string is checked.
    WellFormed,
    /// Half pairs, too. For text that is known to be well formed otherwise.
    AnyUtf16,
}

struct LevelVisitor {
    escapes: Escapes,
}

impl<'de> Visitor<'de> for LevelVisitor {
    type Value = Vec<Entry<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(TextSeed { escapes: self.escapes })? {
            entries.push((key, Value::Raw(map.next_value()?)));
        }
        Ok(entries)
    }
}

struct TextSeed {
    escapes: Escapes,
}

impl<'de> DeserializeSeed<'de> for TextSeed {
    type Value = Cow<'de, str>;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.escapes {
            Escapes::WellFormed => deserializer.deserialize_str(TextVisitor),
            Escapes::AnyUtf16 => deserializer.deserialize_bytes(TextVisitor),
        }
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(std::str::from_utf8(bytes).map_or_else(|_| Cow::Owned(replace_half_pairs(bytes)), Cow::Borrowed))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Cow::Owned(replace_half_pairs(bytes)))
    }
}

/// UTF-8 in which surrogates may stand, one U+FFFD for each of them.
fn replace_half_pairs(bytes: &[u8]) -> String {
    /// The first of the three bytes of a surrogate; the other two are reported one by one after it.
    const SURROGATE_START: u8 = 0xED;
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if chunk.invalid().first() == Some(&SURROGATE_START) {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    text
}

#[cfg(test)]
mod tests;
