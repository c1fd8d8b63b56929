//! YAML documents, composed from the events of granit-parser.
//!
//! Rules: `go.yaml.in/yaml/v2`, decode.go. A mapping is filled in the order of the text and a later write wins, also over an
//! earlier one; a merge key writes at its own place, of several sources the first one last. So keys after `<<` win over
//! merged ones, and merged ones over keys before `<<`. An alias stands for a copy of the anchored value.
//!
//! Cost: that of the parser's events, one allocation for each list and mapping, and one search for repeated keys in each
//! mapping. Text that is written on one line is borrowed.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, Span, StrInput, Tag};

use super::path::{self, Step};
use super::scalar::{self, Scalar};
use super::value::{remove_replaced, replacements};
use super::{Decoded, Entry, Fault, Limits, Note, NoteKind, Value};

use anchor::Anchored;

mod anchor;
mod merge;

const YAML_NAMESPACE: &str = "tag:yaml.org,2002:";
const MERGE_KEY: &str = "<<";
/// The line of an entry that a merge key brought in.
const MERGED: u32 = 0;

/// Reads the one document of `text`.
pub(super) fn decode<'a>(text: &'a str, limits: &Limits) -> Result<Decoded<'a>, Fault> {
    let mut composer = Composer::new(text, limits);
    let value = composer.compose_document()?;
    Ok(Decoded { value, notes: composer.notes })
}

/// An event with its place.
struct Located<'a> {
    event: Event<'a>,
    span: Span,
    line: u32,
}

struct Composer<'a, 'l> {
    source: &'a str,
    parser: Parser<'a, StrInput<'a>>,
    limits: &'l Limits,
    deepest: usize,
    line: u32,
    nodes: usize,
    alias_nodes: usize,
    anchors: HashMap<usize, Anchored<'a>>,
    /// The way to the value being composed.
    steps: Vec<Step<'a>>,
    /// Items and entries of all open collections; each takes its own from the end when it closes.
    items: Vec<Value<'a>>,
    entries: Vec<Entry<'a>>,
    /// The lines of the keys of `entries`.
    key_lines: Vec<u32>,
    notes: Vec<Note>,
}

