//! Reads the signatures of releases that lie beside images, and those in files and directories that people name.
//!
//! Rule: a file that ends as JSON or YAML does is one of ConfigMaps, as they reach a cluster; any other is one message.
//! `signatures/openshift/release/sha256=<hex>/signature-1` is how the mirrors of releases and cincinnati keep them
//! (library-go `pkg/verify/store/sigstore`). A message that lies in several files counts once. Cost: each file once.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::super::plain_files;
use crate::finding::{ContentDigest, Finding, SourceRef, Subject, codes};
use crate::mirror::release_signature::FoundSignature;
use crate::source::signature::{SIGNATURE_BYTES, digest_in_name, signatures_in_config_maps};
use crate::source::tree::{DirectoryTree, FileTree};
use crate::source::{SourceError, SourceLimits};

const CONFIG_MAP_ENDINGS: [&str; 3] = [".json", ".yaml", ".yml"];
/// The largest file of ConfigMaps, and the most files.
const FILE_BYTES: u64 = 16 << 20;
const MOST_FILES: usize = 10_000;

/// A file that should hold signatures.
#[derive(Clone)]
pub struct SignatureFile {
    /// The tree that holds it.
    pub tree: Arc<dyn FileTree>,
    /// Its path there.
    pub path: String,
}

/// Every file at a place that a user names: the file itself, or all that lie in the directory and below.
///
/// # Errors
/// [`SourceError`] where the place cannot be looked at.
pub fn signature_files(place: &Path, limits: &SourceLimits) -> Result<Vec<SignatureFile>, SourceError> {
    let io = |cause| SourceError::Io { path: place.to_owned(), cause };
    if place.is_dir() {
        let tree: Arc<dyn FileTree> = Arc::new(plain_files::directory(place)?);
        let paths = plain_files::paths(&*tree, "", limits);
        if let Some(fault) = paths.faults.first() {
            let what = format!("{}: {}", fault.path, fault.reason);
            return Err(SourceError::Unsuitable { path: place.to_owned(), what });
        }
        return Ok(paths.files.into_iter().map(|path| SignatureFile { tree: Arc::clone(&tree), path }).collect());
    }
    let real = place.canonicalize().map_err(io)?;
    let tree = DirectoryTree::new(real.parent().unwrap_or(Path::new("/"))).map_err(io)?;
    let path = real.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(vec![SignatureFile { tree: Arc::new(tree), path }])
}

/// Reads signatures; what cannot be read is a finding.
pub(super) fn read_signatures(files: &[SignatureFile]) -> (Vec<FoundSignature>, Vec<Finding>) {
    let (mut found, mut findings) = (Vec::new(), Vec::new());
    let mut unreadable = |path: &str, reason: String| {
        let at = SourceRef::input(path);
        let finding = Finding::new(codes::INPUT_UNREADABLE, Subject::default()).at(&at);
        findings.push(finding.with("path", path).with("reason", reason));
    };
    for SignatureFile { tree, path } in files.iter().take(MOST_FILES) {
        let is_config_map = CONFIG_MAP_ENDINGS.iter().any(|ending| path.ends_with(ending));
        let most = if is_config_map { FILE_BYTES } else { SIGNATURE_BYTES as u64 };
        match tree.read(path, most) {
            Err(error) => unreadable(path, error.to_string()),
            Ok(bytes) if is_config_map => {
                let maps = signatures_in_config_maps(&bytes);
                found.extend(maps.signatures.into_iter().map(|signature| FoundSignature {
                    file: format!("{path}#{}", signature.name),
                    digest: signature.digest,
                    message: signature.message,
                }));
                maps.faults.into_iter().for_each(|fault| unreadable(path, fault));
            }
            Ok(message) => found.push(FoundSignature { file: path.clone(), digest: digest_in_path(path), message }),
        }
    }
    if let Some(first) = files.get(MOST_FILES) {
        unreadable(&first.path, format!("there are more than {MOST_FILES} files of signatures"));
    }
    let mut known = BTreeSet::new();
    found.retain(|signature: &FoundSignature| known.insert((signature.digest.clone(), signature.message.clone())));
    (found, findings)
}

/// The digest that a file promises by its own name or by that of its directory.
fn digest_in_path(path: &str) -> Option<ContentDigest> {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    digest_in_name(name).or_else(|| {
        let hex = directory.rsplit('/').next()?.strip_prefix("sha256=")?;
        format!("sha256:{hex}").parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &[u8])]) -> (Vec<(String, Option<ContentDigest>)>, usize) {
        let place = tempfile::tempdir().unwrap();
        for (path, bytes) in files {
            let file = place.path().join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        let files = signature_files(place.path(), &SourceLimits::default()).unwrap();
        let (found, findings) = read_signatures(&files);
        (found.into_iter().map(|signature| (signature.file, signature.digest)).collect(), findings.len())
    }

    #[test]
    fn names_and_directories_promise_digests() {
        let digest = ContentDigest::of(b"release");
        let hex = digest.hex();
        let map = format!("{{\"kind\": \"ConfigMap\", \"binaryData\": {{\"sha256-{hex}-1\": \"AAEC\"}}}}");
        let in_directory = format!("release/sha256={hex}/signature-1");
        let tagged = format!("4.20.1-x86_64-sha256-{hex}");
        let files: [(&str, &[u8]); 4] =
            [("map.json", map.as_bytes()), (&in_directory, b"one"), (&tagged, b"two"), ("words", b"three")];
        let (found, faults) = found(&files);
        assert_eq!(
            found,
            [
                (tagged.clone(), Some(digest.clone())),
                (format!("map.json#sha256-{hex}-1"), Some(digest.clone())),
                (in_directory.clone(), Some(digest)),
                ("words".to_owned(), None),
            ]
        );
        assert_eq!(faults, 0);
    }

    #[test]
    fn equal_messages_count_once_and_faults_are_told() {
        let long = vec![0; SIGNATURE_BYTES + 1];
        let files: [(&str, &[u8]); 4] = [("a", b"same"), ("b", b"same"), ("c", &long), ("d.json", b"{")];
        let (found, faults) = found(&files);
        assert_eq!(found, [("a".to_owned(), None)]);
        assert_eq!(faults, 2);
        assert!(signature_files(Path::new("/nothing/here"), &SourceLimits::default()).is_err());
    }
}
