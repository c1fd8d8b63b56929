//! OCI image layouts that lie inside the working directories of oc-mirror.
//!
//! Rule: oc-mirror, `internal/pkg/operator/catalog_handler.go` and `internal/pkg/release/local_stored_collector.go`: a copy
//! in a layout was converted, so that its own digest is another one; the digest that others know stands in the name of its
//! directory. A run that broke off leaves a layout without all of its blobs, and later runs pass over it, so that only
//! reading the blobs tells whether it is whole. Cost: that of opening each layout.

use std::sync::Arc;

use crate::finding::ContentDigest;

use super::{OciLayout, Presence, Root, RootContent, Store};
use crate::source::tree::{FileTree, Subtree};
use crate::source::{FileFault, FileFaultKind, SourceError, SourceLimits};

/// What a root is called.
#[derive(Debug, Clone)]
pub(super) struct RootName {
    /// Its repository.
    pub(super) repository: String,
    /// Its tag, where one is known.
    pub(super) tag: Option<String>,
    /// The digest that others know it by, where that is known.
    pub(super) identity: Option<ContentDigest>,
}

impl RootName {
    /// The root of this name.
    pub(super) fn root(self, content: RootContent) -> Root {
        let Self { repository, tag, identity } = self;
        Root { repository: Some(repository), tag, identity, content, notes: Vec::new() }
    }
}

/// The layouts of a working directory.
#[derive(Default)]
pub(super) struct Layouts {
    stores: Vec<OciLayout>,
    /// What is wrong with them; paths are those of the tree around them.
    pub(super) faults: Vec<FileFault>,
}

impl Layouts {
    /// Opens the layout in a directory, and answers with its images as roots of this name. No layout, no
    /// roots: a directory that is none is a fault.
    ///
    /// # Errors
    /// [`SourceError`] where the layout cannot be looked at.
    pub(super) fn open(
        &mut self,
        tree: &Arc<dyn FileTree>,
        directory: &str,
        name: &RootName,
        limits: &SourceLimits,
    ) -> Result<Vec<Root>, SourceError> {
        let part = Arc::new(Subtree::new(Arc::clone(tree), directory));
        let Some(layout) = OciLayout::open(part, limits)? else {
            if tree.is_directory(directory) {
                self.fault(directory, "it is no whole OCI layout: an earlier run broke off here, or the rest lies in another archive of the same run".to_owned());
            }
            return Ok(Vec::new());
        };
        for fault in layout.faults() {
            self.faults.push(FileFault { path: format!("{directory}/{}", fault.path), ..fault.clone() });
        }
        let found = layout.roots().unwrap_or_else(|error| {
            self.fault(directory, error.what);
            Vec::new()
        });
        let is_alone = found.len() == 1;
        let roots = found.into_iter().map(|root| named(root, name, is_alone)).collect();
        self.stores.push(layout);
        Ok(roots)
    }

    /// The layouts as stores.
    pub(super) fn stores(&self) -> impl Iterator<Item = &dyn Store> {
        self.stores.iter().map(|layout| layout as &dyn Store)
    }

    fn fault(&mut self, directory: &str, reason: String) {
        self.faults.push(FileFault { path: directory.to_owned(), kind: FileFaultKind::Unreadable, reason });
    }
}

/// A root of a layout under the name of its directory; which of several images that name means is not known.
fn named(found: Root, name: &RootName, is_alone: bool) -> Root {
    let name = if is_alone { name.clone() } else { RootName { tag: found.tag, identity: None, ..name.clone() } };
    let mut root = name.root(found.content);
    if !is_alone {
        root.notes.push("its layout holds several images, and which of them is meant is not known".to_owned());
    }
    if let RootContent::Image(digest) = &root.content
        && root.identity.as_ref() != Some(digest)
    {
        root.notes.push(format!(
            "what lies here has the digest {digest}; a copy that was converted has another one than its source"
        ));
    }
    root
}

/// The first store that has what a digest names, else the first in which something else stands in its place.
pub(super) fn holder<'s>(
    stores: impl Iterator<Item = &'s dyn Store>,
    repository: Option<&str>,
    digest: &ContentDigest,
) -> Option<(&'s dyn Store, Presence)> {
    let mut bad = None;
    for store in stores {
        match store.presence(repository, digest) {
            presence @ Presence::Present { .. } => return Some((store, presence)),
            presence @ Presence::Bad(_) if bad.is_none() => bad = Some((store, presence)),
            _ => {}
        }
    }
    bad
}
