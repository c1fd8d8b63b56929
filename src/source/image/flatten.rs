//! Lays layers over one another.
//!
//! Rule: OCI image specification, `layer.md`, "Applying Changesets" and "Whiteouts": whiteouts of a layer act on the layers
//! below it alone, wherever in the layer they stand; a directory over a directory merges, and anything else replaces; a hard
//! link is another name for what its target is at that time. Where an entry lies below a link or a file, tools differ in
//! what they do (containerd follows a link, containers/storage makes a directory in its place): it is taken as the latter,
//! which is what OpenShift's nodes run, and told as a fault.
//!
//! Cost: a few searches in a map for each entry and each directory above it.

#[cfg(test)]
mod referee;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Bound;

use super::tree::{ImageFile, ImageTree, Node};
use super::wanted::Relation;
use super::{LayerEntries, LayerEntry, LayerEntryKind, Wanted};
use crate::source::{FileFault, FileFaultKind};

/// The wanted files of an image, from what its layers say, lowest first.
///
/// The layers must have been walked with the same wanted paths.
pub fn flatten<'l>(layers: impl IntoIterator<Item = &'l LayerEntries>, wanted: &Wanted) -> ImageTree {
    let mut flattening = Flattening { nodes: BTreeMap::new(), faults: Vec::new(), wanted };
    let mut further_faults = 0;
    for (number, layer) in layers.into_iter().enumerate() {
        flattening.take_away(layer);
        for entry in &layer.entries {
            flattening.put(number, entry);
        }
        flattening.faults.extend(layer.faults.iter().cloned());
        further_faults += layer.further_faults;
    }
    ImageTree::new(flattening.nodes, flattening.faults, further_faults, wanted.clone())
}

struct Flattening<'w> {
    nodes: BTreeMap<String, Node>,
    faults: Vec<FileFault>,
    wanted: &'w Wanted,
}

impl Flattening<'_> {
    /// What the layers below have, and this one takes away. Nothing of this layer is there yet.
    fn take_away(&mut self, layer: &LayerEntries) {
        for path in &layer.whiteouts {
            let is_link = |end: usize| {
                matches!(path.get(..end).map(|parent| self.nodes.get(parent)), Some(Some(Node::SymbolicLink(_))))
            };
            if path.match_indices('/').any(|(end, _)| is_link(end)) {
                let reason = "it is taken away through a link, and tools differ in what they do".to_owned();
                self.faults.push(FileFault { path: path.clone(), kind: FileFaultKind::Unreadable, reason });
            }
            self.nodes.remove(path);
            self.empty(path);
        }
        for directory in &layer.opaque {
            self.empty(directory);
        }
    }

    fn empty(&mut self, directory: &str) {
        let below: Vec<String> = below(&self.nodes, directory).map(|(path, _)| path.to_owned()).collect();
        for path in below {
            self.nodes.remove(&path);
        }
    }

    fn put(&mut self, layer: usize, entry: &LayerEntry) {
        let node = match &entry.kind {
            LayerEntryKind::File(bytes) => Node::File(ImageFile { layer, entry: entry.number, bytes: *bytes }),
            LayerEntryKind::Directory => Node::Directory,
            LayerEntryKind::SymbolicLink(target) => Node::SymbolicLink(target.clone()),
            LayerEntryKind::HardLink(target) => self.linked(target),
            LayerEntryKind::Unusable(reason) => Node::Unusable(reason.clone()),
        };
        self.make_parents(&entry.path);
        match (self.nodes.get(&entry.path), &node) {
            (Some(Node::Directory), Node::Directory) => {}
            (_, Node::Directory) => {
                self.nodes.insert(entry.path.clone(), node);
            }
            _ => {
                self.empty(&entry.path);
                self.nodes.insert(entry.path.clone(), node);
            }
        }
    }

    /// What the target of a hard link is now.
    fn linked(&self, target: &str) -> Node {
        match self.nodes.get(target) {
            Some(Node::Directory) => Node::Unusable(format!("it is a hard link to {target:?}, which is a directory")),
            Some(node) => node.clone(),
            None if self.wanted.relation(target) == Relation::Outside => Node::Unknown(target.to_owned()),
            None => Node::Unusable(format!("it is a hard link to {target:?}, which is not there")),
        }
    }

    /// Whatever stands above a path becomes a directory. Directories that no entry names are not written down.
    fn make_parents(&mut self, path: &str) {
        for (end, _) in path.match_indices('/') {
            let Some(parent) = path.get(..end) else { continue };
            if self.nodes.get(parent).is_some_and(|node| *node != Node::Directory) {
                self.nodes.insert(parent.to_owned(), Node::Directory);
                let reason =
                    format!("it lies below {parent:?}, which is no directory, and tools differ in what they do");
                self.faults.push(FileFault { path: path.to_owned(), kind: FileFaultKind::Unreadable, reason });
            }
        }
    }
}

/// Everything below a directory, sorted; the root is `""`.
pub(super) fn below<'n>(
    nodes: &'n BTreeMap<String, Node>,
    directory: &str,
) -> impl Iterator<Item = (&'n str, &'n Node)> {
    let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
    let from = nodes.range::<str, _>((Bound::Included(prefix.as_str()), Bound::Unbounded));
    from.take_while(move |(path, _)| path.starts_with(&prefix)).map(|(path, node)| (path.as_str(), node))
}
