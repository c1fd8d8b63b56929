//! What a run reads: catalogs by name, wherever they lie.
//!
//! Cost: none; nothing is opened here.

use std::path::PathBuf;
use std::sync::Arc;

use crate::finding::ContentDigest;
use crate::source::image::Platform;
use crate::source::store::Store;
use crate::source::tree::FileTree;
use crate::source::{FileFault, SkippedFile};

/// A catalog to read.
#[derive(Clone)]
pub struct CatalogInput {
    /// Its name.
    pub name: Arc<str>,
    /// Where it lies: a path, or `registry:HOST`.
    pub place: PathBuf,
    /// What is to be read there.
    pub content: CatalogContent,
    /// What was wrong with the place itself when it was opened; told once, with one of the catalogs that lie there.
    pub faults: Vec<FileFault>,
    /// What was left out of the place, told with the faults.
    pub skipped: Vec<SkippedFile>,
}

/// What a catalog is read from.
#[derive(Clone)]
pub enum CatalogContent {
    /// The directory or file at the place itself.
    Directory,
    /// A directory in the tree of files of a store.
    Tree {
        /// The tree.
        tree: Arc<dyn FileTree>,
        /// What the store calls it.
        name: String,
        /// The directory in it.
        directory: String,
    },
    /// A catalog image.
    Image(ImageInput),
    /// Nothing: the place could not be opened, and why.
    Unreadable(String),
}

/// An image of a store.
#[derive(Clone)]
pub struct ImageInput {
    /// What the store calls it.
    pub name: String,
    /// The store.
    pub store: Arc<dyn Store>,
    /// The repository, where the store keeps one.
    pub repository: Option<String>,
    /// The digest of its manifest, or of an index that holds it.
    pub digest: ContentDigest,
    /// The digest that others know it by, where that is known and proven.
    pub identity: Option<ContentDigest>,
    /// Which image of an index is read.
    pub platform: Platform,
}

impl CatalogInput {
    /// The directory or file at a place.
    pub fn directory(name: impl Into<Arc<str>>, place: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            place: place.into(),
            content: CatalogContent::Directory,
            faults: Vec::new(),
            skipped: Vec::new(),
        }
    }

    /// A place that could not be opened.
    pub fn unreadable(name: impl Into<Arc<str>>, place: impl Into<PathBuf>, reason: String) -> Self {
        Self { content: CatalogContent::Unreadable(reason), ..Self::directory(name, place) }
    }

    /// What the store calls the part that is meant; `None` where the place is all of it.
    pub fn part(&self) -> Option<&str> {
        match &self.content {
            CatalogContent::Directory | CatalogContent::Unreadable(_) => None,
            CatalogContent::Tree { name, .. } => Some(name),
            CatalogContent::Image(image) => Some(&image.name),
        }
    }

    /// The place with the part of it that is meant, as `SOURCE#REF`.
    pub fn whole_place(&self) -> PathBuf {
        match self.part() {
            Some(part) if !self.names(part) => PathBuf::from(format!("{}#{part}", self.place.display())),
            _ => self.place.clone(),
        }
    }

    /// The place for a report, which must not tell how the machine that made it is laid out: the last part of the path.
    pub fn shown_place(&self) -> String {
        let place = self.place.to_string_lossy();
        let last = match place.strip_prefix("registry:") {
            Some(_) => place.clone().into_owned(),
            None => self.place.file_name().map_or_else(|| ".".to_owned(), |name| name.to_string_lossy().into_owned()),
        };
        match self.part() {
            Some(part) if !self.names(part) => format!("{last}#{part}"),
            _ => last,
        }
    }

    /// Whether the place itself names the part, as `registry:HOST/REPO:TAG` does.
    fn names(&self, part: &str) -> bool {
        let place = self.place.to_string_lossy();
        place.starts_with("registry:") && place.ends_with(&format!("/{part}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_no_directory_above_the_place() {
        let input = CatalogInput::directory("c", "/srv/secret-site/4.18");
        assert_eq!(
            (input.shown_place(), input.whole_place()),
            ("4.18".to_owned(), PathBuf::from("/srv/secret-site/4.18"))
        );
        assert_eq!(CatalogInput::directory("c", "..").shown_place(), ".");
    }

    #[test]
    fn a_registry_that_names_one_image_names_it_once() {
        let of = |place: &str| CatalogInput::directory("c", place);
        assert!(of("registry:host:5000/a/index:v4").names("a/index:v4"));
        assert!(!of("registry:host:5000").names("a/index:v4"));
        assert!(!of("/mirror/a/index:v4").names("a/index:v4"), "a directory is one place for many");
    }
}
