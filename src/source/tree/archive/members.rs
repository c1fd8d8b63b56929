//! The names of an archive's members, kept small.
//!
//! A path is kept in two parts: its tail, the last two names, and its stem, everything before, which thousands of blobs and
//! links share. Members are sorted by stem and tail, so that a name is found by halving. Cost: 32 bytes for each member, its
//! tail, and each stem once.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

/// What the members of one tree may amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MemberLimits {
    /// Members of all archives.
    pub(super) members: usize,
    /// Bytes of their tails, stems and targets of links.
    pub(super) text_bytes: usize,
}

impl Default for MemberLimits {
    /// Two million members, 512 MiB of names.
    fn default() -> Self {
        Self { members: 2_000_000, text_bytes: 512 << 20 }
    }
}

/// The members go beyond a limit: which.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TooManyMembers {
    #[error("there are more than {0} entries")]
    Members(usize),
    #[error("the names of its entries have more than {0} bytes")]
    Text(usize),
}

/// What a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MemberKind {
    /// A regular file: its content lies at [`Member::start`].
    File,
    /// A directory.
    Directory,
    /// A symbolic link: see [`Members::target`].
    SymbolicLink,
    /// Another name of a file: see [`Members::target`].
    HardLink,
}

/// One member.
#[derive(Debug, Clone, Copy)]
pub(super) struct Member {
    /// Of a file: where its content begins in its segment. Of a link: where its target begins in the text.
    pub(super) start: u64,
    /// Length of the content, or of the target.
    pub(super) bytes: u64,
    stem: u32,
    tail_start: u32,
    tail_bytes: u16,
    /// The archive that holds it.
    pub(super) segment: u16,
    pub(super) kind: MemberKind,
}

/// Members by their paths, which are plain and relative.
#[derive(Debug, Default)]
pub(super) struct Members {
    limits: MemberLimits,
    /// Tails and targets of links.
    text: String,
    stem_bytes: usize,
    stems: BTreeMap<Box<str>, u32>,
    /// In the order of arrival until [`Members::sort`], then by stem and tail.
    members: Vec<Member>,
}

