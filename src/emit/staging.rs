//! The hidden directory beside a target in which a report grows, and the removal of those that killed runs left.
//!
//! ```text
//! .NAME.skipstone-PROCESS-NUMBER/marker    says whose it is; locked as long as its run lives
//!                                report/   the new report, and after an exchange the old one
//!                                backup/   the old report, only where the file system cannot exchange
//! ```
//!
//! Rule: a lock by flock(2) ends with the process that holds it, however that ends (Linux man-pages). A process id
//! alone does not tell: containers that share a volume have the same ones. Where locks are not supported, nothing is
//! ever taken for left over. Cost: one listing of the parent directory.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::error::EmitError;
use super::removal::remove_tree;
use super::swap;
use super::target::Target;

const MARKER_FILE: &str = "marker";
const MARKER: &[u8] = b"skipstone: a report being written; safe to remove when no run is active\n";
const INFIX: &str = ".skipstone-";
/// How many names are tried before giving up; each run of one process to one target needs its own.
const NAMES_TRIED: u32 = 1000;

/// A staging directory that this run owns; dropping it removes it with all that is in it.
#[derive(Debug)]
pub(super) struct Staging {
    directory: PathBuf,
    target: PathBuf,
    /// Kept open for its lock.
    marker: File,
}

impl Staging {
    /// Creates an empty one beside the target.
    pub(super) fn create(target: &Target) -> Result<Self, EmitError> {
        let mut number = 0;
        loop {
            let directory = target.parent.join(staging_name(&target.name, number));
            match Self::try_create(directory.clone(), target.path()) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < NAMES_TRIED => number += 1,
                outcome => return outcome.map_err(EmitError::io("create", &directory)),
            }
        }
    }

    fn try_create(directory: PathBuf, target: PathBuf) -> io::Result<Self> {
        fs::create_dir(&directory)?;
        let marker = fs::create_dir(directory.join("report")).and_then(|()| create_marker(&directory));
        let marker = marker.inspect_err(|_| {
            // Best effort: the error that is reported is the one that stopped us.
            let _ = fs::remove_dir_all(&directory);
        })?;
        Ok(Self { directory, target, marker })
    }

    /// The root of the report that is being built.
    pub(super) fn report(&self) -> PathBuf {
        self.directory.join("report")
    }

    /// What the system says of a file that this run has created: its owner and permissions are those of every other.
    pub(super) fn fresh_file(&self) -> io::Result<Metadata> {
        self.marker.metadata()
    }

    /// Swaps the report with the target; the old one is removed when this is dropped.
    pub(super) fn put_in_place(&self) -> io::Result<()> {
        swap::put_in_place(&self.report(), &self.target, &self.directory.join("backup"))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        discard(&self.directory, &self.target);
    }
}

/// The marker is locked before it is written: a marker with content whose lock is free has no living owner.
fn create_marker(directory: &Path) -> io::Result<File> {
    let mut marker = File::create_new(directory.join(MARKER_FILE))?;
    // Where locks are not supported the marker cannot be locked by a later run either, which then leaves it alone.
    let _ = marker.try_lock();
    marker.write_all(MARKER)?;
    Ok(marker)
}

/// Removes what killed runs left beside this target, after bringing back a report that one of them had set aside.
/// Best effort: what cannot be read or removed stays.
pub(super) fn remove_leftovers(target: &Target) {
    let Ok(siblings) = fs::read_dir(&target.parent) else { return };
    let mut leftovers: Vec<PathBuf> = siblings
        .filter_map(Result::ok)
        .filter(|sibling| is_staging_name(&sibling.file_name(), &target.name))
        .map(|sibling| sibling.path())
        .collect();
    leftovers.sort();
    for directory in leftovers {
        if let Some(_lock) = lock_of_dead_owner(&directory) {
            discard(&directory, &target.path());
        }
    }
}

