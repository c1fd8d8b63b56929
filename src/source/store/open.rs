//! Opens every store of images that lies at a place, by content.
//!
//! Rule: a layout, a directory of skopeo or an archive of docker is one store, and no further layouts are looked for in its
//! directories. The storage of a registry, the trees of `oc image mirror` and the workspaces of oc-mirror may lie side by side, and beside
//! those, together with archives; whatever of a directory is none of these is looked through, two directories deep. Links between directories are
//! not followed. Cost: that of opening each store, a listing of each directory, and the headers of each archive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::tree::{DirectoryTree, FileTree, TarTree};
use super::super::{FileFault, FileFaultKind, SkippedFile, SourceError, SourceLimits};
use super::marks::{DEPTH, DIRECTORIES, SEGMENT, is_archive_name, subdirectories};
use super::segments::{self, Run};
use super::{DockerArchive, ImageMirror, OcMirrorV1, OcMirrorV2, OciLayout, RegistryStorage, SkopeoDirectory, Store};

/// Directories that a store of several repositories fills; nothing else is looked for in them.
const FILLED: [&str; 8] =
    ["docker", "v2", "working-dir", "oc-mirror-workspace", ".oc-mirror", ".cache", "src", "publish"];

/// How oc-mirror v2 names the ConfigMap with the signatures of releases, which it writes as JSON and as YAML.
const CONFIG_MAP: &str = "signature-configmap.";

/// What lies at a place.
#[derive(Default)]
pub struct Mirror {
    /// The stores, by directory; those of one directory in a fixed order of shapes, archives last and by name.
    pub stores: Vec<Arc<dyn Store>>,
    /// Those of the stores that are trees of `oc image mirror`, for what they hold beside images.
    pub image_mirrors: Vec<Arc<ImageMirror>>,
    /// Those of the stores that are of oc-mirror v1, for what they hold beside images.
    pub oc_mirror_v1: Vec<Arc<OcMirrorV1>>,
    /// Those of the stores that are of oc-mirror v2, for what they hold beside images.
    pub oc_mirror_v2: Vec<Arc<OcMirrorV2>>,
    /// What could not be read: archives that are cut off, entries that lead out, directories that are closed. What is wrong
    /// within a store, the store itself tells. Paths are those of the file system.
    pub faults: Vec<FileFault>,
    /// Archives that hold no images.
    pub skipped: Vec<SkippedFile>,
}

/// Opens all stores at a place: a directory or an archive.
///
/// # Errors
/// [`SourceError`] where the place cannot be looked at, is a compressed archive, or holds no images at all.
pub fn open_mirror(place: &Path, limits: &SourceLimits) -> Result<Mirror, SourceError> {
    let metadata = fs::metadata(place).map_err(|cause| SourceError::Io { path: place.to_owned(), cause })?;
    let mut opening = Opening { limits, mirror: Mirror::default(), directories: 0 };
    if metadata.is_dir() {
        opening.directory(place, 0);
    } else {
        opening.named_archive(place)?;
    }
    if opening.mirror.stores.is_empty() {
        return Err(SourceError::Unsuitable { path: place.to_owned(), what: opening.mirror.why_nothing() });
    }
    Ok(opening.mirror)
}

impl Mirror {
    /// The files with signatures of releases that lie beside the images, each with the tree that holds it: what
    /// `oc adm release mirror` and oc-mirror wrote for the cluster, and what oc-mirror v2 fetched. By kind of store.
    pub fn release_signatures(&self) -> Vec<(Arc<dyn FileTree>, String)> {
        let mut files = Vec::new();
        let mut add = |store: &dyn Store, paths: Vec<&str>| {
            if let Some(tree) = store.tree() {
                files.extend(paths.into_iter().map(|path| (Arc::clone(&tree), path.to_owned())));
            }
        };
        for store in &self.image_mirrors {
            add(&**store, store.release_signatures().iter().map(String::as_str).collect());
        }
        for store in &self.oc_mirror_v1 {
            add(&**store, store.release_signatures());
        }
        for store in &self.oc_mirror_v2 {
            let resources = store.cluster_resources().iter();
            let maps =
                resources.filter(|path| path.rsplit('/').next().is_some_and(|name| name.starts_with(CONFIG_MAP)));
            add(&**store, store.release_signatures().iter().chain(maps).map(String::as_str).collect());
        }
        files
    }

