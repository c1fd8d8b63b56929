//! Small stores for tests, written file by file.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::finding::ContentDigest;
use crate::source::tree::{DirectoryTree, FileTree};

/// Writes a file and the directories above it.
pub(super) fn write(place: &Path, path: &str, bytes: impl AsRef<[u8]>) {
    let path = place.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A directory as a tree.
pub(super) fn tree(place: &Path) -> Arc<dyn FileTree> {
    Arc::new(DirectoryTree::new(place).unwrap())
}

/// An index that names members.
pub(super) fn index(members: &[&ContentDigest]) -> String {
    let members: Vec<String> = members.iter().map(|member| format!(r#"{{"digest": "{member}"}}"#)).collect();
    format!(r#"{{"schemaVersion": 2, "manifests": [{}]}}"#, members.join(", "))
}

/// Puts bytes among the blobs of a distribution registry whose `v2` directory is given.
pub(super) fn registry_blob(v2: &Path, bytes: &[u8]) -> ContentDigest {
    let digest = ContentDigest::of(bytes);
    write(v2, &registry_data(&digest), bytes);
    digest
}

/// Where the bytes of a blob lie below `v2`.
pub(super) fn registry_data(digest: &ContentDigest) -> String {
    let hex = digest.hex();
    let (shard, _) = hex.split_at_checked(2).unwrap();
    format!("blobs/{}/{shard}/{hex}/data", digest.algorithm())
}

/// Links a manifest to a repository of a distribution registry.
pub(super) fn registry_revision(v2: &Path, repository: &str, digest: &ContentDigest) {
    let directory = format!("repositories/{repository}/_manifests/revisions/{}", digest.algorithm());
    write(v2, &format!("{directory}/{}/link", digest.hex()), digest.to_string());
}

/// Makes a tag of a distribution registry mean a manifest; what it meant before stays in its history.
pub(super) fn registry_tag(v2: &Path, repository: &str, tag: &str, digest: &ContentDigest) {
    registry_revision(v2, repository, digest);
    let directory = format!("repositories/{repository}/_manifests/tags/{tag}");
    write(v2, &format!("{directory}/current/link"), digest.to_string());
    let history = format!("{directory}/index/{}/{}/link", digest.algorithm(), digest.hex());
    write(v2, &history, digest.to_string());
}

/// Puts a manifest into a repository of a tree that `oc image mirror` wrote.
pub(super) fn mirrored_manifest(place: &Path, repository: &str, bytes: &[u8]) -> ContentDigest {
    let digest = ContentDigest::of(bytes);
    write(place, &format!("v2/{repository}/manifests/{digest}"), bytes);
    digest
}

/// Makes a symbolic link.
pub(super) fn link(place: &Path, path: &str, target: &str) {
    let path = place.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, path).unwrap();
}

/// Writes an OCI image layout with one image that has no layers, and answers with its digest.
pub(super) fn layout(place: &Path, path: &str, manifest: &[u8]) -> ContentDigest {
    let digest = ContentDigest::of(manifest);
    write(place, &format!("{path}/oci-layout"), r#"{"imageLayoutVersion": "1.0.0"}"#);
    let index = format!(r#"{{"manifests": [{{"digest": "{digest}", "size": {}}}]}}"#, manifest.len());
    write(place, &format!("{path}/index.json"), index);
    write(place, &format!("{path}/blobs/sha256/{}", digest.hex()), manifest);
    digest
}
