//! One or several tar archives as one tree, never unpacked.
//!
//! Rule: what an extractor such as GNU tar would have written, within the tree: the last entry of a name counts, archives
//! count in the order given, directories are implied by names, links lead inside or nowhere. Names that are absolute or hold
//! `..` are faults and never used; so are devices. An entry whose content is not all there is a fault, and absent. A hard
//! link stands for what its target is at the end, not at that point of the archive.
//! Cost: one read and one seek for each header; 32 bytes and the shorter part of its name for each entry. Content is read
//! by seeking, when somebody asks for it.

mod members;
mod segment;

use std::io;
use std::path::{Path, PathBuf};

use super::{Content, Entry, FileTree, Stamp, is_plain};
use crate::source::tar::{BLOCK_BYTES, Seekable, TarEntry, TarEntryKind, TarError, TarLimits, TarReader, plain_path};
use crate::source::{FileFault, FileFaultKind, SourceError};
use members::{Member, MemberKind, MemberLimits, Members};
pub use segment::Compression;
use segment::Segment;

/// Links that are followed for one path, as Linux has it.
const LINKS: usize = 40;
/// Faults that are told one by one; of the rest only the number.
const FAULTS: usize = 1000;
/// Archives of one tree.
const SEGMENTS: usize = 10_000;

/// Files in one or several tar archives.
pub struct TarTree {
    place: PathBuf,
    segments: Vec<Segment>,
    members: Members,
    faults: Faults,
}

#[derive(Default)]
struct Faults {
    told: Vec<FileFault>,
    further: usize,
}

/// What a path leads to.
enum Found<'t> {
    File(&'t Member),
    Directory(String),
}

impl TarTree {
    /// Lists archives, the parts of one whole, in the order given. A part that cannot be read is a fault where another can.
    ///
    /// # Errors
    /// [`SourceError`] where no part can be read.
    pub fn open(place: &Path, archives: &[PathBuf]) -> Result<Self, SourceError> {
        Self::with_limits(place, archives, MemberLimits::default())
    }

    fn with_limits(place: &Path, archives: &[PathBuf], limits: MemberLimits) -> Result<Self, SourceError> {
        let (mut segments, mut faults, mut refusal) = (Vec::new(), Faults::default(), None);
        for archive in archives.iter().take(SEGMENTS) {
            match Segment::open(archive) {
                Ok(segment) => segments.push(segment),
                Err(error) => {
                    faults.add(archive, FileFaultKind::Unreadable, reason_of(&error));
                    refusal = refusal.or(Some(error));
                }
            }
        }
        if archives.len() > SEGMENTS {
            faults.add(place, FileFaultKind::Limit, format!("there are more than {SEGMENTS} archives"));
        }
        if let (true, Some(refusal)) = (segments.is_empty(), refusal) {
            return Err(refusal);
        }
        let mut tree = Self { place: place.to_owned(), segments, members: Members::new(limits), faults };
        tree.list();
        Ok(tree)
    }

    /// What is wrong with the archives, by archive: at most a thousand faults, and one that counts the rest.
    pub fn faults(&self) -> Vec<FileFault> {
        let mut faults = self.faults.told.clone();
        if self.faults.further > 0 {
            let reason = format!("{} more faults are not told", self.faults.further);
            faults.push(FileFault { path: self.place.display().to_string(), kind: FileFaultKind::Limit, reason });
        }
        faults
    }

    fn list(&mut self) {
        let segments = std::mem::take(&mut self.segments);
        for (number, segment) in (0_u16..).zip(&segments) {
            if let Err((kind, reason)) = self.list_segment(number, segment) {
                self.faults.add(&segment.place, kind, reason);
            }
        }
        self.members.sort();
        self.segments = segments;
    }

    /// Lists one archive; what ends the list early is its fault.
    fn list_segment(&mut self, number: u16, segment: &Segment) -> Result<(), (FileFaultKind, String)> {
        let unreadable = |error: TarError| (kind_of(&error), error.to_string());
        let io = |error: io::Error| (FileFaultKind::Unreadable, error.to_string());
        let source = Seekable::new(segment.whole().map_err(io)?).map_err(io)?;
        let mut reader = TarReader::new(source, TarLimits::default());
        while let Some(entry) = reader.next_entry().map_err(unreadable)? {
            reader.pass_content().map_err(unreadable)?;
            self.add(number, segment, &entry)?;
        }
        match has_whole_end(segment.bytes().map_err(io)?, reader.has_end_mark()) {
            Ok(()) => Ok(()),
            Err(reason) => Err((FileFaultKind::Unreadable, reason)),
        }
    }

    /// Takes an entry in; only a limit ends the list.
    fn add(&mut self, number: u16, segment: &Segment, entry: &TarEntry) -> Result<(), (FileFaultKind, String)> {
        let path = match usable_path(entry) {
            Ok(path) => path,
            Err(reason) => {
                let reason = format!("{:?}: {reason}", entry.path);
                self.faults.add(&segment.place, FileFaultKind::Unreadable, reason);
                return Ok(());
            }
        };
        if path.is_empty() {
            return Ok(());
        }
        let added = match &entry.kind {
            TarEntryKind::File { bytes } => self.members.add_file(&path, number, entry.offset, *bytes),
            TarEntryKind::Directory => self.members.add_directory(&path),
            TarEntryKind::SymbolicLink(target) => self.members.add_link(&path, MemberKind::SymbolicLink, target),
            TarEntryKind::HardLink(target) => self.members.add_link(&path, MemberKind::HardLink, target),
            TarEntryKind::Other(_) | TarEntryKind::Unusable(_) => Ok(()),
        };
        added.map_err(|limit| (FileFaultKind::Limit, limit.to_string()))
    }

