//! From a digest to the image that is to be read.
//!
//! Rule: OCI image specification, image-index.md: an index lists images for platforms, or further indexes. As oc-mirror v2
//! does (`internal/pkg/manifest/oci-manifest.go`), indexes are followed to a depth of 5, and where nothing is made for the
//! wanted platform the first image counts. What is no instance of the image – attestations, which docker's buildx puts into
//! indexes under the platform `unknown/unknown`, and other artifacts – is never chosen. An instance for another platform may
//! be absent: oc-mirror copies only the wanted ones and keeps the index.
//!
//! Cost: one manifest for each index and one for the image; other instances are only looked for. At most 1,000 manifests
//! are read and 10,000 members looked at, each once, whatever an index repeats.

use std::collections::BTreeSet;

use crate::finding::ContentDigest;
use crate::source::store::{Presence, Store, StoreError, StoreErrorKind};

use super::manifest::media_type;
use super::read::{other_length, read_manifest};
use super::{Descriptor, ImageManifest, Index, MANIFEST_DESCRIPTORS, Manifest, Platform};

/// The deepest nesting of indexes that is followed; the outermost counts as 1.
pub const INDEX_DEPTH: usize = 5;

/// The most manifests that are read to choose one image.
pub const MANIFESTS_OF_AN_IMAGE: usize = 1_000;

/// The annotation by which docker's buildx marks an attestation in an index.
const REFERENCE_TYPE: &str = "vnd.docker.reference.type";

/// One image of an index: the same content for one platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Its digest.
    pub digest: ContentDigest,
    /// The machine that the index states for it.
    pub platform: Option<Platform>,
    /// Whether it is here; [`Presence::Bad`] where its length is not the one stated.
    pub presence: Presence,
}

/// The image that is to be read, and what lies around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// Its digest.
    pub digest: ContentDigest,
    /// Its manifest.
    pub manifest: ImageManifest,
    /// The machine that an index states for it; `None` where there is no index, or where it states none: its configuration
    /// knows.
    pub platform: Option<Platform>,
    /// All images of the index, the chosen one among them, in their order.
    pub instances: Vec<Instance>,
    /// Members that are attestations.
    pub attestations: Vec<ContentDigest>,
    /// Members that are neither images nor attestations: artifacts, and what nobody knows.
    pub strangers: Vec<ContentDigest>,
    /// Images for other platforms that are not here.
    pub sparse: Vec<Instance>,
    /// What is wrong with members that were not chosen, as sentences.
    pub faults: Vec<String>,
}

/// Finds the image to read: the one for the wanted platform, else the first that is here.
///
/// # Errors
/// Those of [`read_manifest`] for the digest itself and for the image that is chosen; [`StoreErrorKind::Absent`] and its
/// kin where the image for the wanted platform is not here, naming it; [`StoreErrorKind::Bad`] where an index has no image;
/// [`StoreErrorKind::Limit`] beyond the limits.
pub fn choose(
    store: &dyn Store,
    repository: Option<&str>,
    digest: &ContentDigest,
    wanted: &Platform,
) -> Result<Chosen, StoreError> {
    let mut survey = Survey::new(store, repository);
    let index = match survey.read(digest, None)? {
        Manifest::Image(manifest) => {
            let presence = store.presence(repository, digest);
            let instances = vec![Instance { digest: digest.clone(), platform: None, presence }];
            return Ok(survey.chosen(digest.clone(), *manifest, None, instances));
        }
        Manifest::Index(index) => index,
    };
    survey.indexes_seen.insert(digest.clone());
    survey.index(index, 1)?;
    let instances: Vec<Instance> = survey.members.iter().map(|member| member.instance.clone()).collect();
    let member = survey.pick(digest, wanted)?.clone();
    let Manifest::Image(manifest) = survey.read(&member.instance.digest, Some(&member.stated))? else {
        let what = format!("{} is an index, and {digest} lists it as an image", member.instance.digest);
        return Err(StoreError::new(StoreErrorKind::Bad, what));
    };
    Ok(survey.chosen(member.instance.digest, *manifest, member.instance.platform, instances))
}

