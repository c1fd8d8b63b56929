//! What a finding is about, and where a fact stands in the inputs.
//!
//! Names are shared (`Arc<str>`): the same catalog and file names stand in thousands of facts.
//! Cost: a few words each.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ContentDigest;

/// What a finding is about, from the outside in; a level that does not apply is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Subject {
    /// Name of the catalog.
    pub catalog: Option<Arc<str>>,
    /// Name of the package.
    pub package: Option<Arc<str>>,
    /// Name of the channel.
    pub channel: Option<Arc<str>>,
    /// Name of the bundle.
    pub bundle: Option<Arc<str>>,
}

impl Subject {
    /// A catalog as a whole.
    pub fn catalog(catalog: impl Into<Arc<str>>) -> Self {
        Self { catalog: Some(catalog.into()), ..Self::default() }
    }

    /// A package of a catalog.
    pub fn package(catalog: impl Into<Arc<str>>, package: impl Into<Arc<str>>) -> Self {
        Self { package: Some(package.into()), ..Self::catalog(catalog) }
    }

    /// A channel of a package.
    pub fn channel(catalog: impl Into<Arc<str>>, package: impl Into<Arc<str>>, channel: impl Into<Arc<str>>) -> Self {
        Self { channel: Some(channel.into()), ..Self::package(catalog, package) }
    }

    /// A bundle of a package, in whatever channel.
    pub fn bundle(catalog: impl Into<Arc<str>>, package: impl Into<Arc<str>>, bundle: impl Into<Arc<str>>) -> Self {
        Self { bundle: Some(bundle.into()), ..Self::package(catalog, package) }
    }

    /// The same subject, narrowed to a channel.
    #[must_use]
    pub fn in_channel(mut self, channel: impl Into<Arc<str>>) -> Self {
        self.channel = Some(channel.into());
        self
    }

    /// The same subject, narrowed to a bundle.
    #[must_use]
    pub fn of_bundle(mut self, bundle: impl Into<Arc<str>>) -> Self {
        self.bundle = Some(bundle.into());
        self
    }

    /// Catalog, package, channel, bundle.
    pub fn levels(&self) -> [Option<&str>; 4] {
        [&self.catalog, &self.package, &self.channel, &self.bundle].map(|level| level.as_deref())
    }

    /// The level of this name (`catalog`, `package`, `channel`, `bundle`).
    pub fn level(&self, name: &str) -> Option<&str> {
        match name {
            "catalog" => self.catalog.as_deref(),
            "package" => self.package.as_deref(),
            "channel" => self.channel.as_deref(),
            "bundle" => self.bundle.as_deref(),
            _ => None,
        }
    }
}

/// Where a fact stands: input, image, path, document, line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceRef {
    /// The input's name.
    pub source: Arc<str>,
    /// Digest of the image, where the input is one.
    pub image: Option<ContentDigest>,
    /// Path relative to the input, with `/` between its parts.
    pub path: Option<Arc<str>>,
    /// Number of the document in the file, from 1.
    pub document: Option<u32>,
    /// Line in the file, from 1.
    pub line: Option<u32>,
}

impl SourceRef {
    /// An input as a whole.
    pub fn input(source: impl Into<Arc<str>>) -> Self {
        Self { source: source.into(), image: None, path: None, document: None, line: None }
    }

    /// A file of an input.
    pub fn file(source: impl Into<Arc<str>>, path: impl Into<Arc<str>>) -> Self {
        Self { path: Some(path.into()), ..Self::input(source) }
    }

    /// The same place inside the image of this digest.
    #[must_use]
    pub fn in_image(mut self, image: Option<ContentDigest>) -> Self {
        self.image = image;
        self
    }

    /// A document of this file; both numbers count from 1.
    #[must_use]
    pub fn document(mut self, document: u32, line: u32) -> Self {
        self.document = Some(document);
        self.line = Some(line);
        self
    }

    /// The same document at a line that is counted from the document's own first line.
    #[must_use]
    pub fn line_in_document(mut self, relative: u32) -> Self {
        self.line = Some(self.line.unwrap_or(1).saturating_add(relative.saturating_sub(1)));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_inside_a_document_counts_from_the_documents_first_line() {
        let place = SourceRef::file("c", "catalog.yaml").document(2, 10);
        assert_eq!(place.clone().line_in_document(1).line, Some(10));
        assert_eq!(place.line_in_document(5).line, Some(14));
    }

    #[test]
    fn a_level_is_found_by_its_word() {
        let subject = Subject::bundle("c", "p", "p.v1").in_channel("s");
        assert_eq!(subject.levels(), [Some("c"), Some("p"), Some("s"), Some("p.v1")]);
        assert_eq!(subject.level("channel"), Some("s"));
        assert_eq!(subject.level("colour"), None);
    }
}
