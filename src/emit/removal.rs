//! Removing a directory of thousands of files.
//!
//! Cost: one walk and one system call a file. Disks that give freed blocks back at once make each removal wait for
//! milliseconds: 4,000 flushed files took 13 s one after the other and 0.6 s from 32 threads, which mostly wait.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use walkdir::WalkDir;

const THREADS: usize = 32;
/// Fewer files than this are not worth a thread.
const SMALLEST_SHARE: usize = 16;

/// Removes a directory with all that is in it; symbolic links are removed, never followed. Best effort: what cannot be
/// removed stays, for the next run to try again.
pub(super) fn remove_tree(root: &Path) {
    let files: Vec<PathBuf> = WalkDir::new(root)
        .follow_root_links(false)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.depth() > 0 && !entry.file_type().is_dir())
        .map(walkdir::DirEntry::into_path)
        .collect();
    let share = files.len().div_ceil(THREADS).max(SMALLEST_SHARE);
    thread::scope(|scope| {
        for files in files.chunks(share) {
            // A thread that cannot be started leaves its share to the call below.
            let _ = thread::Builder::new().spawn_scoped(scope, move || files.iter().for_each(remove_file));
        }
    });
    let _ = fs::remove_dir_all(root);
}

fn remove_file(path: &PathBuf) {
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_all_and_follows_no_link() {
        let place = tempfile::tempdir().unwrap();
        let (tree, other) = (place.path().join("tree"), place.path().join("other"));
        for directory in ["tree/a/b", "other"] {
            fs::create_dir_all(place.path().join(directory)).unwrap();
        }
        fs::write(other.join("kept"), "").unwrap();
        for number in 0..100 {
            fs::write(tree.join(format!("a/b/{number}")), "x").unwrap();
        }
        std::os::unix::fs::symlink(&other, tree.join("a/link")).unwrap();
        remove_tree(&tree);
        std::os::unix::fs::symlink(&other, &tree).unwrap();
        remove_tree(&tree);
        assert!(other.join("kept").exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
