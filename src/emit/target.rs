//! Where a report goes: the real place behind a name, and whether it may be replaced.
//!
//! Rule: only a missing directory, an empty one, or an earlier report is ever replaced, so that a mistyped `--output`
//! destroys nothing. Cost: a few system calls.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::EmitError;
use super::sums::SUMS_FILE;

/// The file that every report has.
pub(super) const REPORT_FILE: &str = "report.json";

/// A place that can be renamed to: an absolute directory without symbolic links, and a name in it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The directory that holds the target, and its hidden siblings.
    pub(super) parent: PathBuf,
    /// The name of the target in it.
    pub(super) name: OsString,
}

impl Target {
    /// Follows symbolic links, so that the place is replaced and not the link; creates missing parents.
    pub(super) fn resolve(path: &Path) -> Result<Self, EmitError> {
        let nameless = || EmitError::Nameless { path: path.to_path_buf() };
        let exists = fs::symlink_metadata(path).is_ok();
        let real =
            if exists { path.canonicalize().map_err(EmitError::io("resolve", path))? } else { path.to_path_buf() };
        let name = real.file_name().ok_or_else(nameless)?.to_owned();
        let parent = match real.parent().ok_or_else(nameless)? {
            here if here.as_os_str().is_empty() => Path::new("."),
            parent => parent,
        };
        fs::create_dir_all(parent).map_err(EmitError::io("create", parent))?;
        let parent = parent.canonicalize().map_err(EmitError::io("resolve", parent))?;
        Ok(Self { parent, name })
    }

    /// The whole path.
    pub(super) fn path(&self) -> PathBuf {
        self.parent.join(&self.name)
    }

    /// Refuses a target that a report must not replace, or cannot.
    pub(super) fn refuse_unless_replaceable(&self) -> Result<(), EmitError> {
        let path = self.path();
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            other => other.map_err(EmitError::io("inspect", &path))?,
        };
        if !metadata.is_dir() {
            return Err(EmitError::ForeignTarget { path });
        }
        let is_empty = fs::read_dir(&path).map_err(EmitError::io("list", &path))?.next().is_none();
        let is_report = is_file(&path.join(REPORT_FILE)) && is_file(&path.join(SUMS_FILE));
        if !is_empty && !is_report {
            return Err(EmitError::ForeignTarget { path });
        }
        if is_mount_point(&path) {
            return Err(EmitError::MountPoint { path });
        }
        Ok(())
    }
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// Whether a file system is mounted here, as far as the kernel tells; a mount point cannot be renamed.
#[cfg(target_os = "linux")]
fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::BASIC_STATS)
        .is_ok_and(|status| status.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Other systems do not tell; the rename then fails and says so.
#[cfg(not(target_os = "linux"))]
fn is_mount_point(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_empty_and_own_targets_may_be_replaced() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/report");
        let target = Target::resolve(&path).unwrap();
        target.refuse_unless_replaceable().unwrap();
        fs::create_dir(&path).unwrap();
        target.refuse_unless_replaceable().unwrap();
        fs::write(path.join(REPORT_FILE), "{}").unwrap();
        fs::write(path.join(SUMS_FILE), "").unwrap();
        target.refuse_unless_replaceable().unwrap();
    }

    #[test]
    fn foreign_directories_and_files_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        fs::create_dir(&home).unwrap();
        fs::write(home.join(REPORT_FILE), "{}").unwrap();
        for path in [home.clone(), home.join(REPORT_FILE), PathBuf::from("/proc")] {
            let refusal = Target::resolve(&path).unwrap().refuse_unless_replaceable();
            assert!(matches!(refusal, Err(EmitError::ForeignTarget { .. })), "{refusal:?}");
        }
        assert!(matches!(Target::resolve(Path::new("/")), Err(EmitError::Nameless { .. })));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_mount_point_is_known() {
        assert!(is_mount_point(Path::new("/proc")));
        assert!(!is_mount_point(Path::new("/proc/self/fd")));
    }

    #[test]
    fn a_link_leads_to_the_real_place() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().join("real");
        fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, place.path().join("current")).unwrap();
        std::os::unix::fs::symlink(place.path().join("nowhere"), place.path().join("dangling")).unwrap();
        let target = Target::resolve(&place.path().join("current")).unwrap();
        assert_eq!(target.path(), real.canonicalize().unwrap());
        assert!(Target::resolve(&place.path().join("dangling")).is_err());
    }
}
