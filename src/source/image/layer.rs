//! What one layer says of the wanted paths.
//!
//! Rule: OCI image specification, `layer.md`, "Whiteouts": `.wh.NAME` takes NAME away from the layers below, `.wh..wh..opq`
//! everything in its directory; other names with `.wh..wh.` are leftovers of AUFS, which runtimes ignore. Names are taken
//! relative to the root of the image, and one with `..` is never used. What becomes of the paths above wanted ones counts
//! too: a whiteout of a parent takes its children away, and a parent may be a link.
//!
//! Cost: the layer is read once, in constant memory but for what concerns wanted paths, which is bounded.

#[cfg(test)]
mod tests;

use std::io::{self, ErrorKind, Read};

use serde::{Deserialize, Serialize};

use super::wanted::Relation;
use super::{DecompressLimits, Decompressed, Wanted};
use crate::source::store::{StoreError, StoreErrorKind};
use crate::source::tar::{TarEntry, TarEntryFault, TarEntryKind, TarError, TarLimits, TarReader, plain_path};
use crate::source::{FileFault, FileFaultKind};

const WHITEOUT: &str = ".wh.";
const OPAQUE: &str = ".wh..wh..opq";
const AUFS_LEFTOVER: &str = ".wh..wh.";

/// Bounds on what is read of one layer and kept of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerLimits {
    /// Bounds on its framing.
    pub tar: TarLimits,
    /// Bounds on what it unpacks to.
    pub decompress: DecompressLimits,
    /// Entries and whiteouts that are kept.
    pub entries: usize,
    /// Bytes of their names and targets.
    pub name_bytes: usize,
    /// Directories below one another.
    pub depth: usize,
    /// Faults that are told one by one; more are counted.
    pub faults: usize,
}

impl Default for LayerLimits {
    /// A million entries and 256 MiB of names at and under wanted paths, 128 levels deep, and a hundred faults.
    fn default() -> Self {
        Self {
            tar: TarLimits::default(),
            decompress: DecompressLimits::default(),
            entries: 1_000_000,
            name_bytes: 256 << 20,
            depth: 128,
            faults: 100,
        }
    }
}

/// What a layer says of the wanted paths: a pure function of its bytes, the wanted paths and the limits.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerEntries {
    /// Entries at, under and above wanted paths, in the order of the layer; later ones of a path win.
    pub entries: Vec<LayerEntry>,
    /// Paths that it takes away from the layers below, with all that lies under them.
    pub whiteouts: Vec<String>,
    /// Directories that it empties of what the layers below have put there.
    pub opaque: Vec<String>,
    /// Names that cannot be used.
    pub faults: Vec<FileFault>,
    /// How many more there are.
    pub further_faults: u64,
}

/// One entry of a layer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerEntry {
    /// Its number among all entries of the layer, counted from 0.
    pub number: usize,
    /// Its path from the root of the image, without `/` at its ends.
    pub path: String,
    /// What it is.
    pub kind: LayerEntryKind,
}

/// What an entry of a layer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum LayerEntryKind {
    /// A regular file of so many bytes.
    File(u64),
    /// A directory.
    Directory,
    /// Another name for the file at this path from the root.
    HardLink(String),
    /// A symbolic link to this target, as it was written.
    SymbolicLink(String),
    /// It replaces what was there with something that cannot be read: why.
    Unusable(String),
}

/// Why a layer could not be read to its end.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct LayerError {
    /// The reason.
    pub error: StoreError,
    /// What was read before.
    pub read: Box<LayerEntries>,
}

/// Takes a wanted regular file as it streams by: the number of its entry, its path, its length, its content.
pub type Visit<'v> = dyn FnMut(usize, &str, u64, &mut dyn Read) -> io::Result<()> + 'v;

/// Reads a layer to its end, and hands out the regular files at and under wanted paths.
///
/// What is wrong with one entry costs that entry. A file is handed out even where a later entry of the layer replaces it.
///
/// # Errors
/// [`LayerError`] where the layer is damaged, truncated or beyond the limits, where it cannot be read, and where the visitor
/// fails.
pub fn walk_layer(
    content: impl Read,
    wanted: &Wanted,
    limits: &LayerLimits,
    visit: &mut Visit<'_>,
) -> Result<LayerEntries, LayerError> {
    let mut walk = LayerWalk { wanted, limits, kept: 0, name_bytes: 0, found: LayerEntries::default() };
    match walk.run(content, visit) {
        Ok(()) => Ok(walk.found),
        Err(error) => Err(LayerError { error: reason(&error), read: Box::new(walk.found) }),
    }
}

fn reason(error: &TarError) -> StoreError {
    let kind = match error {
        TarError::Io(error) => match error.kind() {
            ErrorKind::FileTooLarge => StoreErrorKind::Limit,
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => StoreErrorKind::Bad,
            _ => StoreErrorKind::Unreadable,
        },
        TarError::ExtensionTooLarge { .. } | TarError::TooManyHeaders { .. } => StoreErrorKind::Limit,
        TarError::TruncatedContent { .. }
        | TarError::TruncatedHeader { .. }
        | TarError::Checksum { .. }
        | TarError::Malformed { .. } => StoreErrorKind::Bad,
    };
    StoreError::new(kind, error)
}

struct LayerWalk<'w> {
    wanted: &'w Wanted,
    limits: &'w LayerLimits,
    kept: usize,
    name_bytes: usize,
    found: LayerEntries,
}

