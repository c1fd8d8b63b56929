//! Directories that `skopeo copy … dir:` wrote: one image or index, flat.
//!
//! Rule: containers/image, directory/directory_transport.go: `version` begins with a fixed text, `manifest.json` is the
//! image byte for byte, `<hex>.manifest.json` are the members of an index, `<hex>` are blobs, whatever their algorithm.
//! Neither repository nor tag is kept. Cost: reading `version` and `manifest.json`.

use std::sync::Arc;

use super::super::tree::FileTree;
use super::super::{SourceError, SourceLimits};
use super::blob_file;
use super::{Blob, MANIFEST_BYTES, Presence, RawManifest, Root, RootContent, Store, StoreError, StoreShape};
use crate::finding::ContentDigest;

/// The file that marks such a directory.
pub(super) const MARKER: &str = "version";
const MARKER_TEXT: &[u8] = b"Directory Transport Version:";
const MARKER_BYTES: u64 = 4096;
const MANIFEST: &str = "manifest.json";

/// A directory that `skopeo copy … dir:` wrote.
pub struct SkopeoDirectory {
    tree: Arc<dyn FileTree>,
    /// The digest of `manifest.json`, which is that of the image.
    image: Result<ContentDigest, StoreError>,
}

impl SkopeoDirectory {
    /// Opens the directory at the root of a tree; `None` where it is none. One whose manifest cannot be read is opened, and
    /// [`Store::roots`] says why.
    ///
    /// # Errors
    /// None today; it is what every shape answers.
    pub(super) fn open(tree: Arc<dyn FileTree>, _limits: &SourceLimits) -> Result<Option<Self>, SourceError> {
        if !is_marked(&*tree) {
            return Ok(None);
        }
        let image = tree.read(MANIFEST, MANIFEST_BYTES);
        let image = image.map(|bytes| ContentDigest::of(&bytes)).map_err(|error| blob_file::of_io(MANIFEST, &error));
        Ok(Some(Self { tree, image }))
    }

    /// Where a manifest or blob lies.
    fn path_of(&self, digest: &ContentDigest) -> String {
        if self.image.as_ref() == Ok(digest) {
            return MANIFEST.to_owned();
        }
        let member = format!("{}.{MANIFEST}", digest.hex());
        if self.tree.is_file(&member) { member } else { digest.hex() }
    }
}

/// Whether the root of a tree is such a directory.
pub(super) fn is_marked(tree: &dyn FileTree) -> bool {
    tree.is_file(MARKER) && tree.read(MARKER, MARKER_BYTES).is_ok_and(|text| text.starts_with(MARKER_TEXT))
}

impl Store for SkopeoDirectory {
    fn shape(&self) -> StoreShape {
        StoreShape::SkopeoDirectory
    }

    fn place(&self) -> String {
        self.tree.place().display().to_string()
    }

    fn roots(&self) -> Result<Vec<Root>, StoreError> {
        let digest = self.image.clone()?;
        let content = RootContent::Image(digest.clone());
        Ok(vec![Root { repository: None, tag: None, identity: Some(digest), content, notes: Vec::new() }])
    }

    fn resolve(&self, _repository: &str, reference: &str) -> Result<Option<ContentDigest>, StoreError> {
        let Ok(digest) = reference.parse() else { return Ok(None) };
        Ok(self.tree.is_file(&self.path_of(&digest)).then_some(digest))
    }

    fn manifest(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<RawManifest, StoreError> {
        blob_file::manifest(&*self.tree, &self.path_of(digest), digest, None)
    }

    fn blob(&self, _repository: Option<&str>, digest: &ContentDigest) -> Result<Blob, StoreError> {
        blob_file::blob(&*self.tree, &self.path_of(digest), digest, None)
    }

    fn presence(&self, _repository: Option<&str>, digest: &ContentDigest) -> Presence {
        blob_file::presence(&*self.tree, &self.path_of(digest), digest, None)
    }

    fn repositories_with(&self, _digest: &ContentDigest) -> Vec<String> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::super::tree::DirectoryTree;
    use super::super::StoreErrorKind;
    use super::*;

    fn directory(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Option<SkopeoDirectory>) {
        let place = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(place.path().join(name), bytes).unwrap();
        }
        let tree = Arc::new(DirectoryTree::new(place.path()).unwrap());
        let store = SkopeoDirectory::open(tree, &SourceLimits::default()).unwrap();
        (place, store)
    }

    const VERSION: (&str, &[u8]) = ("version", b"Directory Transport Version: 1.1\n");

    #[test]
    fn the_index_its_members_and_blobs_are_found() {
        let (index, member, layer) =
            (b"{\"manifests\":[]}".as_slice(), b"{\"layers\":[]}".as_slice(), b"layer".as_slice());
        let member_name = format!("{}.manifest.json", ContentDigest::of(member).hex());
        let layer_name = ContentDigest::of(layer).hex();
        let files = [VERSION, ("manifest.json", index), (&member_name, member), (&layer_name, layer)];
        let (_place, store) = directory(&files);
        let store = store.unwrap();
        let roots = store.roots().unwrap();
        assert_eq!(roots.len(), 1);
        assert_eq!((&roots[0].repository, &roots[0].tag), (&None, &None));
        assert_eq!(roots[0].identity, Some(ContentDigest::of(index)));
        assert_eq!(store.manifest(None, &ContentDigest::of(index)).unwrap().bytes, index);
        assert_eq!(store.manifest(None, &ContentDigest::of(member)).unwrap().bytes, member);
        assert!(matches!(store.presence(None, &ContentDigest::of(layer)), Presence::Present { bytes: Some(5), .. }));
        let asked = ContentDigest::of(layer).to_string();
        assert_eq!(store.resolve("any/repository", &asked).unwrap(), Some(ContentDigest::of(layer)));
        assert_eq!(store.resolve("any/repository", "v1").unwrap(), None);
    }

    #[test]
    fn blobs_of_any_algorithm_are_found_by_their_digits() {
        let digest: ContentDigest = format!("sha512:{}", "0".repeat(128)).parse().unwrap();
        let (_place, store) = directory(&[VERSION, ("manifest.json", b"{}"), (&"0".repeat(128), b"layer")]);
        assert!(matches!(store.unwrap().presence(None, &digest), Presence::Present { .. }));
    }

    #[test]
    fn a_blob_with_other_bytes_is_bad_and_one_that_misses_is_absent() {
        let digest = ContentDigest::of(b"layer");
        let (_place, store) = directory(&[VERSION, ("manifest.json", b"{}"), (&digest.hex(), b"other")]);
        let store = store.unwrap();
        assert_eq!(store.manifest(None, &digest).unwrap_err().kind, StoreErrorKind::Bad);
        assert_eq!(store.blob(None, &ContentDigest::of(b"none")).err().unwrap().kind, StoreErrorKind::Absent);
    }

    #[test]
    fn without_its_marker_it_is_none_and_without_its_manifest_it_says_so() {
        assert!(directory(&[("version", b"1.0\n"), ("manifest.json", b"{}")]).1.is_none());
        assert!(directory(&[("manifest.json", b"{}")]).1.is_none());
        let (_place, store) = directory(&[VERSION]);
        assert_eq!(store.unwrap().roots().unwrap_err().kind, StoreErrorKind::Absent);
    }
}
