//! Repositories with their tags and manifests: what is a root, and what a name means.
//!
//! Rule: distribution, `registry/storage/paths.go`: an index and its members are all manifests of a repository, and only
//! what a person names has a tag. So an untagged manifest is a root where no index beside it names it. Cost: the manifests
//! of a repository are read once where some of them have no tag.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::finding::ContentDigest;

use super::{RawManifest, Root, RootContent, StoreError};

/// What one repository holds.
#[derive(Debug, Default)]
pub(super) struct Repository {
    /// What each tag means.
    pub(super) tags: BTreeMap<String, ContentDigest>,
    /// Every manifest that the repository knows, members of indexes among them.
    pub(super) manifests: BTreeSet<ContentDigest>,
    /// What each tag meant before.
    pub(super) earlier: BTreeMap<String, BTreeSet<ContentDigest>>,
}

/// Repositories by name.
#[derive(Debug, Default)]
pub(super) struct Repositories {
    /// The repositories.
    pub(super) by_name: BTreeMap<String, Repository>,
}

impl Repositories {
    /// What a tag or digest of a repository means.
    pub(super) fn resolve(&self, repository: &str, reference: &str) -> Option<ContentDigest> {
        let repository = self.by_name.get(repository)?;
        match reference.parse::<ContentDigest>() {
            Ok(digest) => repository.manifests.contains(&digest).then_some(digest),
            Err(_) => repository.tags.get(reference).cloned(),
        }
    }

    /// Takes in what an older run holds: a tag keeps what it means, and meant something else before.
    pub(super) fn add_older(&mut self, older: &Self) {
        for (name, older) in &older.by_name {
            let repository = self.by_name.entry(name.clone()).or_default();
            repository.manifests.extend(older.manifests.iter().cloned());
            for (tag, digest) in &older.tags {
                let meaning = repository.tags.entry(tag.clone()).or_insert_with(|| digest.clone());
                if meaning != digest {
                    repository.earlier.entry(tag.clone()).or_default().insert(digest.clone());
                }
            }
        }
    }

    /// The repositories that know a manifest.
    pub(super) fn with(&self, digest: &ContentDigest) -> Vec<String> {
        let known = self.by_name.iter().filter(|(_, repository)| repository.manifests.contains(digest));
        known.map(|(name, _)| name.clone()).collect()
    }

    /// What a tag meant before, sorted by digest: which came first is not kept.
    pub(super) fn history(&self, repository: &str, tag: &str) -> Vec<ContentDigest> {
        let earlier = self.by_name.get(repository).and_then(|repository| repository.earlier.get(tag));
        earlier.into_iter().flatten().cloned().collect()
    }

    /// Everything that has a tag, and every manifest without one that no index of its repository names.
    pub(super) fn roots(
        &self,
        mut read: impl FnMut(&str, &ContentDigest) -> Result<RawManifest, StoreError>,
    ) -> Vec<Root> {
        let all: BTreeSet<&ContentDigest> = self.by_name.values().flat_map(|each| &each.manifests).collect();
        let mut members_of: BTreeMap<&ContentDigest, Vec<ContentDigest>> = BTreeMap::new();
        let mut roots = Vec::new();
        for (name, repository) in &self.by_name {
            for (tag, digest) in &repository.tags {
                let mut root = image(name, Some(tag), digest);
                if !repository.manifests.contains(digest) {
                    root.notes
                        .push("the repository does not know what its tag means; no registry serves it".to_owned());
                }
                roots.push(root);
            }
            let tagged: BTreeSet<&ContentDigest> = repository.tags.values().collect();
            let untagged: Vec<_> = repository.manifests.iter().filter(|digest| !tagged.contains(digest)).collect();
            if untagged.is_empty() {
                continue;
            }
            let mut named = BTreeSet::new();
            for digest in &repository.manifests {
                let members = members_of.entry(digest).or_insert_with(|| {
                    let mut members = read(name, digest).map_or_else(|_| Vec::new(), |raw| members(&raw.bytes));
                    members.retain(|member| all.contains(member));
                    members
                });
                named.extend(members.iter().cloned());
            }
            roots.extend(untagged.into_iter().filter(|digest| !named.contains(digest)).map(|digest| {
                let mut root = image(name, None, digest);
                root.notes =
                    repository.tags_before(digest).map(|tag| format!("the tag {tag} meant it before")).collect();
                root
            }));
        }
        roots
    }
}

impl Repository {
    fn tags_before(&self, digest: &ContentDigest) -> impl Iterator<Item = &String> {
        self.earlier.iter().filter(|(_, earlier)| earlier.contains(digest)).map(|(tag, _)| tag)
    }
}

fn image(repository: &str, tag: Option<&String>, digest: &ContentDigest) -> Root {
    Root {
        repository: Some(repository.to_owned()),
        tag: tag.cloned(),
        identity: Some(digest.clone()),
        content: RootContent::Image(digest.clone()),
        notes: Vec::new(),
    }
}

/// The manifests that an index names; none where it is no index.
fn members(bytes: &[u8]) -> Vec<ContentDigest> {
    #[derive(Deserialize)]
    struct Index {
        #[serde(default)]
        manifests: Vec<Member>,
    }
    #[derive(Deserialize)]
    struct Member {
        digest: String,
    }
    let Ok(index) = serde_json::from_slice::<Index>(bytes) else { return Vec::new() };
    index.manifests.iter().filter_map(|member| member.digest.parse().ok()).collect()
}

/// Whether a name can be a tag: distribution, `reference/regexp.go`.
pub(super) fn is_tag(name: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.len() <= 128
        && name.bytes().next().is_some_and(word)
        && name.bytes().all(|byte| word(byte) || matches!(byte, b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_word_characters_dots_and_dashes() {
        for tag in ["v4.18", "_", "sha256-00.sig", &"a".repeat(128)] {
            assert!(is_tag(tag), "{tag}");
        }
        for tag in ["", ".a", "-a", "a b", "a:b", "é", &"a".repeat(129)] {
            assert!(!is_tag(tag), "{tag}");
        }
    }

    #[test]
    fn only_an_index_has_members() {
        let digest = ContentDigest::of(b"a");
        let index = format!(r#"{{"manifests": [{{"digest": "{digest}"}}, {{"digest": "md5:../.."}}]}}"#);
        assert_eq!(members(index.as_bytes()), [digest]);
        for other in ["", "[]", r#"{"layers": []}"#, r#"{"manifests": 4}"#, &"[".repeat(100_000)] {
            assert!(members(other.as_bytes()).is_empty());
        }
    }
}
