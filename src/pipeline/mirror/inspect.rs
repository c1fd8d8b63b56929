//! Looks at an image in a store: which parts it has, and whether each is there.
//!
//! Rule: OCI image specification, image-index.md and manifest.md, descriptor.md for sizes. Manifests are read and checked;
//! configurations and layers are looked for, and read only where every byte is to be proven. Nested indexes are followed as far
//! as the chooser of images follows them, each once. Cost: one manifest for each instance, one look at each blob.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::sync::Mutex;

use crate::finding::ContentDigest;
use crate::mirror::facts::{Condition, ImageFacts, Instance, Part};
use crate::source::image::{
    Configuration, Descriptor, INDEX_DEPTH, ImageKind, ImageManifest, Index, MANIFEST_DESCRIPTORS,
    MANIFESTS_OF_AN_IMAGE, Manifest, image_kind, is_attestation, read_configuration, read_manifest,
};
use crate::source::store::{Presence, Store, StoreError, StoreErrorKind, StoreShape, Verified};

/// Layers that a registry need not have: their makers forbid that they are passed on.
const FOREIGN_LAYERS: &[&str] = &["nondistributable", "foreign"];

/// How closely images are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Closeness {
    /// Whether every blob is read and held against its digest.
    pub verifies: bool,
    /// Whether configurations are read, which tell what an image is.
    pub reads_labels: bool,
}

/// Looks at the images of one store.
pub(super) struct Inspector<'s> {
    pub(super) store: &'s dyn Store,
    closeness: Closeness,
    /// Blobs that were read and held against their digests, so that what images share is read once.
    proven: Mutex<BTreeMap<(Option<String>, ContentDigest), Condition>>,
}

impl<'s> Inspector<'s> {
    pub(super) fn new(store: &'s dyn Store, closeness: Closeness) -> Self {
        Self { store, closeness, proven: Mutex::default() }
    }

    /// What is known of an image; the tag helps to tell what it is.
    pub(super) fn image(&self, repository: Option<&str>, tag: Option<&str>, digest: &ContentDigest) -> ImageFacts {
        let (raw, manifest) = match read_manifest(self.store, repository, digest, None) {
            Ok(read) => read,
            Err(error) => return ImageFacts::bare(digest.clone(), None, condition(error)),
        };
        let bytes = u64::try_from(raw.bytes.len()).ok();
        let mut look = Look {
            inspector: self,
            repository,
            tag,
            facts: ImageFacts::bare(digest.clone(), bytes, Condition::Present),
            indexes: BTreeSet::from([digest.clone()]),
            instances: BTreeSet::new(),
            members: 0,
            manifests: 0,
            is_told: false,
        };
        match manifest {
            Manifest::Image(image) => {
                look.facts.media_type = image.media_type.clone().or(raw.media_type);
                let manifest = Part { digest: digest.clone(), bytes, condition: Condition::Present };
                look.image(&image, manifest, None, false);
            }
            Manifest::Index(index) => {
                look.facts.media_type = index.media_type.clone().or(raw.media_type);
                look.index(index, 1);
            }
        }
        look.facts
    }

    fn blob(&self, repository: Option<&str>, descriptor: &Descriptor) -> Part {
        let Descriptor { digest, bytes: stated, .. } = descriptor;
        let condition = match self.store.presence(repository, digest) {
            Presence::Present { bytes: Some(found), .. } if found != *stated => other_length(digest, found, *stated),
            Presence::Present { .. } if self.closeness.verifies => self.proven(repository, digest, *stated),
            Presence::Present { .. } => Condition::Present,
            Presence::ExpectedAtTarget(record) => Condition::ExpectedAtTarget(record),
            Presence::Absent => Condition::Absent,
            Presence::Bad(reason) => Condition::BadDigest(reason),
            Presence::Unknown(reason) => Condition::Unreadable(reason),
        };
        Part { digest: digest.clone(), bytes: Some(*stated), condition }
    }

