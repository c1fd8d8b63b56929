//! Making a directory a cache of ours, and knowing one that is not.
//!
//! Rule: a file `CACHEDIR.TAG` that begins with a fixed signature marks a cache (Cache Directory Tagging
//! Specification); our tag names the program in its second line. Cost: one listing.

use std::fs;
use std::path::Path;

use super::file;
use crate::emit::is_unfinished_name;

pub(super) const TAG_FILE: &str = "CACHEDIR.TAG";
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
                   # This directory is a cache of skipstone. It may be removed at any time.\n\
                   # For information about cache directory tags see https://bford.info/cachedir/\n";

/// Creates the directory with its tag, or recognises it; otherwise says why it is of no use.
pub(super) fn prepare(directory: &Path) -> Result<(), String> {
    file::create_directory(directory).map_err(|error| error.to_string())?;
    // Listed before the tag is read: a run that starts at the same moment writes its tag before anything else.
    let is_occupied = is_occupied(directory)?;
    let tag = directory.join(TAG_FILE);
    if file::holds(&tag, TAG.as_bytes()) {
        return Ok(());
    }
    if is_occupied {
        return Err("the directory is not empty and has no CACHEDIR.TAG of skipstone".to_owned());
    }
    file::replace(&tag, &[TAG.as_bytes()]).map_err(|error| error.to_string())
}

/// Whether anything but unfinished files of ours is there.
fn is_occupied(directory: &Path) -> Result<bool, String> {
    let entries = fs::read_dir(directory).map_err(|error| error.to_string())?;
    Ok(entries.filter_map(Result::ok).any(|entry| !entry.file_name().to_str().is_some_and(is_unfinished_name)))
}
