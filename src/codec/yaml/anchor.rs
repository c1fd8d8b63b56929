//! Anchors and aliases: each alias is a copy, and copies are counted, so that no document grows without bound.
//!
//! Rule: ours in the number; `go.yaml.in/yaml/v2`, decode.go, refuses by the share of aliases. Cost: a copy for each alias.

use std::borrow::Cow;

use super::{Composer, Fault, Value};
use crate::codec::scalar::Scalar;

/// So many bytes of copied text count as one node.
const BYTES_PER_NODE: usize = 32;

/// A value with an anchor, and what a copy of it costs.
pub(super) struct Anchored<'a> {
    value: Value<'a>,
    /// What the value is as a key; `None` when it cannot be one.
    key: Option<Cow<'a, str>>,
    size: Size,
}

/// How much a copy takes.
#[derive(Clone, Copy)]
struct Size {
    nodes: usize,
    height: usize,
}

impl Size {
    fn of(value: &Value<'_>) -> Self {
        match value {
            Value::List(items) => Self::around(items.iter().map(|item| (0, Self::of(item)))),
            Value::Object(entries) => {
                Self::around(entries.iter().map(|(key, value)| (owned_bytes(key), Self::of(value))))
            }
            Value::Text(text) | Value::Number(text) => {
                Self { nodes: 1 + owned_bytes(text) / BYTES_PER_NODE, height: 0 }
            }
            Value::Null | Value::Bool(_) | Value::Raw(_) => Self { nodes: 1, height: 0 },
        }
    }

    fn around(parts: impl Iterator<Item = (usize, Self)>) -> Self {
        parts.fold(Self { nodes: 1, height: 1 }, |whole, (key_bytes, part)| Self {
            nodes: whole.nodes + part.nodes + key_bytes / BYTES_PER_NODE,
            height: whole.height.max(part.height + 1),
        })
    }
}

#[expect(clippy::ptr_arg, reason = "whether the text is borrowed is what counts")]
fn owned_bytes(text: &Cow<'_, str>) -> usize {
    match text {
        Cow::Borrowed(_) => 0,
        Cow::Owned(text) => text.len(),
    }
}

impl<'a> Composer<'a, '_> {
    /// Keeps a copy of a value under its anchor; `0` says that it has none.
    pub(super) fn keep_anchor(&mut self, anchor: usize, value: &Value<'a>) -> Result<(), Fault> {
        if anchor == 0 {
            return Ok(());
        }
        let key = match value {
            Value::Text(text) => Some(text.clone()),
            Value::Bool(value) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
            Value::Number(digits) => crate::codec::scalar::plain(digits.clone()).into_key().ok(),
            Value::Null | Value::List(_) | Value::Object(_) | Value::Raw(_) => None,
        };
        let size = Size::of(value);
        self.count_copy(size)?;
        self.anchors.insert(anchor, Anchored { value: value.clone(), key, size });
        Ok(())
    }

    /// Keeps a copy of a key under its anchor.
    pub(super) fn keep_scalar_anchor(&mut self, anchor: usize, scalar: &Scalar<'a>) -> Result<(), Fault> {
        if anchor == 0 {
            return Ok(());
        }
        let value = scalar.clone().into_value().map_err(|reason| self.fault(reason))?;
        self.keep_anchor(anchor, &value)
    }

    /// A copy of an anchored value, to stand inside `depth` collections.
    pub(super) fn copy_anchored(&mut self, anchor: usize, depth: usize) -> Result<Value<'a>, Fault> {
        let anchored = self.anchored(anchor)?;
        let size = anchored.size;
        self.refuse_depth(depth + size.height)?;
        self.count_copy(size)?;
        Ok(self.anchored(anchor)?.value.clone())
    }

    /// A copy of an anchored scalar as a key.
    pub(super) fn copy_anchored_key(&mut self, anchor: usize, depth: usize) -> Result<Cow<'a, str>, Fault> {
        self.copy_anchored(anchor, depth)?;
        let key = self.anchored(anchor)?.key.clone();
        key.ok_or_else(|| self.fault("the alias stands for something that cannot be a key"))
    }

    fn anchored(&self, anchor: usize) -> Result<&Anchored<'a>, Fault> {
        self.anchors.get(&anchor).ok_or_else(|| self.fault("the alias stands inside the value that it stands for"))
    }

    fn count_copy(&mut self, size: Size) -> Result<(), Fault> {
        self.alias_nodes = self.alias_nodes.saturating_add(size.nodes);
        if self.alias_nodes > self.limits.alias_nodes {
            let limit = self.limits.alias_nodes;
            return Err(self.fault(format!("anchors and aliases copy more than {limit} values")));
        }
        Ok(())
    }
}