/// What was met on the way through nested indexes.
struct Survey<'s> {
    store: &'s dyn Store,
    repository: Option<&'s str>,
    manifests_read: usize,
    members_seen: usize,
    indexes_seen: BTreeSet<ContentDigest>,
    images_seen: BTreeSet<(ContentDigest, Option<Platform>)>,
    members: Vec<Member>,
    attestations: Vec<ContentDigest>,
    strangers: Vec<ContentDigest>,
    faults: Vec<String>,
}

/// An instance, and the descriptor that names it.
#[derive(Clone)]
struct Member {
    stated: Descriptor,
    instance: Instance,
}

impl<'s> Survey<'s> {
    fn new(store: &'s dyn Store, repository: Option<&'s str>) -> Self {
        Self {
            store,
            repository,
            manifests_read: 0,
            members_seen: 0,
            indexes_seen: BTreeSet::new(),
            images_seen: BTreeSet::new(),
            members: Vec::new(),
            attestations: Vec::new(),
            strangers: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn read(&mut self, digest: &ContentDigest, descriptor: Option<&Descriptor>) -> Result<Manifest, StoreError> {
        read_manifest(self.store, self.repository, digest, descriptor).map(|(_, manifest)| manifest)
    }

    fn index(&mut self, index: Index, depth: usize) -> Result<(), StoreError> {
        let faults = index.faults.into_iter();
        self.faults.extend(faults.map(|fault| format!("member {}: {}", fault.position, fault.reason)));
        index.descriptors.into_iter().try_for_each(|descriptor| self.member(descriptor, depth))
    }

    fn member(&mut self, descriptor: Descriptor, depth: usize) -> Result<(), StoreError> {
        self.members_seen = self.members_seen.saturating_add(1);
        if self.members_seen > MANIFEST_DESCRIPTORS {
            let what = format!("the nested indexes list more than {MANIFEST_DESCRIPTORS} members");
            return Err(StoreError::new(StoreErrorKind::Limit, what));
        }
        match nature(&descriptor) {
            Nature::Attestation => self.attestations.push(descriptor.digest),
            Nature::Stranger => self.strangers.push(descriptor.digest),
            Nature::Image => self.image(descriptor),
            Nature::Index | Nature::Unsaid => return self.nested(descriptor, depth),
        }
        Ok(())
    }

    /// Keeps an instance; the same one for the same platform counts once.
    fn image(&mut self, stated: Descriptor) {
        if !self.images_seen.insert((stated.digest.clone(), stated.platform.clone())) {
            return;
        }
        let presence = match self.store.presence(self.repository, &stated.digest) {
            Presence::Present { bytes: Some(found), stamp } => match other_length(&stated, found) {
                Some(reason) => Presence::Bad(reason),
                None => Presence::Present { bytes: Some(found), stamp },
            },
            other => other,
        };
        let instance = Instance { digest: stated.digest.clone(), platform: stated.platform.clone(), presence };
        self.members.push(Member { stated, instance });
    }

    /// Follows an index, or what may be one.
    fn nested(&mut self, descriptor: Descriptor, depth: usize) -> Result<(), StoreError> {
        let digest = descriptor.digest.clone();
        if !matches!(self.store.presence(self.repository, &digest), Presence::Present { .. }) {
            self.image(descriptor);
            return Ok(());
        }
        if !self.indexes_seen.insert(digest.clone()) {
            return Ok(());
        }
        self.manifests_read = self.manifests_read.saturating_add(1);
        if self.manifests_read > MANIFESTS_OF_AN_IMAGE {
            let what = format!("the nested indexes need more than {MANIFESTS_OF_AN_IMAGE} manifests");
            return Err(StoreError::new(StoreErrorKind::Limit, what));
        }
        match self.read(&digest, Some(&descriptor)) {
            Ok(Manifest::Image(_)) => self.image(descriptor),
            Ok(Manifest::Index(index)) if depth < INDEX_DEPTH => {
                return self.index(index, depth.saturating_add(1));
            }
            Ok(Manifest::Index(_)) => {
                self.faults.push(format!("the index {digest} lies deeper than {INDEX_DEPTH} indexes"));
            }
            Err(error) => self.faults.push(error.what),
        }
        Ok(())
    }

    /// The instance to read. A wanted one that is absent is never swapped for another.
    fn pick(&self, digest: &ContentDigest, wanted: &Platform) -> Result<&Member, StoreError> {
        let is_here = |member: &&Member| matches!(member.instance.presence, Presence::Present { .. });
        let is_wanted =
            |member: &&Member| member.instance.platform.as_ref().is_some_and(|platform| wanted.accepts(platform));
        let fitting: Vec<&Member> = self.members.iter().filter(is_wanted).collect();
        let candidates = if fitting.is_empty() { self.members.iter().collect() } else { fitting };
        if let Some(member) = candidates.iter().copied().find(is_here) {
            return Ok(member);
        }
        let Some(first) = candidates.first() else {
            let because = self.faults.first().map(|fault| format!(": {fault}")).unwrap_or_default();
            return Err(StoreError::new(StoreErrorKind::Bad, format!("the index {digest} lists no image{because}")));
        };
        Err(missing(digest, &first.instance))
    }

    fn chosen(
        self,
        digest: ContentDigest,
        manifest: ImageManifest,
        platform: Option<Platform>,
        instances: Vec<Instance>,
    ) -> Chosen {
        let is_sparse =
            |instance: &&Instance| matches!(instance.presence, Presence::Absent | Presence::ExpectedAtTarget(_));
        let sparse = instances.iter().filter(is_sparse).cloned().collect();
        let Self { attestations, strangers, faults, .. } = self;
        Chosen { digest, manifest, platform, instances, attestations, strangers, sparse, faults }
    }
}

/// Says which image is not here, and in what way.
fn missing(index: &ContentDigest, instance: &Instance) -> StoreError {
    let digest = &instance.digest;
    let platform = instance.platform.as_ref().map(|platform| format!(" for {platform}")).unwrap_or_default();
    let named = format!("the image {digest}{platform} of the index {index}");
    match &instance.presence {
        Presence::ExpectedAtTarget(record) => {
            let what = format!("{named} is not here; {record} says that the target registry has it");
            StoreError::new(StoreErrorKind::ExpectedAtTarget, what)
        }
        Presence::Bad(reason) => StoreError::new(StoreErrorKind::Bad, format!("{named}: {reason}")),
        Presence::Unknown(reason) => StoreError::new(StoreErrorKind::Unreadable, format!("{named}: {reason}")),
        Presence::Absent | Presence::Present { .. } => {
            StoreError::new(StoreErrorKind::Absent, format!("{named} is not here"))
        }
    }
}

/// What a member of an index is, told from its descriptor.
enum Nature {
    Image,
    Index,
    Attestation,
    Stranger,
    /// Nothing is said: the manifest has to tell.
    Unsaid,
}

/// Whether a member of an index attests another one: it is no instance that any machine runs.
pub fn is_attestation(descriptor: &Descriptor) -> bool {
    let is_marked = descriptor.annotations.get(REFERENCE_TYPE).is_some_and(|kind| kind == "attestation-manifest");
    is_marked || descriptor.platform.as_ref().is_some_and(Platform::is_unknown)
}

fn nature(descriptor: &Descriptor) -> Nature {
    if is_attestation(descriptor) {
        return Nature::Attestation;
    }
    let is_artifact = |kind: &String| !media_type::is_configuration(kind);
    if descriptor.artifact_type.as_ref().is_some_and(is_artifact) {
        return Nature::Stranger;
    }
    match descriptor.media_type.as_str() {
        "" => Nature::Unsaid,
        media_type if media_type::is_index(media_type) => Nature::Index,
        media_type if media_type::is_image(media_type) => Nature::Image,
        _ => Nature::Stranger,
    }
}

#[cfg(test)]
mod tests;
