//! Cuts a file into documents as Kubernetes' `YAMLOrJSONDecoder` does (`k8s.io/apimachinery/pkg/util/yaml`, decoder.go),
//! with the look-ahead of 4096 bytes that opm gives it.
//!
//! * When the first character that is no white space is `{`, the text is read as JSON values that follow each other. If the
//!   first or second of them is not JSON, the rest is YAML after all; once two were read, it is a fault.
//! * YAML is cut at lines that begin with `---`, after which only white space or a comment may stand. Such a line ends the
//!   document before it; when there is none, it belongs to the one it starts. So `---` twice in a row adds nothing between
//!   two documents, but three times, or a blank line between two, adds an empty one.
//!
//! Cost: YAML one search for `---` and one count of lines, JSON one pass that skips over values. Nothing is decoded.

use memchr::memmem;
use serde_json::value::RawValue;

use super::{Fault, Format, Limits, json, text};

/// How far the kind of stream is looked for.
const LOOK_AHEAD: usize = 4096;
/// After so many JSON values a stream is JSON for good.
const VALUES_THAT_SETTLE_JSON: usize = 2;
const SEPARATOR: &[u8] = b"---";

/// The documents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split<'a> {
    /// In the order of the file.
    pub documents: Vec<Document<'a>>,
    /// Why what follows the documents cannot be read; its line is that of the file.
    pub fault: Option<Fault>,
}

/// One document of a file, not yet decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// The document's part of the file.
    pub bytes: &'a [u8],
    /// The line of the file that the part starts in, from 1.
    pub line: u32,
    /// How the document is written.
    pub format: Format,
}

/// Cuts a file into documents.
///
/// # Examples
/// ```
/// use skipstone::codec::{Format, Limits, split};
///
/// let file = split(b"schema: olm.package\n---\nschema: olm.channel\n", &Limits::default());
/// let starts: Vec<u32> = file.documents.iter().map(|document| document.line).collect();
/// assert_eq!((starts, file.fault), (vec![1, 3], None));
/// assert_eq!(split(b"{}{}", &Limits::default()).documents[1].format, Format::Json);
/// ```
#[must_use]
pub fn split<'a>(file: &'a [u8], limits: &Limits) -> Split<'a> {
    Splitter::new(limits).cut(file)
}

/// The one format of a whole file, where its start leaves no doubt: YAML where it does not begin with `{`, JSON where two
/// JSON values stand there. `None` where more must be read to be certain, or where JSON may yet turn into YAML.
pub fn certain_format(start: &[u8]) -> Option<Format> {
    if !may_be_json(start) {
        let is_certain = start.len() >= LOOK_AHEAD || !without_leading_white_space(start).is_empty();
        return is_certain.then_some(Format::Yaml);
    }
    let values = serde_json::Deserializer::from_slice(start).into_iter::<&RawValue>();
    let read = values.take(VALUES_THAT_SETTLE_JSON).filter(Result::is_ok).count();
    (read == VALUES_THAT_SETTLE_JSON).then_some(Format::Json)
}

fn may_be_json(file: &[u8]) -> bool {
    let start = file.get(..LOOK_AHEAD).unwrap_or(file);
    without_leading_white_space(start).first() == Some(&b'{')
}

/// Leaves out leading white space in the sense of Unicode, like Go's `unicode.IsSpace`.
fn without_leading_white_space(bytes: &[u8]) -> &[u8] {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let white_space = valid.len() - valid.trim_start().len();
    bytes.get(white_space..).unwrap_or_default()
}

/// Cuts a file that comes in parts, each with whole documents: formats, lines and numbers go on from part to part, so
/// that the documents are those of the file as a whole. A part of YAML begins with a separator or at the file's start.
#[derive(Clone, Debug)]
pub struct Splitter<'l> {
    limits: &'l Limits,
    /// How the file is read; not known before the first part.
    format: Option<Format>,
    bytes: usize,
    documents: usize,
    /// The line that the next part starts in.
    line: u32,
    /// Whether the part before ended in a YAML document, which the next separator then ends.
    in_document: bool,
}

impl<'l> Splitter<'l> {
    /// At the start of a file.
    #[must_use]
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, format: None, bytes: 0, documents: 0, line: 1, in_document: false }
    }

    /// Cuts the next part; after a fault there is none.
    pub fn cut<'a>(&mut self, part: &'a [u8]) -> Split<'a> {
        self.bytes = self.bytes.saturating_add(part.len());
        if self.bytes > self.limits.bytes_per_file {
            let message = format!("the file has more than {} bytes", self.limits.bytes_per_file);
            return Split { documents: Vec::new(), fault: Some(Fault::new(self.line, message)) };
        }
        let of_the_start = || if may_be_json(part) { Format::Json } else { Format::Yaml };
        let format = self.format.unwrap_or_else(of_the_start);
        self.format = Some(format);
        let first_line = self.line;
        self.line = text::line_after(first_line, part);
        let mut cutting = Cutting { splitter: self, split: Split::default() };
        match format {
            Format::Json => cutting.cut_json(part, first_line),
            Format::Yaml => cutting.cut_yaml(part, first_line),
        }
        cutting.split
    }
}