impl<'a, 'l> Composer<'a, 'l> {
    fn new(source: &'a str, limits: &'l Limits) -> Self {
        let deepest = limits.effective_depth();
        let mut options = granit_parser::options! { flow_nesting_limit: deepest, block_nesting_limit: deepest };
        options.set_emit_comments(false);
        Self {
            source,
            parser: Parser::new_from_str_with_options(source, options),
            limits,
            deepest,
            line: 1,
            nodes: 0,
            alias_nodes: 0,
            anchors: HashMap::new(),
            steps: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
            key_lines: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn compose_document(&mut self) -> Result<Value<'a>, Fault> {
        let mut document = None;
        loop {
            let Located { event, line, .. } = self.next_event()?;
            match event {
                Event::StreamEnd => return Ok(document.unwrap_or_default()),
                Event::DocumentStart(..) if document.is_some() => {
                    return Err(Fault::new(line, "a second document starts without a line ---"));
                }
                Event::DocumentStart(..) => {
                    let root = self.next_event()?;
                    document = Some(self.compose(root, 0)?);
                }
                _ => {}
            }
        }
    }

    fn next_event(&mut self) -> Result<Located<'a>, Fault> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                self.line = line_of(&span);
                Ok(Located { event, span, line: self.line })
            }
            Some(Err(error)) => {
                let line = u32::try_from(error.marker().line()).unwrap_or(u32::MAX).max(1);
                Err(Fault::new(line, format!("not YAML: {}", error.info())))
            }
            None => Err(self.fault("the document ends too early")),
        }
    }

    /// A fault at the event read last.
    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.line, message)
    }

    /// The value that starts with `first`, inside `depth` collections.
    fn compose(&mut self, first: Located<'a>, depth: usize) -> Result<Value<'a>, Fault> {
        self.count_node()?;
        let (value, anchor) = match first.event {
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = self.scalar(text, style, tag.as_deref(), &first.span)?;
                (scalar.into_value().map_err(|reason| self.fault(reason))?, anchor)
            }
            Event::SequenceStart(_, anchor, _) => (self.compose_list(depth + 1)?, anchor),
            Event::MappingStart(_, anchor, _) => (self.compose_object(depth + 1)?, anchor),
            Event::Alias(id) => return self.copy_anchored(id, depth),
            _ => return Err(self.fault("a value is missing")),
        };
        self.keep_anchor(anchor, &value)?;
        Ok(value)
    }

    fn count_node(&mut self) -> Result<(), Fault> {
        self.nodes += 1;
        if self.nodes > self.limits.nodes {
            return Err(self.fault(format!("more than {} values in one document", self.limits.nodes)));
        }
        Ok(())
    }

    fn refuse_depth(&self, depth: usize) -> Result<(), Fault> {
        if depth > self.deepest {
            return Err(self.fault(format!("nested deeper than {} levels", self.deepest)));
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        text: Cow<'a, str>,
        style: ScalarStyle,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Result<Scalar<'a>, Fault> {
        if style == ScalarStyle::DoubleQuoted && escapes_surrogates(&text, span.slice(self.source)) {
            return Err(self.fault("the escape of a surrogate is no character"));
        }
        if let Some(tag) = tag {
            return match tag.suffix_in_namespace(YAML_NAMESPACE) {
                Some(name) => scalar::tagged(&name, text).map_err(|reason| self.fault(reason)),
                None => Ok(Scalar::Text(text)),
            };
        }
        if style != ScalarStyle::Plain {
            return Ok(Scalar::Text(text));
        }
        let Cow::Borrowed(written) = text else {
            // Text that had to be put together from several lines has spaces in it, so it can only be text.
            return Ok(Scalar::Text(text));
        };
        let scalar = scalar::plain(Cow::Borrowed(written));
        if scalar::differs_in_yaml_1_2(written, &scalar) {
            self.note(NoteKind::Yaml11Scalar, None, written, line_of(span));
        }
        Ok(scalar)
    }

    fn compose_list(&mut self, depth: usize) -> Result<Value<'a>, Fault> {
        self.refuse_depth(depth)?;
        let start = self.items.len();
        loop {
            let first = self.next_event()?;
            if matches!(first.event, Event::SequenceEnd) {
                return Ok(Value::List(self.items.drain(start..).collect()));
            }
            self.steps.push(Step::Index(self.items.len() - start));
            let item = self.compose(first, depth)?;
            self.steps.pop();
            self.items.push(item);
        }
    }

    fn compose_object(&mut self, depth: usize) -> Result<Value<'a>, Fault> {
        self.refuse_depth(depth)?;
        let start = self.entries.len();
        loop {
            let key = self.next_event()?;
            if matches!(key.event, Event::MappingEnd) {
                return Ok(Value::Object(self.close_object(start)));
            }
            if is_merge_key(&key.event) {
                self.merge(depth)?;
                continue;
            }
            let line = key.line;
            let key = self.compose_key(key, depth)?;
            self.steps.push(Step::Key(key));
            let first = self.next_event()?;
            let value = self.compose(first, depth)?;
            if let Some(Step::Key(key)) = self.steps.pop() {
                self.entries.push((key, value));
                self.key_lines.push(line);
            }
        }
    }

    fn compose_key(&mut self, first: Located<'a>, depth: usize) -> Result<Cow<'a, str>, Fault> {
        self.count_node()?;
        match first.event {
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = self.scalar(text, style, tag.as_deref(), &first.span)?;
                self.keep_scalar_anchor(anchor, &scalar)?;
                scalar.into_key().map_err(|reason| self.fault(reason))
            }
            Event::Alias(id) => self.copy_anchored_key(id, depth),
            _ => Err(self.fault("a list or mapping cannot be a key")),
        }
    }

    /// Takes the entries from `start` on, each key once.
    fn close_object(&mut self, start: usize) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry<'a>> = self.entries.drain(start..).collect();
        let replacements = replacements(&entries);
        if !replacements.is_empty() {
            let lines: Vec<u32> = self.key_lines.iter().skip(start).copied().collect();
            let line_at = |position: usize| lines.get(position).copied().unwrap_or(MERGED);
            for pair in &replacements {
                let is_written_twice = line_at(pair.earlier) != MERGED && line_at(pair.later) != MERGED;
                if let Some((key, _)) = entries.get(pair.later).filter(|_| is_written_twice) {
                    self.note(NoteKind::DuplicateKey, Some(key), key, line_at(pair.later));
                }
            }
            remove_replaced(&mut entries, &replacements);
        }
        self.key_lines.truncate(start);
        entries
    }

    fn note(&mut self, kind: NoteKind, key: Option<&str>, text: &str, line: u32) {
        if self.notes.len() < self.limits.notes {
            let key_path = path::render(&self.steps, key);
            self.notes.push(Note { kind, key_path, text: path::excerpt(text), line });
        }
    }
}

fn line_of(span: &Span) -> u32 {
    u32::try_from(span.start.line()).unwrap_or(u32::MAX)
}

/// Whether double-quoted text was written with a pair of escaped surrogates, which libyaml refuses and granit-parser joins.
fn escapes_surrogates(text: &str, written: Option<&str>) -> bool {
    /// The first byte of the shortest character that is a pair in UTF-16.
    const FIRST_OF_FOUR_BYTES: u8 = 0xF0;
    let holds_pair = text.bytes().any(|byte| byte >= FIRST_OF_FOUR_BYTES);
    let mut rest = written.filter(|_| holds_pair);
    while let Some((_, escape)) = rest.and_then(|rest| rest.split_once('\\')) {
        if let [b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F', ..] = escape.as_bytes() {
            return true;
        }
        let mut after = escape.chars();
        after.next();
        rest = Some(after.as_str());
    }
    false
}

/// Whether the event is a plain `<<` without a tag, or one with the tag `!!merge`.
fn is_merge_key(event: &Event<'_>) -> bool {
    let Event::Scalar(text, style, _, tag) = event else { return false };
    let is_merge_tag = |tag: &Tag| tag.suffix_in_namespace(YAML_NAMESPACE).is_some_and(|name| name == "merge");
    text == MERGE_KEY && tag.as_deref().map_or(*style == ScalarStyle::Plain, is_merge_tag)
}

#[cfg(test)]
mod tests;