/// The marker, locked by us, when it is one of ours and the run that wrote it is gone.
fn lock_of_dead_owner(directory: &Path) -> Option<File> {
    if !fs::symlink_metadata(directory).ok()?.is_dir() {
        return None;
    }
    let path = directory.join(MARKER_FILE);
    if !fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let marker = File::open(&path).ok()?;
    marker.try_lock().ok()?;
    let mut content = Vec::new();
    (&marker).take(MARKER.len() as u64 + 1).read_to_end(&mut content).ok()?;
    // Without links another run has removed it meanwhile, and its name may be in use again.
    (content == MARKER && marker.metadata().ok()?.nlink() > 0).then_some(marker)
}

/// Removes a staging directory, except when it holds the only copy of a report that cannot be brought back.
fn discard(directory: &Path, target: &Path) {
    if swap::restore(&directory.join("backup"), target) {
        // The marker goes last, so that a removal cut short is finished by the next run.
        remove_tree(&directory.join("report"));
        remove_tree(&directory.join("backup"));
        let _ = fs::remove_dir_all(directory);
    }
}

fn staging_name(target: &OsStr, number: u32) -> OsString {
    let mut name = OsString::from(".");
    name.push(target);
    name.push(format!("{INFIX}{}-{number}", std::process::id()));
    name
}

/// Whether a name is one that [`staging_name`] gives for this target, by whatever process.
fn is_staging_name(name: &OsStr, target: &OsStr) -> bool {
    let mut prefix = OsString::from(".");
    prefix.push(target);
    prefix.push(INFIX);
    let Some(rest) = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes()) else { return false };
    let mut numbers = rest.splitn(2, |byte| *byte == b'-');
    let is_number =
        |part: Option<&[u8]>| part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit));
    is_number(numbers.next()) && is_number(numbers.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target_in(place: &Path) -> Target {
        Target::resolve(&place.join("report")).unwrap()
    }

    /// What a killed run leaves: everything in place, and no lock.
    fn leave_behind(place: &Path, marker: &[u8]) -> PathBuf {
        let directory = place.join(".report.skipstone-4711-0");
        fs::create_dir_all(directory.join("report")).unwrap();
        fs::write(directory.join(MARKER_FILE), marker).unwrap();
        directory
    }

    #[test]
    fn names_are_recognised_exactly() {
        let target = OsStr::new("report");
        assert!(is_staging_name(&staging_name(target, 7), target));
        for name in
            [".report.skipstone-", ".report.skipstone-1", ".report.skipstone-1-", ".report.skipstone-1-2x", "report"]
        {
            assert!(!is_staging_name(OsStr::new(name), target), "{name}");
        }
        assert!(!is_staging_name(OsStr::new(".other.skipstone-1-0"), target));
    }

    #[test]
    fn leftovers_of_dead_runs_go_and_living_or_foreign_ones_stay() {
        let place = tempfile::tempdir().unwrap();
        let target = target_in(place.path());
        let dead = leave_behind(place.path(), MARKER);
        let living = Staging::create(&target).unwrap();
        remove_leftovers(&target);
        assert!(!dead.exists());
        assert!(living.report().is_dir());

        let foreign = leave_behind(place.path(), b"mine\n");
        let unmarked = place.path().join(".report.skipstone-1-1");
        fs::create_dir(&unmarked).unwrap();
        remove_leftovers(&target);
        assert!(foreign.is_dir() && unmarked.is_dir());
    }

    #[test]
    fn a_report_set_aside_by_a_dead_run_comes_back() {
        let place = tempfile::tempdir().unwrap();
        let target = target_in(place.path());
        let dead = leave_behind(place.path(), MARKER);
        fs::create_dir(dead.join("backup")).unwrap();
        fs::write(dead.join("backup/report.json"), "old").unwrap();
        remove_leftovers(&target);
        assert_eq!(fs::read_to_string(target.path().join("report.json")).unwrap(), "old");
        assert!(!dead.exists());
    }

    #[test]
    fn two_of_one_process_do_not_collide_and_drop_removes_them() {
        let place = tempfile::tempdir().unwrap();
        let target = target_in(place.path());
        let (one, other) = (Staging::create(&target).unwrap(), Staging::create(&target).unwrap());
        assert_ne!(one.report(), other.report());
        drop((one, other));
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
