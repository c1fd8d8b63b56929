//! A hidden file that is written beside its target and renamed over it, so that a name never holds half a file.
//!
//! Rule: rename(2) replaces a name in one step (Linux man-pages). Names are `.skipstone-PROCESS-NUMBER.part`; the target's
//! own name is no part of them, for that may be as long as names can be. Cost: one create and one rename.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

const PREFIX: &str = ".skipstone-";
const SUFFIX: &str = ".part";
const NAMES_TRIED: u32 = 1000;

/// Numbers the unfinished files of this process, so that two threads never share one.
static NEXT_NUMBER: AtomicU32 = AtomicU32::new(0);

/// A file that has not got its name yet; dropped without [`put_in_place`](Self::put_in_place) it is removed.
#[derive(Debug)]
pub(crate) struct UnfinishedFile {
    file: File,
    path: PathBuf,
    /// Whether it has got its name: the hidden one may then be another process's.
    is_in_place: bool,
}

impl UnfinishedFile {
    /// Creates an empty one under a name that nobody uses: neither a thread of this process, nor a process of the same id
    /// in another container, nor one that was killed.
    pub(crate) fn create_in(directory: &Path) -> io::Result<Self> {
        for _ in 0..NAMES_TRIED {
            let number = NEXT_NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = directory.join(format!("{PREFIX}{}-{number}{SUFFIX}", std::process::id()));
            match File::create_new(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                outcome => return outcome.map(|file| Self { file, path, is_in_place: false }),
            }
        }
        Err(ErrorKind::AlreadyExists.into())
    }

    /// Adds bytes at its end.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Makes what was written last over a loss of power.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Gives it its name; what had that name is gone.
    pub(crate) fn put_in_place(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if !self.is_in_place {
            // Best effort: the error that is reported is the one that stopped us.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Whether a name is one that an unfinished file has, of whatever process.
pub(crate) fn is_unfinished_name(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    numbers
        .and_then(|numbers| numbers.split_once('-'))
        .is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_name_when_it_is_whole_and_leaves_nothing_otherwise() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("target");
        let names =
            || fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut file = UnfinishedFile::create_in(place.path()).unwrap();
        file.write(b"whole").unwrap();
        assert!(names().all(|name| is_unfinished_name(&name)));
        file.put_in_place(&target).unwrap();
        drop(UnfinishedFile::create_in(place.path()).unwrap());
        assert_eq!(names().collect::<Vec<_>>(), ["target"]);
        assert_eq!(fs::read(&target).unwrap(), b"whole");
    }

    #[test]
    fn only_names_with_two_numbers_are_unfinished_files() {
        assert!(is_unfinished_name(".skipstone-12-0.part"));
        for name in [
            ".skipstone-12.part",
            ".skipstone-a-0.part",
            ".skipstone-1-0",
            "x.skipstone-1-0.part",
            ".skipstone--0.part",
        ] {
            assert!(!is_unfinished_name(name), "{name}");
        }
    }
}
