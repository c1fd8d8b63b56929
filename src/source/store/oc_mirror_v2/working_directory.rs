//! What lies in the working directory of oc-mirror v2.
//!
//! Rule: oc-mirror, `internal/pkg/cli/const.go`, `internal/pkg/operator/const.go`, `internal/pkg/release/const.go`. A catalog
//! lies by the last part of its name and by its true digest: as an image, as the catalog that was unpacked from it, and
//! filtered, once for each image set. A release lies by name and tag. Cost: the names of these directories.

use std::sync::Arc;

use crate::finding::ContentDigest;

use super::super::layouts::{Layouts, RootName};
use super::super::walk::{Walk, join};
use super::super::{Root, RootContent};
use crate::source::tree::FileTree;
use crate::source::{FileFaultKind, SourceError, SourceLimits};

/// A digest in a file of its own, with room for an end of line.
const DIGEST_BYTES: u64 = 512;

/// Where catalogs lie in nearly every image; oc-mirror keeps whatever path has this text in it, and only this one counts.
const CONFIGS: &str = "configs";

/// A working directory.
pub(super) struct WorkingDirectory {
    /// Catalogs, then releases, then the graph.
    pub(super) roots: Vec<Root>,
    /// Their layouts.
    pub(super) layouts: Layouts,
    /// What is no image.
    pub(super) files: OtherFiles,
}

/// Files that are no images, by path.
#[derive(Default)]
pub(super) struct OtherFiles {
    /// Answers of the update service.
    pub(super) graphs: Vec<String>,
    /// Signatures of releases.
    pub(super) signatures: Vec<String>,
    /// Manifests for the cluster.
    pub(super) cluster_resources: Vec<String>,
    /// Image set configurations.
    pub(super) configurations: Vec<String>,
    /// Logs of errors.
    pub(super) logs: Vec<String>,
}

/// Whether a directory is a working directory: one of its names alone could stand anywhere.
pub(super) fn is_one(tree: &dyn FileTree, base: &str) -> bool {
    let known = ["operator-catalogs", "release-images", "hold-release", ".history", "cluster-resources", "signatures"];
    known.iter().filter(|name| tree.is_directory(&join(base, name))).count() >= if base.is_empty() { 2 } else { 1 }
}

/// The image set configurations of a directory.
pub(super) fn configurations(walk: &mut Walk<'_>, directory: &str) -> Vec<String> {
    files(walk, directory, |name| name.starts_with("isc_") || name.starts_with("disc_"))
}

/// Reads a working directory.
///
/// # Errors
/// [`SourceError`] where a layout cannot be looked at.
pub(super) fn read(
    walk: &mut Walk<'_>,
    tree: &Arc<dyn FileTree>,
    base: &str,
    limits: &SourceLimits,
) -> Result<WorkingDirectory, SourceError> {
    let files = OtherFiles {
        graphs: files(walk, &join(base, "hold-release/cincinnati-graph-data"), |name| name.ends_with(".json")),
        signatures: files(walk, &join(base, "signatures"), |name| name.contains("-sha256-")),
        cluster_resources: files(walk, &join(base, "cluster-resources"), |_| true),
        configurations: configurations(walk, base),
        logs: files(walk, &join(base, "logs"), |name| name.starts_with("mirroring_errors_") && name.ends_with(".txt")),
    };
    let mut reader = Reader { walk, tree, base, limits, roots: Vec::new(), layouts: Layouts::default() };
    reader.catalogs()?;
    reader.releases()?;
    reader.unpacked_releases();
    reader.graph()?;
    Ok(WorkingDirectory { roots: reader.roots, layouts: reader.layouts, files })
}

fn files(walk: &mut Walk<'_>, directory: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let names = walk.names(directory);
    let paths = names.iter().filter(|name| is_wanted(name)).map(|name| join(directory, name));
    paths.filter(|path| walk.tree.is_file(path)).collect()
}

struct Reader<'r, 't> {
    walk: &'r mut Walk<'t>,
    tree: &'r Arc<dyn FileTree>,
    base: &'r str,
    limits: &'r SourceLimits,
    roots: Vec<Root>,
    layouts: Layouts,
}