    /// What a path leads to, through links that stay inside.
    fn resolve(&self, path: &str) -> Option<Found<'_>> {
        if !path.is_empty() && !is_plain(path) {
            return None;
        }
        let mut path = path.to_owned();
        for _ in 0..=LINKS {
            let Some(member) = self.members.find(&path) else {
                if self.members.is_directory(&path) {
                    return Some(Found::Directory(path));
                }
                path = self.through_linked_directory(&path)?;
                continue;
            };
            let target = || self.members.target(member);
            path = match member.kind {
                MemberKind::File => return Some(Found::File(member)),
                MemberKind::Directory => return Some(Found::Directory(path)),
                MemberKind::SymbolicLink => followed(parent(&path), target())?,
                MemberKind::HardLink => followed("", target())?,
            };
        }
        None
    }

    /// The path with the uppermost of its directories that is a link replaced by where that leads.
    fn through_linked_directory(&self, path: &str) -> Option<String> {
        path.match_indices('/').find_map(|(end, _)| {
            let (directory, rest) = path.split_at_checked(end)?;
            let link = self.members.find(directory).filter(|member| member.kind == MemberKind::SymbolicLink)?;
            let target = followed(parent(directory), self.members.target(link))?;
            Some(format!("{target}{rest}").trim_start_matches('/').to_owned())
        })
    }

    fn file(&self, path: &str) -> Option<(&Member, &Segment)> {
        let Some(Found::File(member)) = self.resolve(path) else { return None };
        Some((member, self.segments.get(usize::from(member.segment))?))
    }
}

impl FileTree for TarTree {
    fn place(&self) -> &Path {
        &self.place
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        Some(match self.resolve(path)? {
            Found::File(member) => Entry::File { bytes: member.bytes },
            Found::Directory(_) => Entry::Directory,
        })
    }

    fn names(&self, directory: &str) -> io::Result<Vec<String>> {
        let Some(Found::Directory(path)) = self.resolve(directory) else { return Ok(Vec::new()) };
        Ok(self.members.names(&path).into_iter().map(str::to_owned).collect())
    }

    fn link(&self, path: &str) -> Option<String> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let Found::Directory(directory) = self.resolve(directory)? else { return None };
        let path = if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        let member = self.members.find(&path).filter(|member| member.kind == MemberKind::SymbolicLink)?;
        Some(self.members.target(member).to_owned())
    }

    fn open(&self, path: &str) -> io::Result<Content> {
        let (member, segment) = self.file(path).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(segment.section(member.start, member.bytes)))
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let (member, segment) = self.file(path)?;
        Some(Stamp { bytes: member.bytes, changed: segment.changed?, offset: member.start })
    }
}

impl Faults {
    fn add(&mut self, archive: &Path, kind: FileFaultKind, reason: String) {
        if self.told.len() < FAULTS {
            self.told.push(FileFault { path: archive.display().to_string(), kind, reason });
        } else {
            self.further += 1;
        }
    }
}

/// The path of an entry that can be used, or why it cannot.
fn usable_path(entry: &TarEntry) -> Result<String, String> {
    match &entry.kind {
        TarEntryKind::Other(what) => return Err(format!("it is {what}, and has nothing to read")),
        TarEntryKind::Unusable(fault) => return Err(fault.to_string()),
        _ => {}
    }
    if entry.path.starts_with('/') {
        return Err("its name is absolute, and is not used".to_owned());
    }
    let path = plain_path(&entry.path).ok_or("its name leads out of the archive, and is not used")?;
    if path.is_empty() && entry.kind != TarEntryKind::Directory {
        return Err("it has no name".to_owned());
    }
    Ok(path)
}

/// Whether an archive of images ends as every tool that writes one ends it. Layers that lack the mark are common; archives
/// that do were cut off between two entries, or are still being written.
fn has_whole_end(bytes: u64, has_end_mark: bool) -> Result<(), String> {
    if !has_end_mark {
        return Err(
            "it ends without the mark of an archive's end: it was cut off, or is still being written".to_owned()
        );
    }
    if !bytes.is_multiple_of(BLOCK_BYTES as u64) {
        return Err(format!("its {bytes} bytes are no whole number of blocks: it was cut off behind its last entry"));
    }
    Ok(())
}

fn kind_of(error: &TarError) -> FileFaultKind {
    match error {
        TarError::ExtensionTooLarge { .. } | TarError::TooManyHeaders { .. } => FileFaultKind::Limit,
        _ => FileFaultKind::Unreadable,
    }
}

fn reason_of(error: &SourceError) -> String {
    match error {
        SourceError::Io { cause, .. } => cause.to_string(),
        SourceError::Unsuitable { what, .. } => what.clone(),
        SourceError::Store { cause, .. } => cause.to_string(),
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// Where a target leads that is seen from a directory; `None` where that is outside.
fn followed(directory: &str, target: &str) -> Option<String> {
    if target.starts_with('/') || target.contains('\0') {
        return None;
    }
    let mut names: Vec<&str> = directory.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

#[cfg(test)]
mod tests;
