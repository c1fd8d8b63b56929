//! Finds the contents of bundles and release payloads that were extracted to directories.
//!
//! Rule: a bundle is a directory with `manifests/` and `metadata/annotations.yaml` (operator-registry,
//! docs/design/operator-bundle.md); a payload is one with `release-manifests/` (`oc adm release extract`). Nothing is looked
//! for inside of what was found, and links are not followed. Cost: one look at each directory.

use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{FileFault, FileFaultKind, SourceError, SourceLimits};

/// Directories that lie deeper below the place are not looked at: `<package>/<version>/manifests` needs two.
const DEPTH: usize = 6;

/// What a directory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ContentKind {
    /// The files of an operator bundle.
    Bundle,
    /// The files of a release payload.
    Payload,
}

/// A directory that holds the content of one image.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContentDirectory {
    /// The directory: `manifests/`, `metadata/` or `release-manifests/` lie in it.
    pub place: PathBuf,
    /// What it holds.
    pub kind: ContentKind,
}

/// Directories of contents, by path.
#[derive(Debug, Default)]
pub struct ContentDirectories {
    /// What was found.
    pub found: Vec<ContentDirectory>,
    /// What could not be looked at.
    pub faults: Vec<FileFault>,
}

/// Lists the directories of contents at a place and below it.
///
/// # Errors
/// [`SourceError`] where the place cannot be looked at.
pub fn content_directories(place: &Path, limits: &SourceLimits) -> Result<ContentDirectories, SourceError> {
    let io = |cause| SourceError::Io { path: place.to_owned(), cause };
    if !fs::metadata(place).map_err(io)?.is_dir() {
        let what = "it is no directory".to_owned();
        return Err(SourceError::Unsuitable { path: place.to_owned(), what });
    }
    let mut directories = ContentDirectories::default();
    // The link at the place itself is followed: it is what was named.
    let root = fs::canonicalize(place).map_err(io)?;
    let mut walk = WalkDir::new(&root).sort_by_file_name().max_depth(DEPTH.min(limits.depth)).into_iter();
    let mut looked_at = 0;
    while let Some(entry) = walk.next() {
        looked_at += 1;
        if looked_at > limits.files {
            let reason = format!("it holds more than {} files, of which the rest is not looked at", limits.files);
            directories.fault("", FileFaultKind::Limit, reason);
            break;
        }
        match entry {
            Ok(entry) if entry.file_type().is_dir() => {
                if let Some(kind) = kind_of(entry.path()) {
                    let below = entry.path().strip_prefix(&root).unwrap_or(Path::new(""));
                    let place = if below.as_os_str().is_empty() { place.to_owned() } else { place.join(below) };
                    directories.found.push(ContentDirectory { place, kind });
                    walk.skip_current_dir();
                }
            }
            Ok(_) => {}
            Err(error) => {
                let below = error.path().and_then(|path| path.strip_prefix(&root).ok());
                let path = below.map_or_else(String::new, |path| path.display().to_string());
                directories.fault(&path, FileFaultKind::Unreadable, error.to_string());
            }
        }
    }
    Ok(directories)
}

impl ContentDirectories {
    fn fault(&mut self, path: &str, kind: FileFaultKind, reason: String) {
        self.faults.push(FileFault { path: path.to_owned(), kind, reason });
    }
}

fn kind_of(directory: &Path) -> Option<ContentKind> {
    let has = |name: &str| fs::symlink_metadata(directory.join(name)).ok();
    if has("manifests").is_some_and(|metadata| metadata.is_dir())
        && has("metadata/annotations.yaml").is_some_and(|metadata| metadata.is_file())
    {
        return Some(ContentKind::Bundle);
    }
    has("release-manifests").is_some_and(|metadata| metadata.is_dir()).then_some(ContentKind::Payload)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(files: &[&str]) -> tempfile::TempDir {
        let place = tempfile::tempdir().unwrap();
        for file in files {
            let file = place.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        place
    }

    fn found(place: &Path) -> Vec<(String, ContentKind)> {
        let directories = content_directories(place, &SourceLimits::default()).unwrap();
        let below = |found: &ContentDirectory| found.place.strip_prefix(place).unwrap().display().to_string();
        directories.found.iter().map(|found| (below(found), found.kind)).collect()
    }

    #[test]
    fn bundles_and_payloads_are_found_at_the_place_and_below_it() {
        let place = place(&[
            "tern/1.0.0/manifests/csv.yaml",
            "tern/1.0.0/metadata/annotations.yaml",
            "tern/1.0.0/tests/x/manifests/csv.yaml",
            "tern/1.0.0/tests/x/metadata/annotations.yaml",
            "payloads/4.18.2/release-manifests/image-references",
        ]);
        let bundle = ("tern/1.0.0".to_owned(), ContentKind::Bundle);
        assert_eq!(found(place.path()), [("payloads/4.18.2".to_owned(), ContentKind::Payload), bundle]);
        let own = place.path().join("tern/1.0.0");
        assert_eq!(found(&own), [(String::new(), ContentKind::Bundle)]);
    }

    #[test]
    fn half_a_bundle_is_none_and_too_deep_is_not_looked_at() {
        let deep = ["d"; DEPTH + 1].join("/");
        let place = place(&[
            "a/manifests/csv.yaml",
            "b/metadata/annotations.yaml",
            "c/manifests",
            "c/metadata/annotations.yaml",
            &format!("{deep}/release-manifests/x"),
        ]);
        assert!(found(place.path()).is_empty());
        assert!(content_directories(&place.path().join("c/manifests"), &SourceLimits::default()).is_err());
        assert!(content_directories(&place.path().join("nothing"), &SourceLimits::default()).is_err());
    }

    #[test]
    fn links_are_not_followed_and_loops_end() {
        let place = place(&["a/x"]);
        let outside = self::place(&["release-manifests/x"]);
        std::os::unix::fs::symlink(outside.path(), place.path().join("a/out")).unwrap();
        std::os::unix::fs::symlink("..", place.path().join("a/up")).unwrap();
        assert!(found(place.path()).is_empty());
        std::os::unix::fs::symlink(outside.path(), place.path().join("named")).unwrap();
        assert_eq!(found(&place.path().join("named")), [(String::new(), ContentKind::Payload)]);
    }

    #[test]
    fn a_million_files_meet_the_limit() {
        let place = place(&["a", "b", "c", "z/release-manifests/x"]);
        let limits = SourceLimits { files: 3, ..SourceLimits::default() };
        let directories = content_directories(place.path(), &limits).unwrap();
        assert_eq!((directories.found.len(), directories.faults[0].kind), (0, FileFaultKind::Limit));
    }
}
