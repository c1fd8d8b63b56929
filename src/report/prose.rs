//! Foreign Markdown as safe HTML: descriptions and notes that authors of catalogs wrote.
//!
//! Rule: CommonMark with tables and strikethrough as pulldown-cmark reads it, written through a list of what is allowed.
//! Raw HTML is shown as the text that it is. Links keep only `http`, `https` and `mailto`; a picture becomes its alternative
//! text, linked: nothing is ever loaded. Headings start below the page's own and never skip a level (WCAG 2.2, 1.3.1). A bare
//! address in a text becomes a link, without the punctuation that ends the sentence around it.
//! Cost: linear in the text, which is cut after [`LONGEST_TEXT`]; elements deeper than [`DEEPEST`] are written as their text.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream};

use super::phrase::{entity, overrides_direction, start};

mod address;

pub use address::link_addresses;

/// The longest Markdown that is read, in bytes; the rest is left out, with a note.
pub const LONGEST_TEXT: usize = 64 * 1024;
/// The deepest nesting of elements that is written.
pub const DEEPEST: usize = 16;

/// Writes Markdown as HTML whose headings stand below a heading of the level `below`.
///
/// ```
/// use skipstone::report::prose::to_html;
/// assert_eq!(to_html("# Hi\n<script>", 2), "<h3>Hi</h3>\n&lt;script&gt;");
/// ```
pub fn to_html(markdown: &str, below: u8) -> String {
    let text = start(markdown, LONGEST_TEXT);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut writer = Writer { heading: below, lowest: below, ..Writer::default() };
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        writer.event(event);
    }
    writer.close_all();
    if text.len() < markdown.len() {
        writer.html.push_str("<p><em>The text is longer; the rest is left out here.</em></p>");
    }
    writer.html
}

/// Escapes text for HTML content and for quoted attributes. Control characters and those that change the direction of the
/// text around them become U+FFFD: a foreign name must not be able to dress up as another.
pub fn escape(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match (entity(character), character) {
            (Some(entity), _) => escaped.push_str(entity),
            (None, '\'') => escaped.push_str("&#39;"),
            (None, '\n' | '\t') => escaped.push(character),
            (None, other) if other.is_control() || overrides_direction(other) => {
                escaped.push(char::REPLACEMENT_CHARACTER)
            }
            (None, other) => escaped.push(other),
        }
    }
    escaped
}

/// Whether a text stands in HTML as it is, which most names, versions and sentences do: printable ASCII without markup.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'&' | b'<' | b'>' | b'"' | b'\''))
}

/// The address if a reader may be offered to follow it.
fn allowed(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once(':')?;
    let web = ["http", "https"].iter().any(|name| scheme.eq_ignore_ascii_case(name)) && rest.starts_with("//");
    let mail = scheme.eq_ignore_ascii_case("mailto");
    let clean = !address.chars().any(|character| character.is_control() || character.is_whitespace());
    ((web || mail) && clean).then_some(address)
}

/// The start tag of a link that is shown and never followed on its own.
fn link_start(address: &str) -> String {
    format!("<a href=\"{}\" rel=\"noreferrer nofollow\">", escape(address))
}

/// Writes the events of a parser, keeping a stack of what must be closed.
#[derive(Default)]
struct Writer {
    html: String,
    /// The end tag of every open element; empty where the element is not written.
    open: Vec<&'static str>,
    /// Number of open links and pictures; links do not nest.
    links: usize,
    /// Number of open code blocks: addresses in them stay text.
    code: usize,
    in_head: bool,
    /// The level of the last heading, so that the next is at most one deeper.
    heading: u8,
    lowest: u8,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => self.end(end),
            Event::Text(text) if self.links == 0 && self.code == 0 => self.html.push_str(&link_addresses(&text)),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.html.push_str(&escape(&text)),
            Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.html.push_str(&format!("<code>{}</code>", escape(&text)));
            }
            Event::SoftBreak => self.html.push('\n'),
            Event::HardBreak => self.html.push_str("<br>\n"),
            Event::Rule => self.html.push_str("<hr>\n"),
            Event::FootnoteReference(name) => self.html.push_str(&escape(&name)),
            Event::TaskListMarker(done) => self.html.push_str(if done { "[x] " } else { "[ ] " }),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => self.start_heading(level as u8),
            Tag::Link { link_type, dest_url, .. } => {
                let address =
                    if link_type == LinkType::Email { format!("mailto:{dest_url}") } else { dest_url.to_string() };
                self.start_link(&address);
            }
            Tag::Image { dest_url, .. } => self.start_link(&dest_url),
            Tag::CodeBlock(_) => {
                self.code += 1;
                self.element("<pre><code>", "</code></pre>\n");
            }
            Tag::TableHead => {
                self.in_head = true;
                self.element("<thead><tr>", "</tr></thead>\n");
            }
            Tag::TableCell if self.in_head => self.element("<th scope=\"col\">", "</th>"),
            Tag::List(Some(first)) if first != 1 => self.element(&format!("<ol start=\"{first}\">"), "</ol>\n"),
            other => {
                let (start, end) = plain_element(&other);
                self.element(start, end);
            }
        }
    }

    fn start_heading(&mut self, level: u8) {
        let level = level.saturating_add(self.lowest).min(self.heading.saturating_add(1)).clamp(1, 6);
        self.heading = level;
        let (start, end) = match level {
            1 => ("<h1>", "</h1>\n"),
            2 => ("<h2>", "</h2>\n"),
            3 => ("<h3>", "</h3>\n"),
            4 => ("<h4>", "</h4>\n"),
            5 => ("<h5>", "</h5>\n"),
            _ => ("<h6>", "</h6>\n"),
        };
        self.element(start, end);
    }

    fn start_link(&mut self, address: &str) {
        self.links += 1;
        match allowed(address) {
            Some(address) if self.links == 1 => self.element(&link_start(address), "</a>"),
            _ => self.open.push(""),
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Link | TagEnd::Image => self.links = self.links.saturating_sub(1),
            TagEnd::CodeBlock => self.code = self.code.saturating_sub(1),
            TagEnd::TableHead => self.in_head = false,
            _ => {}
        }
        if let Some(end) = self.open.pop() {
            self.html.push_str(end);
        }
    }

    fn element(&mut self, start: &str, end: &'static str) {
        if self.open.len() < DEEPEST {
            self.html.push_str(start);
            self.open.push(end);
        } else {
            self.open.push("");
        }
    }

    fn close_all(&mut self) {
        while let Some(end) = self.open.pop() {
            self.html.push_str(end);
        }
    }
}

/// Start and end of the elements that carry nothing but their name; nothing for those that are not written.
fn plain_element(tag: &Tag<'_>) -> (&'static str, &'static str) {
    match tag {
        Tag::Paragraph => ("<p>", "</p>\n"),
        Tag::BlockQuote(_) => ("<blockquote>", "</blockquote>\n"),
        Tag::List(Some(_)) => ("<ol>", "</ol>\n"),
        Tag::List(None) => ("<ul>", "</ul>\n"),
        Tag::Item => ("<li>", "</li>\n"),
        Tag::Table(_) => ("<table>", "</table>\n"),
        Tag::TableRow => ("<tr>", "</tr>\n"),
        Tag::TableCell => ("<td>", "</td>"),
        Tag::Emphasis => ("<em>", "</em>"),
        Tag::Strong => ("<strong>", "</strong>"),
        Tag::Strikethrough => ("<del>", "</del>"),
        _ => ("", ""),
    }
}

#[cfg(test)]
mod tests;