impl LayerWalk<'_> {
    fn run(&mut self, content: impl Read, visit: &mut Visit<'_>) -> Result<(), TarError> {
        let unpacked = Decompressed::new(content, self.limits.decompress)?;
        let mut reader = TarReader::streaming(unpacked, self.limits.tar);
        let mut number = 0;
        while let Some(entry) = reader.next_entry()? {
            if let Some((path, bytes)) = self.take(number, entry)? {
                visit(number, &path, bytes, &mut reader.content())?;
            }
            number += 1;
        }
        reader.pass_rest()
    }

    /// Takes note of an entry; a wanted file is to be visited.
    fn take(&mut self, number: usize, entry: TarEntry) -> io::Result<Option<(String, u64)>> {
        let Some(path) = plain_path(&entry.path) else {
            let reason = match entry.kind {
                TarEntryKind::Unusable(fault) => fault.to_string(),
                _ => "its name has `..` for a part, and is not used".to_owned(),
            };
            self.fault(entry.path, reason);
            return Ok(None);
        };
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        if name == OPAQUE {
            return self.take_opaque(directory).map(|()| None);
        }
        if path.split('/').any(|part| part.starts_with(AUFS_LEFTOVER)) {
            return Ok(None);
        }
        if let Some(name) = name.strip_prefix(WHITEOUT) {
            return self.take_whiteout(&path, directory, name).map(|()| None);
        }
        self.take_kind(number, path, entry.kind)
    }

    fn take_opaque(&mut self, directory: &str) -> io::Result<()> {
        if self.wanted.relation(directory) != Relation::Outside {
            self.make_room(directory.len())?;
            self.found.opaque.push(directory.to_owned());
        }
        Ok(())
    }

    fn take_whiteout(&mut self, path: &str, directory: &str, name: &str) -> io::Result<()> {
        if matches!(name, "" | "." | "..") {
            let reason = "it is a whiteout that names nothing to take away".to_owned();
            self.fault(path.to_owned(), reason);
            return Ok(());
        }
        let removed = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        if self.wanted.relation(&removed) != Relation::Outside {
            self.make_room(removed.len())?;
            self.found.whiteouts.push(removed);
        }
        Ok(())
    }

    fn take_kind(&mut self, number: usize, path: String, kind: TarEntryKind) -> io::Result<Option<(String, u64)>> {
        let relation = self.wanted.relation(&path);
        if relation == Relation::Outside || (path.is_empty() && kind == TarEntryKind::Directory) {
            return Ok(None);
        }
        if let Some(reason) = self.unusable_name(&path, &kind) {
            self.fault(path, reason);
            return Ok(None);
        }
        let visited = match (&kind, relation) {
            (TarEntryKind::File { bytes }, Relation::Inside) => Some((path.clone(), *bytes)),
            _ => None,
        };
        let kind = layer_kind(kind);
        let target_bytes = match &kind {
            LayerEntryKind::HardLink(target) | LayerEntryKind::SymbolicLink(target) => target.len(),
            _ => 0,
        };
        self.make_room(path.len() + target_bytes)?;
        self.found.entries.push(LayerEntry { number, path, kind });
        Ok(visited)
    }

    /// Why nothing can stand at this path.
    fn unusable_name(&self, path: &str, kind: &TarEntryKind) -> Option<String> {
        if path.is_empty() {
            return Some("it would replace the root of the image".to_owned());
        }
        if path.split('/').count() > self.limits.depth {
            return Some(format!("it lies deeper than {} directories", self.limits.depth));
        }
        match kind {
            TarEntryKind::Unusable(fault @ (TarEntryFault::NameNotUtf8 | TarEntryFault::NameTooLong { .. })) => {
                Some(fault.to_string())
            }
            _ => None,
        }
    }

    fn make_room(&mut self, name_bytes: usize) -> io::Result<()> {
        self.kept += 1;
        self.name_bytes = self.name_bytes.saturating_add(name_bytes);
        let LayerLimits { entries, name_bytes, .. } = *self.limits;
        if self.kept > entries || self.name_bytes > name_bytes {
            let reason =
                format!("the layer has more than {entries} entries, or {name_bytes} bytes of names, at wanted paths");
            return Err(io::Error::new(ErrorKind::FileTooLarge, reason));
        }
        Ok(())
    }

    /// Whatever is wrong with a name leaves open what should stand there.
    fn fault(&mut self, path: String, reason: String) {
        if self.found.faults.len() < self.limits.faults {
            self.found.faults.push(FileFault { path, kind: FileFaultKind::Unreadable, reason });
        } else {
            self.found.further_faults += 1;
        }
    }
}

fn layer_kind(kind: TarEntryKind) -> LayerEntryKind {
    match kind {
        TarEntryKind::File { bytes } => LayerEntryKind::File(bytes),
        TarEntryKind::Directory => LayerEntryKind::Directory,
        TarEntryKind::SymbolicLink(target) => LayerEntryKind::SymbolicLink(target),
        TarEntryKind::HardLink(target) => match plain_path(&target) {
            Some(target) => LayerEntryKind::HardLink(target),
            None => LayerEntryKind::Unusable(format!("it is a hard link that leaves the image, to {target:?}")),
        },
        TarEntryKind::Other(name) => LayerEntryKind::Unusable(format!("it is no file: {name}")),
        TarEntryKind::Unusable(fault) => LayerEntryKind::Unusable(fault.to_string()),
    }
}