impl Members {
    pub(super) fn new(limits: MemberLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Adds a file whose content lies in a segment.
    pub(super) fn add_file(&mut self, path: &str, segment: u16, start: u64, bytes: u64) -> Result<(), TooManyMembers> {
        self.add(path, MemberKind::File, segment, (start, bytes))
    }

    /// Adds a directory.
    pub(super) fn add_directory(&mut self, path: &str) -> Result<(), TooManyMembers> {
        self.add(path, MemberKind::Directory, 0, (0, 0))
    }

    /// Adds a link with its target as it was written.
    pub(super) fn add_link(&mut self, path: &str, kind: MemberKind, target: &str) -> Result<(), TooManyMembers> {
        let (start, bytes) = self.add_text(target)?;
        self.add(path, kind, 0, (u64::from(start), u64::try_from(bytes).unwrap_or(u64::MAX)))
    }

    fn add(
        &mut self,
        path: &str,
        kind: MemberKind,
        segment: u16,
        (start, bytes): (u64, u64),
    ) -> Result<(), TooManyMembers> {
        if self.members.len() >= self.limits.members {
            return Err(TooManyMembers::Members(self.limits.members));
        }
        let (stem, tail) = stem_and_tail(path);
        let stem = self.add_stem(stem)?;
        let (tail_start, length) = self.add_text(tail)?;
        let tail_bytes = u16::try_from(length).map_err(|_| TooManyMembers::Text(usize::from(u16::MAX)))?;
        self.members.push(Member { start, bytes, stem, tail_start, tail_bytes, segment, kind });
        Ok(())
    }

    fn add_stem(&mut self, stem: &str) -> Result<u32, TooManyMembers> {
        if let Some(number) = self.stems.get(stem) {
            return Ok(*number);
        }
        self.stem_bytes += stem.len();
        let too_much = TooManyMembers::Text(self.limits.text_bytes);
        if self.text.len() + self.stem_bytes > self.limits.text_bytes {
            return Err(too_much);
        }
        let number = u32::try_from(self.stems.len()).map_err(|_| too_much)?;
        self.stems.insert(stem.into(), number);
        Ok(number)
    }

    fn add_text(&mut self, text: &str) -> Result<(u32, usize), TooManyMembers> {
        let too_much = TooManyMembers::Text(self.limits.text_bytes);
        if self.text.len() + self.stem_bytes + text.len() > self.limits.text_bytes {
            return Err(too_much);
        }
        let start = u32::try_from(self.text.len()).map_err(|_| too_much)?;
        self.text.push_str(text);
        Ok((start, text.len()))
    }

    /// Makes names ready to be found; of members of one path the last that was added stays.
    pub(super) fn sort(&mut self) {
        let text = std::mem::take(&mut self.text);
        let tail = |member: &Member| slice(&text, u64::from(member.tail_start), u64::from(member.tail_bytes));
        self.members.sort_by(|one, other| one.stem.cmp(&other.stem).then_with(|| tail(one).cmp(tail(other))));
        self.members.dedup_by(|later, earlier| {
            let is_same = later.stem == earlier.stem && tail(later) == tail(earlier);
            if is_same {
                *earlier = *later;
            }
            is_same
        });
        self.members.shrink_to_fit();
        self.text = text;
        self.text.shrink_to_fit();
    }

    /// The member of exactly this path.
    pub(super) fn find(&self, path: &str) -> Option<&Member> {
        let (stem, tail) = stem_and_tail(path);
        let stem = *self.stems.get(stem)?;
        self.from(stem, tail).first().filter(|member| member.stem == stem && self.tail(member) == tail)
    }

    /// Where a link leads, as it was written.
    pub(super) fn target(&self, member: &Member) -> &str {
        slice(&self.text, member.start, member.bytes)
    }

    /// Whether a path is a directory, be it only that something lies below it.
    pub(super) fn is_directory(&self, path: &str) -> bool {
        path.is_empty()
            || self.find(path).is_some_and(|member| member.kind == MemberKind::Directory)
            || self.stems.contains_key(path)
            || self.stems_below(path, &format!("{path}/")).next().is_some()
            || self.tails_below(path).next().is_some()
    }

    /// The names directly below a directory.
    pub(super) fn names(&self, directory: &str) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        if let Some(stem) = self.stems.get(directory) {
            let members = self.from(*stem, "").iter().take_while(|member| member.stem == *stem);
            names.extend(members.map(|member| first_name(self.tail(member))));
        }
        names.extend(self.tails_below(directory));
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let mut from = prefix.clone();
        loop {
            let Some(below) = self.stems_below(directory, &from).next() else { break };
            let name = first_name(below);
            names.insert(name);
            // Whatever begins with the name and a slash is passed over at once: `0` is the character after `/`.
            from = if below == name { format!("{prefix}{name}\0") } else { format!("{prefix}{name}0") };
        }
        names.remove("");
        names
    }

    /// What follows a directory in the stems below it, from a path on.
    fn stems_below(&self, directory: &str, from: &str) -> impl Iterator<Item = &str> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let range = self.stems.range::<str, _>((Bound::Included(from), Bound::Unbounded));
        range.map_while(move |(stem, _)| stem.strip_prefix(prefix.as_str()))
    }

    /// The second names of tails whose first name is that of the directory.
    fn tails_below(&self, directory: &str) -> impl Iterator<Item = &str> {
        let (parent, name) = directory.rsplit_once('/').unwrap_or(("", directory));
        let stem = (!directory.is_empty()).then(|| self.stems.get(parent)).flatten();
        let prefix = format!("{name}/");
        let members = stem.map_or(&[][..], |stem| self.from(*stem, &prefix)).iter();
        let of_stem = members.take_while(move |member| Some(&member.stem) == stem);
        of_stem.map_while(move |member| self.tail(member).strip_prefix(prefix.as_str()))
    }

    /// The members from a stem and tail on.
    fn from(&self, stem: u32, tail: &str) -> &[Member] {
        let first = self.members.partition_point(|member| (member.stem, self.tail(member)) < (stem, tail));
        self.members.get(first..).unwrap_or_default()
    }

    fn tail(&self, member: &Member) -> &str {
        slice(&self.text, u64::from(member.tail_start), u64::from(member.tail_bytes))
    }
}

/// A part of a text that was put there; nothing where it is not.
fn slice(text: &str, start: u64, bytes: u64) -> &str {
    let range = || Some(usize::try_from(start).ok()?..usize::try_from(start.checked_add(bytes)?).ok()?);
    range().and_then(|range| text.get(range)).unwrap_or_default()
}

/// A path before its last two names, and these.
fn stem_and_tail(path: &str) -> (&str, &str) {
    let Some(stem) = path.rsplitn(3, '/').nth(2) else { return ("", path) };
    (stem, path.strip_prefix(stem).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path))
}

fn first_name(path: &str) -> &str {
    path.split('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
