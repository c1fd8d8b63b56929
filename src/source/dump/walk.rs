//! The files of a dump that lies in a directory, in the order of their paths.
//!
//! Rule: links are read where they lead to a file inside the dump; a directory is read at its own place only, so that no
//! chain of links becomes a loop. Cost: a few looks at each entry.

use super::file::Reader;
use crate::source::FileFaultKind;
use crate::source::tree::{Entry, FileTree};

/// Reads every file below the root.
pub(super) fn walk(tree: &dyn FileTree, reader: &mut Reader<'_>) {
    let mut left = vec![Place { path: String::new(), depth: 0 }];
    while let Some(place) = left.pop() {
        if !reader.has_room(&place.path) {
            return;
        }
        let is_link = tree.link(&place.path).is_some();
        match tree.entry(&place.path) {
            Some(Entry::Directory) if is_link => reader.pass_over(),
            Some(Entry::Directory) => list(tree, &place, reader, &mut left),
            Some(Entry::File { .. }) if reader.passes_over(&place.path) => reader.pass_over(),
            Some(Entry::File { .. }) => match tree.open(&place.path) {
                Ok(content) => reader.file(&place.path, content),
                Err(error) => reader.fault(&place.path, FileFaultKind::Unreadable, error.to_string()),
            },
            None if !reader.promises_documents(&place.path) => reader.pass_over(),
            None if is_link => {
                let reason = "it is a link that leaves the directory or leads nowhere, and is not followed";
                reader.fault(&place.path, FileFaultKind::Unreadable, reason);
            }
            None => {
                reader.fault(&place.path, FileFaultKind::Unreadable, "it is no regular file, or may not be looked at")
            }
        }
    }
}

struct Place {
    path: String,
    depth: usize,
}

/// Puts what lies in a directory on the stack, the first name on top.
fn list(tree: &dyn FileTree, place: &Place, reader: &mut Reader<'_>, left: &mut Vec<Place>) {
    if place.depth >= reader.limits.depth {
        let reason = format!("it lies deeper than {} directories", reader.limits.depth);
        reader.fault(&place.path, FileFaultKind::Limit, reason);
        return;
    }
    match tree.names(&place.path) {
        Ok(names) => left.extend(names.into_iter().rev().map(|name| {
            let path = if place.path.is_empty() { name } else { format!("{}/{name}", place.path) };
            Place { path, depth: place.depth + 1 }
        })),
        Err(error) => reader.fault(&place.path, FileFaultKind::Unreadable, error.to_string()),
    }
}