impl Reader<'_, '_> {
    /// `operator-catalogs/<name>/<digits>/`.
    fn catalogs(&mut self) -> Result<(), SourceError> {
        let start = join(self.base, "operator-catalogs");
        for (name, hex) in self.pairs(&start) {
            let directory = format!("{start}/{name}/{hex}");
            let identity = digest_of(&hex);
            if identity.is_none() {
                self.fault(&directory, "its name is no digest: which catalog it is cannot be told".to_owned());
            }
            let original = named(&name, None, identity);
            if !self.layout(&format!("{directory}/catalog-image"), &original)? {
                self.unpacked_catalog(&format!("{directory}/catalog-config/{CONFIGS}"), original);
            }
            let filtered = format!("{directory}/filtered-catalogs");
            for filter in self.walk.names(&filtered) {
                self.filtered_catalog(&name, &filtered, &filter);
            }
        }
        Ok(())
    }

    fn unpacked_catalog(&mut self, directory: &str, name: RootName) {
        if self.tree.is_directory(directory) {
            let mut root = name.root(RootContent::CatalogDirectory(directory.to_owned()));
            root.notes.push("the image is not here; what was unpacked from it is read instead".to_owned());
            self.roots.push(root);
        }
    }

    /// `<filter>/{catalog-config, digest}`: what the cluster will see. In the cache its tag is the name of the filter.
    fn filtered_catalog(&mut self, name: &str, filtered: &str, filter: &str) {
        let directory = format!("{filtered}/{filter}/catalog-config");
        if !self.tree.is_directory(&directory) {
            return;
        }
        let path = format!("{filtered}/{filter}/digest");
        let mut notes = vec!["the catalog as oc-mirror filtered it for one image set".to_owned()];
        let identity = match self.tree.read(&path, DIGEST_BYTES) {
            Ok(bytes) => {
                let identity = digest_of(String::from_utf8_lossy(&bytes).trim());
                if identity.is_none() {
                    self.fault(&path, "it holds no digest".to_owned());
                }
                identity
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                notes.push("no image was ever built of it".to_owned());
                None
            }
            Err(error) => {
                self.fault(&path, error.to_string());
                None
            }
        };
        let mut root = named(name, Some(filter), identity).root(RootContent::CatalogDirectory(directory));
        root.notes = notes;
        self.roots.push(root);
    }

    /// `release-images/<name>/<tag>/`, or `<name>@sha256/<digits>/` where no tag is known.
    fn releases(&mut self) -> Result<(), SourceError> {
        let start = join(self.base, "release-images");
        for (name, tag) in self.pairs(&start) {
            self.layout(&format!("{start}/{name}/{tag}"), &release(&name, &tag))?;
        }
        Ok(())
    }

    /// `hold-release/<name>/<tag>/`, which holds the manifests of a release, unpacked.
    fn unpacked_releases(&mut self) {
        let start = join(self.base, "hold-release");
        for (name, tag) in self.pairs(&start) {
            let directory = format!("{start}/{name}/{tag}");
            if !self.tree.is_directory(&format!("{directory}/release-manifests")) {
                continue;
            }
            let name = release(&format!("hold-release/{name}"), &tag);
            self.roots.push(name.root(RootContent::PayloadDirectory(directory)));
        }
    }

    fn graph(&mut self) -> Result<(), SourceError> {
        let directory = join(self.base, "graph-preparation");
        if self.tree.is_file(&format!("{directory}/oci-layout")) {
            self.layout(&directory, &named("openshift/graph-image", Some("latest"), None))?;
        }
        Ok(())
    }

    /// Opens a layout, and tells whether it has a root.
    fn layout(&mut self, directory: &str, name: &RootName) -> Result<bool, SourceError> {
        let roots = self.layouts.open(self.tree, directory, name, self.limits)?;
        let has_one = !roots.is_empty();
        self.roots.extend(roots);
        Ok(has_one)
    }

    /// The directories `<name>/<child>/` below a directory.
    fn pairs(&mut self, start: &str) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for name in self.walk.names(start) {
            let directory = format!("{start}/{name}");
            if !self.walk.is_own_directory(&directory) {
                continue;
            }
            for child in self.walk.names(&directory) {
                if self.walk.is_own_directory(&format!("{directory}/{child}")) {
                    pairs.push((name.clone(), child));
                }
            }
        }
        pairs
    }

    fn fault(&mut self, path: &str, reason: String) {
        self.walk.fault(path, FileFaultKind::Unreadable, reason);
    }
}

fn digest_of(hex: &str) -> Option<ContentDigest> {
    format!("sha256:{hex}").parse().ok()
}

fn release(name: &str, tag: &str) -> RootName {
    match name.strip_suffix("@sha256") {
        Some(name) => named(name, None, digest_of(tag)),
        None => named(name, Some(tag), None),
    }
}

fn named(repository: &str, tag: Option<&str>, identity: Option<ContentDigest>) -> RootName {
    RootName { repository: repository.to_owned(), tag: tag.map(str::to_owned), identity }
}
