//! Builds images for tests, honest and hostile ones, and lays them out as mirrors do.
//!
//! Rule: OCI image specification (manifest.md, image-layout.md), distribution's storage paths, POSIX ustar. What a test wants
//! wrong it puts there itself: nothing here refuses a name, a length or a digest.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use skipstone::finding::ContentDigest;

pub(crate) const CATALOG_LABEL: &str = "operators.operatorframework.io.index.configs.v1";
pub(crate) const INDEX_TYPE: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG_TYPE: &str = "application/vnd.oci.image.config.v1+json";
const LAYER_TYPE: &str = "application/vnd.oci.image.layer.v1.tar+gzip";
const TAG: &str = "org.opencontainers.image.ref.name";

/// Files by their relative paths.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

/// A tar archive that grows entry by entry.
#[derive(Clone, Default)]
pub(crate) struct Tar {
    bytes: Vec<u8>,
}

impl Tar {
    /// A layer with one file.
    pub(crate) fn with(path: &str, content: impl AsRef<[u8]>) -> Self {
        Self::default().file(path, content)
    }

    /// An archive of files.
    pub(crate) fn of(files: &Files) -> Self {
        files.iter().fold(Self::default(), |tar, (path, content)| tar.file(path, content))
    }

    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let content = content.as_ref();
        if path.len() > 100 {
            return self.file_of_any_name(path.as_bytes(), content);
        }
        self.entry(b'0', path.as_bytes(), "", content.len() as u64, content)
    }

    /// An entry without content: `1` is a hard link, `2` a symbolic one, `3` a character device, `6` a pipe.
    pub(crate) fn special(self, kind: u8, path: &str, target: &str) -> Self {
        self.entry(kind, path.as_bytes(), target, 0, b"")
    }

    /// A file whose name stands in a pax record, where it may have any bytes and any length.
    pub(crate) fn file_of_any_name(self, path: &[u8], content: impl AsRef<[u8]>) -> Self {
        // "NN path=…\n", where NN counts itself, too.
        let mut length = path.len() + 8;
        while length != path.len() + 7 + length.to_string().len() {
            length += 1;
        }
        let record = [format!("{length} path=").as_bytes(), path, b"\n"].concat();
        let content = content.as_ref();
        self.entry(b'x', b"pax", "", record.len() as u64, &record).entry(
            b'0',
            b"short",
            "",
            content.len() as u64,
            content,
        )
    }

    /// An entry of any kind that states any length.
    pub(crate) fn entry(mut self, kind: u8, path: &[u8], target: &str, stated: u64, content: &[u8]) -> Self {
        self.bytes.extend(header(kind, path, target, stated));
        self.bytes.extend(content);
        self.bytes.resize(self.bytes.len().next_multiple_of(512), 0);
        self
    }

    /// Without the blocks that mark the end.
    pub(crate) fn unfinished(self) -> Vec<u8> {
        self.bytes
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.bytes.resize(self.bytes.len() + 1024, 0);
        self.bytes
    }
}

/// A header of one block.
pub(crate) fn header(kind: u8, path: &[u8], target: &str, stated: u64) -> [u8; 512] {
    let mut header = tar::Header::new_ustar();
    header.as_old_mut().name[..path.len()].copy_from_slice(path);
    header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
    header.as_old_mut().linkflag = [kind];
    header.set_size(stated);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_cksum();
    *header.as_bytes()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    packed(bytes, Compression::fast())
}

/// As small as gzip gets: zeros shrink to a thousandth.
pub(crate) fn gzip_hard(bytes: &[u8]) -> Vec<u8> {
    packed(bytes, Compression::best())
}

