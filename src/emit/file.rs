//! One file, written all at once.
//!
//! Rule: written beside, flushed, renamed over the old one (Linux man-pages, rename(2)). Cost: one write, two flushes.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use super::error::EmitError;
use super::report_directory::flush_directory;
use super::target::Target;
use super::unfinished::UnfinishedFile;

/// Replaces or creates a file so that a reader finds the old content or the new, whatever happens on the way. Missing
/// parent directories are created; a symbolic link is followed; a device or a pipe is written directly.
///
/// # Errors
/// When the path is a directory or cannot be written; the old content then stays.
pub fn write_file_atomically(path: &Path, bytes: &[u8]) -> Result<(), EmitError> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
        let device = File::options().write(true).open(path);
        return device.and_then(|mut device| device.write_all(bytes)).map_err(EmitError::io("write", path));
    }
    let target = Target::resolve(path)?;
    let mut file = UnfinishedFile::create_in(&target.parent).map_err(EmitError::io("create a file beside", path))?;
    let flushed = file.write(bytes).and_then(|()| file.flush());
    flushed.and_then(|()| file.put_in_place(&target.path())).map_err(EmitError::io("write", path))?;
    flush_directory(&target.parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_file_and_leaves_nothing_beside() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/sums.txt");
        for content in ["old and longer", "new"] {
            write_file_atomically(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(fs::read_dir(place.path().join("new")).unwrap().count(), 1);
    }

    #[test]
    fn a_directory_is_not_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("d");
        fs::create_dir(&path).unwrap();
        assert!(write_file_atomically(&path, b"").is_err());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn follows_a_link_and_keeps_it() {
        let place = tempfile::tempdir().unwrap();
        let (real, link) = (place.path().join("real"), place.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_file_atomically(&link, b"new").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_named_with_its_cause() {
        let error = write_file_atomically(Path::new("/dev/full"), b"x").unwrap_err();
        assert!(error.to_string().starts_with("cannot write /dev/full: No space left on device"), "{error}");
        write_file_atomically(Path::new("/dev/null"), b"x").unwrap();
    }
}
