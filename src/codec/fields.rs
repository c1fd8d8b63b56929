//! Reads fields of decoded objects as Go's `encoding/json` fills a struct: names in any case, unknown ones ignored, `null`
//! as absent, and an error where a value has another type. Cost: one look over the fields of the object for each name.

use std::borrow::Cow;

use super::{Kind, Value};

/// What is wrong with a field, as a sentence.
pub(crate) type FieldFault = String;

/// The fields of one object, with the path that leads to it.
pub(crate) struct Fields<'v, 'a> {
    entries: Cow<'v, [(Cow<'a, str>, Value<'a>)]>,
    path: String,
}

impl<'v, 'a> Fields<'v, 'a> {
    /// The fields of an object; `null` has none.
    pub(crate) fn of(value: &'v Value<'a>, path: &str) -> Result<Self, FieldFault> {
        if value.is_null() {
            return Ok(Self { entries: Cow::Borrowed(&[]), path: path.to_owned() });
        }
        match value.object() {
            Some(entries) => Ok(Self { entries, path: path.to_owned() }),
            None => Err(mismatch(path, "an object", value)),
        }
    }

    /// Every field whose name is this one but for case, in the order of the object.
    pub(crate) fn spellings<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s (Cow<'a, str>, Value<'a>)> {
        self.entries.iter().filter(move |(key, _)| same_name(key, name))
    }

    /// The value of a field; the last spelling counts, `null` is absent.
    pub(crate) fn value(&self, name: &str) -> Option<&Value<'a>> {
        self.spellings(name).last().map(|(_, value)| value).filter(|value| !value.is_null())
    }

    /// A text field, empty where it is absent.
    pub(crate) fn text(&self, name: &str) -> Result<String, FieldFault> {
        match self.value(name) {
            None => Ok(String::new()),
            Some(value) => value.text().map(Cow::into_owned).ok_or_else(|| mismatch(&self.at(name), "a text", value)),
        }
    }

    /// The elements of a list field, each made by `make`, which is told the element's path.
    pub(crate) fn list<T>(
        &self,
        name: &str,
        mut make: impl FnMut(&Value<'a>, &str) -> Result<T, FieldFault>,
    ) -> Result<Vec<T>, FieldFault> {
        let Some(value) = self.value(name) else { return Ok(Vec::new()) };
        let items = value.list().ok_or_else(|| mismatch(&self.at(name), "a list", value))?;
        items.iter().enumerate().map(|(index, item)| make(item, &format!("{}[{index}]", self.at(name)))).collect()
    }

    /// A list of texts.
    pub(crate) fn texts(&self, name: &str) -> Result<Vec<String>, FieldFault> {
        self.list(name, |item, path| match item.text() {
            Some(text) => Ok(text.into_owned()),
            None if item.is_null() => Ok(String::new()),
            None => Err(mismatch(path, "a text", item)),
        })
    }

    /// The fields of an object field; absent is an object without fields.
    pub(crate) fn object(&self, name: &str) -> Result<Fields<'_, 'a>, FieldFault> {
        match self.value(name) {
            Some(value) => Fields::of(value, &self.at(name)),
            None => Ok(Fields { entries: Cow::Borrowed(&[]), path: self.at(name) }),
        }
    }

    /// All fields, in the order of the object.
    pub(crate) fn all(&self) -> &[(Cow<'a, str>, Value<'a>)] {
        &self.entries
    }

    /// The path of a field, for messages.
    pub(crate) fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

/// The sentence for a value of the wrong type.
pub(crate) fn mismatch(path: &str, wanted: &str, value: &Value<'_>) -> FieldFault {
    let path = if path.is_empty() { "the document" } else { path };
    format!("{path}: {wanted} is wanted, not {}", in_words(value.kind()))
}

fn in_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "nothing",
        Kind::Bool => "true or false",
        Kind::Number => "a number",
        Kind::Text => "a text",
        Kind::List => "a list",
        Kind::Object => "an object",
    }
}

/// Equality of names as Go's `strings.EqualFold` has it for the letters that field names use: ASCII case, and the two
/// letters outside ASCII that fold into it (long s and the Kelvin sign).
pub(crate) fn same_name(key: &str, name: &str) -> bool {
    key.eq_ignore_ascii_case(name) || (!key.is_ascii() && key.chars().map(fold).eq(name.chars().map(fold)))
}

fn fold(letter: char) -> char {
    match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        other => other.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::same_name;

    #[test]
    fn names_fold_as_go_folds_them() {
        assert!(same_name("defaultchannel", "defaultChannel"));
        assert!(same_name("\u{17f}chema", "schema"));
        assert!(same_name("pac\u{212a}age", "package"));
        assert!(!same_name("packages", "package"));
    }
}
