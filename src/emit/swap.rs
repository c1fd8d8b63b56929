//! Putting a finished directory in the place of an old one.
//!
//! Rule: `renameat2` with `RENAME_EXCHANGE` swaps two names in one step; file systems without it answer `EINVAL`, old
//! kernels `ENOSYS` (Linux man-pages, rename(2)). Cost: one or two system calls.

use std::fs;
use std::io;
use std::path::Path;

use rustix::io::Errno;

/// Puts `new` in the place of `target`. What stood there is afterwards at `new`, or at `backup`, or was nothing.
pub(super) fn put_in_place(new: &Path, target: &Path, backup: &Path) -> io::Result<()> {
    match exchange(new, target) {
        Err(Errno::NOENT) => match fs::rename(new, target) {
            // Another run put its report there between the two calls.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(exchange(new, target)?),
            outcome => outcome,
        },
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => put_in_place_in_two_steps(new, target, backup),
        outcome => Ok(outcome?),
    }
}

/// For file systems that cannot exchange: sets the old aside first, and brings it back when the new cannot follow.
/// A run that dies between the steps leaves the old at `backup`, where the next run finds it.
fn put_in_place_in_two_steps(new: &Path, target: &Path, backup: &Path) -> io::Result<()> {
    if fs::symlink_metadata(target).is_err() {
        return fs::rename(new, target);
    }
    fs::rename(target, backup)?;
    fs::rename(new, target).inspect_err(|_| {
        // When this fails too, the backup stays for the next run to restore.
        let _ = restore(backup, target);
    })
}

/// Brings a backup back when nothing stands in its place; answers whether the backup is no longer needed.
pub(super) fn restore(backup: &Path, target: &Path) -> bool {
    let is_stranded = fs::symlink_metadata(backup).is_ok() && fs::symlink_metadata(target).is_err();
    !is_stranded || fs::rename(backup, target).is_ok()
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> Result<(), Errno> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_one: &Path, _other: &Path) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory_with(path: &Path, content: &str) {
        fs::create_dir(path).unwrap();
        fs::write(path.join("f"), content).unwrap();
    }

    fn content_of(path: &Path) -> Option<String> {
        fs::read_to_string(path.join("f")).ok()
    }

    #[test]
    fn exchanges_with_an_old_directory_and_moves_to_a_free_name() {
        let place = tempfile::tempdir().unwrap();
        let [new, target, backup] = ["new", "target", "backup"].map(|name| place.path().join(name));
        directory_with(&new, "1");
        put_in_place(&new, &target, &backup).unwrap();
        assert_eq!((content_of(&target).as_deref(), content_of(&new)), (Some("1"), None));
        directory_with(&new, "2");
        put_in_place(&new, &target, &backup).unwrap();
        assert_eq!(content_of(&target).as_deref(), Some("2"));
        assert_eq!(content_of(&new).or(content_of(&backup)).as_deref(), Some("1"));
    }

    #[test]
    fn two_steps_keep_the_old_as_backup() {
        let place = tempfile::tempdir().unwrap();
        let [new, target, backup] = ["new", "target", "backup"].map(|name| place.path().join(name));
        directory_with(&new, "2");
        directory_with(&target, "1");
        put_in_place_in_two_steps(&new, &target, &backup).unwrap();
        assert_eq!(content_of(&target).as_deref(), Some("2"));
        assert_eq!(content_of(&backup).as_deref(), Some("1"));
    }

    #[test]
    fn two_steps_bring_the_old_back_when_the_new_is_gone() {
        let place = tempfile::tempdir().unwrap();
        let [new, target, backup] = ["new", "target", "backup"].map(|name| place.path().join(name));
        directory_with(&target, "1");
        assert!(put_in_place_in_two_steps(&new, &target, &backup).is_err());
        assert_eq!((content_of(&target).as_deref(), content_of(&backup)), (Some("1"), None));
    }

    #[test]
    fn a_backup_returns_only_to_a_free_name() {
        let place = tempfile::tempdir().unwrap();
        let [target, backup] = ["target", "backup"].map(|name| place.path().join(name));
        directory_with(&backup, "1");
        assert!(restore(&backup, &target));
        assert_eq!(content_of(&target).as_deref(), Some("1"));
        directory_with(&backup, "0");
        assert!(restore(&backup, &target));
        assert_eq!(content_of(&target).as_deref(), Some("1"));
    }
}
