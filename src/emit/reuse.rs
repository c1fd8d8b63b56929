//! Files that an earlier report holds already: linked into the new one instead of written again.
//!
//! Rule: a file is shared only when it is what a new one would be (the bytes, the owner and the permissions) and when no
//! other name leads to it, so that nobody can tell the difference. A report is never changed in place, so the two never
//! disturb each other, and the earlier one is removed soon. Cost: one read and one comparison instead of one write, and
//! nothing to flush or to free.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Creates `place` with these bytes, as a link to `earlier` where that serves. `fresh` describes a file that this run
/// has created itself.
pub(super) fn link_or_write(earlier: &Path, place: &Path, bytes: &[u8], fresh: &Metadata) -> io::Result<()> {
    if is_as_new(earlier, bytes, fresh) && fs::hard_link(earlier, place).is_ok() {
        return Ok(());
    }
    File::create_new(place)?.write_all(bytes)
}

fn is_as_new(earlier: &Path, bytes: &[u8], fresh: &Metadata) -> bool {
    let rights = |metadata: &Metadata| (metadata.mode(), metadata.uid(), metadata.gid());
    let is_alike = fs::symlink_metadata(earlier).is_ok_and(|metadata| {
        metadata.nlink() == 1 && metadata.len() == bytes.len() as u64 && rights(&metadata) == rights(fresh)
    });
    is_alike && fs::read(earlier).is_ok_and(|present| present == bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Whether a file with this content, changed by `change`, is shared when `new` is to be written.
    fn is_shared(change: impl Fn(&Path)) -> bool {
        let place = tempfile::tempdir().unwrap();
        let [fresh, earlier, new] = ["fresh", "earlier", "new"].map(|name| place.path().join(name));
        fs::write(&fresh, "").unwrap();
        fs::write(&earlier, "bytes").unwrap();
        change(&earlier);
        link_or_write(&earlier, &new, b"bytes", &fs::metadata(&fresh).unwrap()).unwrap();
        assert_eq!(fs::read(&new).unwrap(), b"bytes");
        assert_eq!(fs::metadata(&new).unwrap().mode(), fs::metadata(&fresh).unwrap().mode());
        fs::metadata(&new).unwrap().nlink() > 1
    }

    #[test]
    fn an_equal_file_is_shared() {
        assert!(is_shared(|_| {}));
    }

    #[test]
    fn a_file_that_differs_in_any_way_is_not() {
        assert!(!is_shared(|earlier| fs::write(earlier, "Bytes").unwrap()));
        assert!(!is_shared(|earlier| fs::write(earlier, "longer bytes").unwrap()));
        assert!(!is_shared(|earlier| fs::remove_file(earlier).unwrap()));
        assert!(!is_shared(|earlier| fs::hard_link(earlier, earlier.with_extension("copy")).unwrap()));
        assert!(!is_shared(|earlier| fs::set_permissions(earlier, fs::Permissions::from_mode(0o755)).unwrap()));
        assert!(!is_shared(|earlier| {
            let moved = earlier.with_extension("moved");
            fs::rename(earlier, &moved).unwrap();
            std::os::unix::fs::symlink(moved, earlier).unwrap();
        }));
    }
}