    /// Reads a blob to its end, unless that was done before.
    fn proven(&self, repository: Option<&str>, digest: &ContentDigest, stated: u64) -> Condition {
        let shares = matches!(
            self.store.shape(),
            StoreShape::RegistryStorage
                | StoreShape::OciLayout
                | StoreShape::OciArchive
                | StoreShape::OcMirrorV2Archive
        );
        let key = (repository.filter(|_| !shares).map(str::to_owned), digest.clone());
        // A thread that failed left whole entries behind: what it had not finished, it had not inserted.
        let lock = || self.proven.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(condition) = lock().get(&key) {
            return condition.clone();
        }
        let condition = self.read(repository, digest, stated);
        lock().insert(key, condition.clone());
        condition
    }

    fn read(&self, repository: Option<&str>, digest: &ContentDigest, stated: u64) -> Condition {
        let blob = match self.store.blob(repository, digest) {
            Ok(blob) => blob,
            Err(error) => return condition(error),
        };
        let mut content = Verified::new(blob.content, digest.clone(), Some(stated));
        let read = content.finish();
        match read.as_ref().map_err(std::io::Error::kind) {
            Ok(()) => Condition::Present,
            Err(ErrorKind::InvalidData | ErrorKind::UnexpectedEof) if content.bytes() != stated => {
                other_length(digest, content.bytes(), stated)
            }
            Err(kind) => {
                let reason = read.err().map_or_else(String::new, |error| error.to_string());
                if kind == ErrorKind::InvalidData {
                    Condition::BadDigest(reason)
                } else {
                    Condition::Unreadable(reason)
                }
            }
        }
    }
}

/// What was met of one image so far.
struct Look<'i> {
    inspector: &'i Inspector<'i>,
    repository: Option<&'i str>,
    tag: Option<&'i str>,
    facts: ImageFacts,
    indexes: BTreeSet<ContentDigest>,
    instances: BTreeSet<(ContentDigest, Option<crate::source::image::Platform>)>,
    members: usize,
    manifests: usize,
    /// Whether an instance told what the image is.
    is_told: bool,
}