/// One part while it is cut.
struct Cutting<'s, 'l, 'a> {
    splitter: &'s mut Splitter<'l>,
    split: Split<'a>,
}

impl<'a> Cutting<'_, '_, 'a> {
    fn cut_json(&mut self, file: &'a [u8], first_line: u32) {
        let mut values = serde_json::Deserializer::from_slice(file).into_iter::<&'a RawValue>();
        let mut read = 0;
        let mut line = first_line;
        while let Some(value) = values.next() {
            let value = match value {
                Ok(value) => value.get().as_bytes(),
                Err(_) if self.splitter.documents < VALUES_THAT_SETTLE_JSON => {
                    self.splitter.format = Some(Format::Yaml);
                    let rest = file.get(read..).unwrap_or_default();
                    let skipped = white_space_of_the_line(rest);
                    let line = text::line_after(line, rest.get(..skipped).unwrap_or_default());
                    return self.cut_yaml(rest.get(skipped..).unwrap_or_default(), line);
                }
                Err(error) => {
                    let Fault { line, message } = json::fault(&error);
                    return self.fail(first_line.saturating_add(line).saturating_sub(1), &message);
                }
            };
            let end = values.byte_offset();
            let start = end.saturating_sub(value.len());
            line = text::line_after(line, file.get(read..start).unwrap_or_default());
            if !self.push(Document { bytes: value, line, format: Format::Json }) {
                return;
            }
            line = text::line_after(line, value);
            read = end;
        }
    }

    fn cut_yaml(&mut self, stream: &'a [u8], first_line: u32) {
        let mut start = 0;
        let mut line = first_line;
        let mut line_of_start = first_line;
        let mut counted = 0;
        for separator in separators(stream) {
            line = text::line_after(line, stream.get(counted..separator.start).unwrap_or_default());
            counted = separator.start;
            let goes_on = self.splitter.in_document && separator.start == 0;
            if goes_on {
                start = separator.end;
                line_of_start = line.saturating_add(1);
            } else if separator.start > start {
                let bytes = stream.get(start..separator.start).unwrap_or_default();
                if !self.push(Document { bytes, line: line_of_start, format: Format::Yaml }) {
                    return;
                }
                start = separator.end;
                line_of_start = line.saturating_add(1);
            }
            if !separator.is_well_formed {
                return self.fail(line, "after --- only white space or a comment may stand");
            }
        }
        let rest = stream.get(start..).unwrap_or_default();
        self.splitter.in_document = !rest.is_empty();
        if !rest.is_empty() {
            self.push(Document { bytes: rest, line: line_of_start, format: Format::Yaml });
        }
    }

    /// Adds a document and tells whether there is room for more.
    fn push(&mut self, document: Document<'a>) -> bool {
        let most = self.splitter.limits.documents_per_file;
        let has_room = self.splitter.documents < most;
        if has_room {
            self.splitter.documents += 1;
            self.split.documents.push(document);
        } else {
            self.fail(document.line, &format!("more than {most} documents in one file"));
        }
        has_room
    }

    fn fail(&mut self, line: u32, message: &str) {
        let number = self.splitter.documents + 1;
        self.split.fault = Some(Fault::new(line, format!("document {number}: {message}")));
    }
}

/// The white space at the start, up to and with the first line break: what the stream decoder drops between JSON and YAML.
fn white_space_of_the_line(rest: &[u8]) -> usize {
    let white_space = rest.len() - without_leading_white_space(rest).len();
    let leading = rest.get(..white_space).unwrap_or_default();
    memchr::memchr(b'\n', leading).map_or(white_space, |line_break| line_break + 1)
}

/// A line that begins with `---`.
struct Separator {
    /// The offset of the line.
    start: usize,
    /// The offset of the next line.
    end: usize,
    is_well_formed: bool,
}

fn separators(stream: &[u8]) -> impl Iterator<Item = Separator> + '_ {
    let at_start = stream.starts_with(SEPARATOR).then_some(0);
    let after_breaks = memmem::find_iter(stream, b"\n---").map(|line_break| line_break + 1);
    at_start.into_iter().chain(after_breaks).map(|start| separator_at(stream, start))
}

fn separator_at(stream: &[u8], start: usize) -> Separator {
    let after = start + SEPARATOR.len();
    let rest = stream.get(after..).unwrap_or_default();
    let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    let trailing = without_leading_white_space(rest.get(..length).unwrap_or_default());
    let end = (after + length + 1).min(stream.len());
    Separator { start, end, is_well_formed: matches!(trailing.first(), None | Some(b'#')) }
}

#[cfg(test)]
mod tests;