fn packed(bytes: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Blobs by digest, and the descriptors that have a tag.
#[derive(Clone, Default)]
pub(crate) struct Images {
    pub(crate) blobs: BTreeMap<String, Vec<u8>>,
    pub(crate) top: Vec<Value>,
}

impl Images {
    /// A catalog image with these layers and the tag `v1`; its label names `/configs`.
    pub(crate) fn catalog(layers: &[Vec<u8>]) -> Self {
        let mut images = Self::default();
        let image = images.image(&json!({CATALOG_LABEL: "/configs"}), layers);
        images.tag("v1", image);
        images
    }

    /// Keeps a blob, and describes it.
    pub(crate) fn blob(&mut self, media_type: &str, bytes: impl Into<Vec<u8>>) -> Value {
        let bytes = bytes.into();
        let digest = ContentDigest::of(&bytes).to_string();
        let descriptor = json!({"mediaType": media_type, "digest": digest, "size": bytes.len()});
        self.blobs.insert(digest, bytes);
        descriptor
    }

    /// An image with these labels and layers.
    pub(crate) fn image(&mut self, labels: &Value, layers: &[Vec<u8>]) -> Value {
        let layers: Vec<Value> = layers.iter().map(|layer| self.blob(LAYER_TYPE, layer.clone())).collect();
        self.image_of(labels, &layers)
    }

    /// An image whose layers are described by the test.
    pub(crate) fn image_of(&mut self, labels: &Value, layers: &[Value]) -> Value {
        let config = json!({"os": "linux", "architecture": "amd64", "config": {"Labels": labels}});
        let config = self.blob(CONFIG_TYPE, config.to_string());
        self.manifest(&config, layers)
    }

    pub(crate) fn manifest(&mut self, config: &Value, layers: &[Value]) -> Value {
        let manifest = json!({"schemaVersion": 2, "mediaType": MANIFEST_TYPE, "config": config, "layers": layers});
        self.blob(MANIFEST_TYPE, manifest.to_string())
    }

    pub(crate) fn index(&mut self, members: &[Value]) -> Value {
        self.blob(INDEX_TYPE, json!({"schemaVersion": 2, "mediaType": INDEX_TYPE, "manifests": members}).to_string())
    }

    /// Gives a described image a tag.
    pub(crate) fn tag(&mut self, tag: &str, mut descriptor: Value) {
        descriptor["annotations"] = json!({TAG: tag});
        self.top.push(descriptor);
    }

    /// The parts of the first image: its manifest, its configuration, its layers, by digest.
    pub(crate) fn parts(&self) -> (String, String, Vec<String>) {
        let digest = |descriptor: &Value| descriptor["digest"].as_str().unwrap().to_owned();
        let manifest: Value = serde_json::from_slice(&self.blobs[&digest(&self.top[0])]).unwrap();
        let layers = manifest["layers"].as_array().unwrap().iter().map(digest).collect();
        (digest(&self.top[0]), digest(&manifest["config"]), layers)
    }

    /// The files of an OCI layout.
    pub(crate) fn layout(&self) -> Files {
        let index = json!({"schemaVersion": 2, "manifests": self.top});
        let mut files = vec![
            ("oci-layout".to_owned(), br#"{"imageLayoutVersion": "1.0.0"}"#.to_vec()),
            ("index.json".to_owned(), index.to_string().into_bytes()),
        ];
        files.extend(self.blobs.iter().map(|(digest, bytes)| (blob_path(digest), bytes.clone())));
        files
    }

    /// The files of a registry's storage that holds everything in one repository.
    pub(crate) fn storage(&self, repository: &str) -> Files {
        let manifests = format!("docker/registry/v2/repositories/{repository}/_manifests");
        let mut files = Files::new();
        for descriptor in &self.top {
            let digest = descriptor["digest"].as_str().unwrap();
            let tag = descriptor["annotations"][TAG].as_str().unwrap();
            let (_, hex) = digest.split_once(':').unwrap();
            files.push((format!("{manifests}/revisions/sha256/{hex}/link"), digest.into()));
            files.push((format!("{manifests}/tags/{tag}/current/link"), digest.into()));
            files.push((format!("{manifests}/tags/{tag}/index/sha256/{hex}/link"), digest.into()));
        }
        files.extend(self.blobs.iter().map(|(digest, bytes)| (storage_path(digest), bytes.clone())));
        files
    }
}

/// Where a blob lies in an OCI layout.
pub(crate) fn blob_path(digest: &str) -> String {
    format!("blobs/{}", digest.replace(':', "/"))
}

/// Where a blob lies in the storage of a registry.
pub(crate) fn storage_path(digest: &str) -> String {
    let (algorithm, hex) = digest.split_once(':').unwrap();
    format!("docker/registry/v2/blobs/{algorithm}/{}/{hex}/data", &hex[..2])
}

/// Writes files below a directory.
pub(crate) fn write(place: &Path, files: &Files) {
    for (path, bytes) in files {
        let file = place.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
}
