//! Catalogs in a workspace or an archive of oc-mirror v1.
//!
//! Rule: oc-mirror, `v1/pkg/config/metadata.go`: `catalogs/<registry>/<name…>/<tag or digest>/` holds `index/index.json`, the
//! filtered catalog, and `layout/`, the original as an OCI image layout. Cost: the names below `catalogs`.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::layouts::{Layouts, RootName};
use super::super::walk::{Walk, join};
use super::super::{Root, RootContent};
use crate::source::tree::FileTree;
use crate::source::{SourceError, SourceLimits};

/// Where catalogs lie.
pub(super) const DIRECTORY: &str = "catalogs";

/// The catalogs of all runs.
#[derive(Default)]
pub(super) struct Catalogs {
    /// Each filtered catalog, and its original after it.
    pub(super) roots: Vec<Root>,
    /// The originals.
    pub(super) layouts: Layouts,
    seen: BTreeSet<String>,
}

impl Catalogs {
    /// Reads the catalogs of one run; those that a newer run has are passed over.
    ///
    /// # Errors
    /// [`SourceError`] where a layout cannot be looked at.
    pub(super) fn read(
        &mut self,
        walk: &mut Walk<'_>,
        tree: &Arc<dyn FileTree>,
        run: &str,
        limits: &SourceLimits,
    ) -> Result<(), SourceError> {
        let start = join(run, DIRECTORY);
        let mut found = Vec::new();
        walk.descend(&start, |walk, below, names| {
            let directory = join(&start, below);
            let has = |path: &str| walk.tree.is_file(&join(&directory, path));
            if has("index/index.json") || has("layout/oci-layout") {
                found.push(below.to_owned());
                return Vec::new();
            }
            names
        });
        for below in found {
            if self.seen.insert(below.clone()) {
                self.catalog(tree, &start, &below, limits)?;
            }
        }
        Ok(())
    }

    fn catalog(
        &mut self,
        tree: &Arc<dyn FileTree>,
        start: &str,
        below: &str,
        limits: &SourceLimits,
    ) -> Result<(), SourceError> {
        let Some((repository, reference)) = below.rsplit_once('/') else { return Ok(()) };
        let identity = reference.parse().ok();
        let tag = identity.is_none().then(|| reference.to_owned());
        let directory = format!("{start}/{below}");
        let index = format!("{directory}/index");
        if tree.is_file(&format!("{index}/index.json")) {
            // The image of the filtered catalog is built when it is published; its digest stands nowhere.
            let name = RootName { repository: repository.to_owned(), tag: Some(reference.to_owned()), identity: None };
            let mut root = name.root(RootContent::CatalogDirectory(index));
            root.notes.push("the catalog as oc-mirror filtered it".to_owned());
            self.roots.push(root);
        }
        let layout = format!("{directory}/layout");
        if tree.is_directory(&layout) {
            let name = RootName { repository: repository.to_owned(), tag: None, identity };
            let mut originals = self.layouts.open(tree, &layout, &name, limits)?;
            for root in &mut originals {
                let meant = tag.as_ref().map_or_else(String::new, |tag| format!(", which the tag {tag} meant"));
                root.notes.insert(0, format!("the original catalog{meant}"));
            }
            self.roots.extend(originals);
        }
        Ok(())
    }
}