impl Look<'_> {
    fn index(&mut self, index: Index, depth: usize) {
        let faults = index.faults.into_iter();
        self.facts.faults.extend(faults.map(|fault| format!("member {}: {}", fault.position, fault.reason)));
        for descriptor in index.descriptors {
            self.members = self.members.saturating_add(1);
            if self.members > MANIFEST_DESCRIPTORS {
                self.facts.faults.push(format!("its indexes list more than {MANIFEST_DESCRIPTORS} members"));
                return;
            }
            self.member(&descriptor, depth);
        }
    }

    fn member(&mut self, descriptor: &Descriptor, depth: usize) {
        if !self.instances.insert((descriptor.digest.clone(), descriptor.platform.clone())) {
            return;
        }
        self.manifests = self.manifests.saturating_add(1);
        if self.manifests > MANIFESTS_OF_AN_IMAGE {
            if self.manifests == MANIFESTS_OF_AN_IMAGE.saturating_add(1) {
                self.facts.faults.push(format!("it has more than {MANIFESTS_OF_AN_IMAGE} manifests"));
            }
            return;
        }
        let (digest, bytes) = (&descriptor.digest, Some(descriptor.bytes));
        let part = |condition| Part { digest: digest.clone(), bytes, condition };
        let (store, attests) = (self.inspector.store, is_attestation(descriptor));
        match read_manifest(store, self.repository, digest, Some(descriptor)) {
            Ok((_, Manifest::Image(image))) => self.image(&image, part(Condition::Present), Some(descriptor), attests),
            Ok((_, Manifest::Index(_))) if depth >= INDEX_DEPTH => {
                self.facts.faults.push(format!("the index {digest} lies deeper than {INDEX_DEPTH} indexes"));
            }
            Ok((_, Manifest::Index(index))) => {
                if self.indexes.insert(digest.clone()) {
                    self.facts.manifests.push(part(Condition::Present));
                    self.index(index, depth.saturating_add(1));
                }
            }
            Err(error) => {
                let (manifest, platform) = (part(condition(error)), descriptor.platform.clone());
                let instance = Instance { platform, is_attestation: attests, manifest, content: Vec::new() };
                self.facts.instances.push(instance);
            }
        }
    }

    fn image(&mut self, image: &ImageManifest, manifest: Part, member: Option<&Descriptor>, is_attestation: bool) {
        let is_foreign = |layer: &&Descriptor| FOREIGN_LAYERS.iter().any(|word| layer.media_type.contains(word));
        let needed = [&image.config].into_iter().chain(image.layers.iter().filter(|layer| !is_foreign(layer)));
        let mut content: Vec<Part> = needed.map(|part| self.inspector.blob(self.repository, part)).collect();
        let mut platform = member.and_then(|member| member.platform.clone());
        if self.inspector.closeness.reads_labels && !self.is_told && !is_attestation {
            let configuration = content.first_mut().and_then(|part| self.configuration(image, part));
            let stated = configuration.as_ref().and_then(|configuration| configuration.platform.clone());
            platform = platform.or(stated);
            // What a bad configuration would have told, nobody knows.
            if !content.first().is_some_and(Part::is_faulty) {
                self.tell(image, configuration.as_ref());
            }
        }
        self.facts.instances.push(Instance { platform, is_attestation, manifest, content });
    }

    /// Reads a configuration that is there; one that turns out to be bad is a bad part.
    fn configuration(&self, image: &ImageManifest, part: &mut Part) -> Option<Configuration> {
        if part.condition != Condition::Present {
            return None;
        }
        match read_configuration(self.inspector.store, self.repository, &image.config) {
            Ok(configuration) => Some(configuration),
            // Artifacts have configurations of their own kinds.
            Err(_) if !crate::source::image::media_type::is_configuration(&image.config.media_type) => None,
            Err(error) => {
                part.condition = condition(error);
                None
            }
        }
    }

    /// Says what the image is, by its first instance whose configuration is there.
    fn tell(&mut self, image: &ImageManifest, configuration: Option<&Configuration>) {
        self.is_told = configuration.is_some();
        match image_kind(image, configuration, self.repository, self.tag) {
            Ok(kind) => {
                kind.name().clone_into(&mut self.facts.kind);
                self.facts.labels = labels(&kind);
            }
            Err(error) => self.facts.faults.push(error.to_string()),
        }
    }
}

/// What an image's kind says of its content, by the words of the report.
fn labels(kind: &ImageKind) -> BTreeMap<&'static str, String> {
    let facts = match kind {
        ImageKind::Catalog { directory } => vec![("catalog_directory", Some(directory.clone()))],
        ImageKind::Bundle { package, channels, .. } => {
            vec![("package", package.clone()), ("channels", Some(channels.join(",")))]
        }
        ImageKind::ReleasePayload { version } => vec![("release", Some(version.clone()))],
        ImageKind::Artifact { artifact_type } => vec![("artifact_type", Some(artifact_type.clone()))],
        _ => Vec::new(),
    };
    facts.into_iter().filter_map(|(word, value)| Some((word, value.filter(|value| !value.is_empty())?))).collect()
}

fn other_length(digest: &ContentDigest, found: u64, stated: u64) -> Condition {
    let reason = format!("{digest} has {found} bytes, and its manifest states {stated}");
    if found < stated { Condition::Truncated(reason) } else { Condition::BadSize(reason) }
}

fn condition(error: StoreError) -> Condition {
    match error.kind {
        StoreErrorKind::Absent => Condition::Absent,
        StoreErrorKind::ExpectedAtTarget => Condition::ExpectedAtTarget(error.what),
        StoreErrorKind::Bad => Condition::BadDigest(error.what),
        StoreErrorKind::Unreadable | StoreErrorKind::Limit | StoreErrorKind::Refused => {
            Condition::Unreadable(error.what)
        }
    }
}