    fn why_nothing(&self) -> String {
        let fault = self.faults.iter().map(|fault| (&fault.path, &fault.reason)).next();
        let skipped = self.skipped.iter().map(|skipped| (&skipped.path, &skipped.reason)).next();
        match fault.or(skipped) {
            Some((path, reason)) => format!("no images can be read here; {path}: {reason}"),
            None => "no images lie here".to_owned(),
        }
    }
}

/// A search for stores.
struct Opening<'l> {
    limits: &'l SourceLimits,
    mirror: Mirror,
    directories: usize,
}

impl Opening<'_> {
    fn directory(&mut self, place: &Path, depth: usize) {
        self.directories += 1;
        if self.directories > DIRECTORIES {
            return;
        }
        if self.directories == DIRECTORIES {
            let reason = format!("there are {DIRECTORIES} directories or more, of which the rest is not looked at");
            self.fault(place, FileFaultKind::Limit, reason);
        }
        let tree = DirectoryTree::new(place).and_then(|tree| tree.names("").map(|names| (tree, names)));
        let (tree, names) = match tree {
            Ok((tree, names)) => (Arc::new(tree) as Arc<dyn FileTree>, names),
            Err(error) => return self.fault(place, FileFaultKind::Unreadable, error.to_string()),
        };
        let is_filled = match self.single(&tree) {
            Ok(is_filled) => is_filled,
            Err(error) => return self.fault(place, FileFaultKind::Unreadable, error.to_string()),
        };
        let before = self.mirror.stores.len();
        if let Err(error) = self.many(&tree) {
            self.fault(place, FileFaultKind::Unreadable, error.to_string());
        }
        let has_stores = self.mirror.stores.len() > before;
        self.archives(place, &tree, &names);
        if is_filled {
            return;
        }
        let fills = |name: &String| has_stores && FILLED.contains(&name.as_str());
        // Where a store was found, but none of its directories: the directory itself is a part of one.
        if depth == DEPTH || (has_stores && !names.iter().any(fills)) {
            return;
        }
        let others: Vec<String> = names.iter().filter(|name| !fills(name)).cloned().collect();
        for below in subdirectories(place, &others) {
            self.directory(&below, depth + 1);
        }
    }

    /// Opens the shape that fills a tree, where it has one.
    fn single(&mut self, tree: &Arc<dyn FileTree>) -> Result<bool, SourceError> {
        let found = self.add(OciLayout::open(Arc::clone(tree), self.limits)?).is_some()
            || self.add(SkopeoDirectory::open(Arc::clone(tree), self.limits)?).is_some()
            || self.add(DockerArchive::open(Arc::clone(tree), self.limits)?).is_some();
        Ok(found)
    }

    /// Opens the shapes that may lie side by side in a tree.
    fn many(&mut self, tree: &Arc<dyn FileTree>) -> Result<(), SourceError> {
        self.add(RegistryStorage::open(Arc::clone(tree), self.limits)?);
        match self.add(OcMirrorV1::open_workspace(Arc::clone(tree), self.limits)?) {
            Some(workspace) => self.mirror.oc_mirror_v1.push(workspace),
            None => {
                let images = self.add(ImageMirror::open(Arc::clone(tree), self.limits)?);
                self.mirror.image_mirrors.extend(images);
            }
        }
        let directory = self.add(OcMirrorV2::open_working_directory(Arc::clone(tree), self.limits)?);
        self.mirror.oc_mirror_v2.extend(directory);
        Ok(())
    }

    fn add<S: Store + 'static>(&mut self, store: Option<S>) -> Option<Arc<S>> {
        let store = Arc::new(store?);
        self.mirror.stores.push(Arc::clone(&store) as Arc<dyn Store>);
        Some(store)
    }

    /// Opens the archives of a directory: those of oc-mirror by run, the others each for itself.
    fn archives(&mut self, place: &Path, beside: &Arc<dyn FileTree>, names: &[String]) {
        let mut others: Vec<&String> = names.iter().filter(|name| is_archive_name(name)).collect();
        let (runs, _) = segments::of_oc_mirror_v1(names);
        others.retain(|name| !runs.iter().any(|run| run.names.contains(name)));
        if let Err(error) = self.archives_of_v1(place, &runs) {
            self.fault(place, FileFaultKind::Unreadable, error.to_string());
        }
        if let Some((run, _)) = segments::of_oc_mirror_v2(names) {
            others.retain(|name| !run.names.contains(name));
            if let Err(error) = self.archive_of_v2(place, &run, beside) {
                self.fault(place, FileFaultKind::Unreadable, error.to_string());
            }
        }
        for name in others {
            self.other_archive(&place.join(name), name);
        }
    }

    fn archives_of_v1(&mut self, place: &Path, runs: &[Run]) -> Result<(), SourceError> {
        let mut trees = Vec::new();
        for run in runs {
            trees.push((run.sequence, self.tree(place, &paths(place, run))?));
        }
        let names: Vec<String> = runs.iter().flat_map(|run| run.names.iter().cloned()).collect();
        let store = self.add(OcMirrorV1::open_archives(trees, &names, self.limits)?);
        self.mirror.oc_mirror_v1.extend(store);
        Ok(())
    }

    fn archive_of_v2(&mut self, place: &Path, run: &Run, beside: &Arc<dyn FileTree>) -> Result<(), SourceError> {
        let tree = self.tree(place, &paths(place, run))?;
        match self.add(OcMirrorV2::open_archive(tree, &run.names, Some(beside), self.limits)?) {
            Some(store) => self.mirror.oc_mirror_v2.push(store),
            None => {
                let names = run.names.join(", ");
                self.fault(place, FileFaultKind::Unreadable, format!("there is nothing of oc-mirror in {names}"));
            }
        }
        Ok(())
    }

    /// Opens an archive of no run; one that holds no images is passed over, unless it is cut off or compressed by whoever
    /// moved the archives of oc-mirror.
    fn other_archive(&mut self, archive: &Path, name: &str) {
        let (stores, faults) = (self.mirror.stores.len(), self.mirror.faults.len());
        let reason = match self.archive(archive) {
            Ok(()) => "it holds no images".to_owned(),
            Err(SourceError::Unsuitable { what, .. }) if !name.starts_with(SEGMENT) => what,
            Err(error) => return self.fault(archive, FileFaultKind::Unreadable, error.to_string()),
        };
        if self.mirror.stores.len() == stores && self.mirror.faults.len() == faults {
            self.mirror.skipped.push(SkippedFile { path: archive.display().to_string(), reason });
        }
    }

    /// Opens the archive that was named, be it one of several segments.
    fn named_archive(&mut self, place: &Path) -> Result<(), SourceError> {
        self.archive(place)?;
        let name = place.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let directory = place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let names = DirectoryTree::new(directory).and_then(|tree| tree.names("")).unwrap_or_default();
        let mut runs = segments::of_oc_mirror_v1(&names).0;
        runs.extend(segments::of_oc_mirror_v2(&names).map(|(run, _)| run));
        if let Some(run) = runs.iter().find(|run| run.names.contains(&name) && run.names.len() > 1) {
            let reason = format!("it is one of {} segments; name their directory to read all of them", run.names.len());
            self.fault(place, FileFaultKind::Unreadable, reason);
        }
        Ok(())
    }

    /// Opens whatever one archive holds.
    fn archive(&mut self, archive: &Path) -> Result<(), SourceError> {
        let tree = self.tree(archive, &[archive.to_owned()])?;
        if self.single(&tree)? {
            return Ok(());
        }
        let is_configuration = |name: &String| name.starts_with("isc_");
        if tree.is_directory("working-dir") || tree.names("").is_ok_and(|names| names.iter().any(is_configuration)) {
            let store = self.add(OcMirrorV2::open_archive(tree, &[], None, self.limits)?);
            self.mirror.oc_mirror_v2.extend(store);
            return Ok(());
        }
        self.many(&tree)
    }

    fn tree(&mut self, place: &Path, archives: &[PathBuf]) -> Result<Arc<dyn FileTree>, SourceError> {
        let tree = TarTree::open(place, archives)?;
        self.mirror.faults.extend(tree.faults());
        Ok(Arc::new(tree))
    }

    fn fault(&mut self, place: &Path, kind: FileFaultKind, reason: String) {
        self.mirror.faults.push(FileFault { path: place.display().to_string(), kind, reason });
    }
}

fn paths(place: &Path, run: &Run) -> Vec<PathBuf> {
    run.names.iter().map(|name| place.join(name)).collect()
}

#[cfg(test)]
mod tests;
