//! Merge keys, as `merge` in decode.go of `go.yaml.in/yaml/v2` has them.
//!
//! Cost: a copy of each merged entry.

use granit_parser::Event;

use super::{Composer, Entry, Fault, Located, MERGED, Step, Value};

const WANTS_MAPPING: &str = "a merge key takes a mapping, or a list of mappings";

impl<'a> Composer<'a, '_> {
    /// Reads the value of a merge key and writes its entries into the open mapping, which is `depth` collections deep.
    pub(super) fn merge(&mut self, depth: usize) -> Result<(), Fault> {
        self.count_node()?;
        self.steps.push(Step::Key(super::MERGE_KEY.into()));
        let first = self.next_event()?;
        if let Event::SequenceStart(_, anchor, _) = first.event {
            self.count_node()?;
            self.merge_sources(anchor, depth)?;
        } else {
            let entries = self.merge_source(first, depth)?;
            self.write_merged(entries);
        }
        self.steps.pop();
        Ok(())
    }

    /// Merges a list of mappings from its end, so that earlier ones win.
    fn merge_sources(&mut self, anchor: usize, depth: usize) -> Result<(), Fault> {
        self.refuse_depth(depth + 1)?;
        let mut sources = Vec::new();
        loop {
            let first = self.next_event()?;
            if matches!(first.event, Event::SequenceEnd) {
                break;
            }
            self.steps.push(Step::Index(sources.len()));
            sources.push(Value::Object(self.merge_source(first, depth + 1)?));
            self.steps.pop();
        }
        let sources = Value::List(sources);
        self.keep_anchor(anchor, &sources)?;
        let Value::List(sources) = sources else { return Ok(()) };
        for source in sources.into_iter().rev() {
            if let Value::Object(entries) = source {
                self.write_merged(entries);
            }
        }
        Ok(())
    }

    fn merge_source(&mut self, first: Located<'a>, depth: usize) -> Result<Vec<Entry<'a>>, Fault> {
        if !matches!(first.event, Event::MappingStart(..) | Event::Alias(_)) {
            return Err(self.fault(WANTS_MAPPING));
        }
        match self.compose(first, depth)? {
            Value::Object(entries) => Ok(entries),
            _ => Err(self.fault(WANTS_MAPPING)),
        }
    }

    fn write_merged(&mut self, entries: Vec<Entry<'a>>) {
        self.key_lines.resize(self.key_lines.len() + entries.len(), MERGED);
        self.entries.extend(entries);
    }
}
