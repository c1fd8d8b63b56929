//! JSON of images: objects that are objects, and lists of bounded length whose members stay text, so that a bad one is told
//! from its neighbours.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// The most members that are kept of any list.
const MEMBERS: usize = super::MANIFEST_DESCRIPTORS;

/// Reads an object. serde alone would take a list of values in the order of the fields for one.
pub(super) fn object<'a, T: Deserialize<'a>>(json: &'a [u8]) -> Result<T, String> {
    if json.trim_ascii_start().first() != Some(&b'{') {
        return Err("it is no JSON object".to_owned());
    }
    serde_json::from_slice(json).map_err(|error| error.to_string())
}

/// A list, of which `null` is an empty one: Go writes a slice that was never filled so.
#[derive(Default)]
pub(super) enum List<'a> {
    /// The key is not there.
    #[default]
    Absent,
    /// Its members, at most one more than are kept of any list.
    Given(Vec<&'a RawValue>),
}

impl<'a> List<'a> {
    pub(super) fn is_given(&self) -> bool {
        matches!(self, Self::Given(_))
    }

    /// The members, or a sentence that says that there are too many.
    pub(super) fn members(self, most: usize, what: &str) -> Result<Vec<&'a RawValue>, String> {
        match self {
            Self::Absent => Ok(Vec::new()),
            Self::Given(members) if members.len() > most => Err(format!("it has more than {most} {what}")),
            Self::Given(members) => Ok(members),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for List<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Members).map(Self::Given)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = sequence.next_element()? {
            // What lies beyond the limit is read over and not kept: sixteen bytes for each byte of input would be too much.
            if members.len() <= MEMBERS {
                members.push(member);
            }
        }
        Ok(members)
    }
}
