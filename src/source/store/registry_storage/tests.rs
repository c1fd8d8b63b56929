use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::super::sample::{index, link, registry_blob, registry_data, registry_revision, registry_tag, tree, write};
use super::super::{RootContent, StoreErrorKind};
use super::*;

struct Sample {
    place: tempfile::TempDir,
    v2: PathBuf,
}

impl Sample {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let v2 = place.path().join("docker/registry/v2");
        fs::create_dir_all(v2.join("repositories")).unwrap();
        Self { place, v2 }
    }

    fn open(&self) -> RegistryStorage {
        RegistryStorage::open(tree(self.place.path()), &SourceLimits::default()).unwrap().unwrap()
    }

    fn names(&self) -> Vec<String> {
        let roots = self.open().roots().unwrap();
        roots.iter().enumerate().map(|(position, root)| root.name(position)).collect()
    }

    fn only_fault(&self) -> (String, String) {
        let store = self.open();
        let [fault] = store.faults() else { panic!("{:?}", store.faults()) };
        (fault.path.clone(), fault.reason.clone())
    }
}

#[test]
fn repositories_nest_and_names_are_resolved() {
    let sample = Sample::new();
    let (one, two) = (registry_blob(&sample.v2, b"{}"), registry_blob(&sample.v2, b"{ }"));
    registry_tag(&sample.v2, "a", "v1", &one);
    registry_tag(&sample.v2, "a/b", "v1", &two);
    write(&sample.v2, "repositories/a/_uploads/1/data", "");
    let store = sample.open();
    assert_eq!(sample.names(), ["a:v1", "a/b:v1"]);
    assert_eq!(store.resolve("a", "v1").unwrap(), Some(one.clone()));
    assert_eq!(store.resolve("a/b", &two.to_string()).unwrap(), Some(two.clone()));
    assert_eq!(store.resolve("a", &two.to_string()).unwrap(), None);
    assert_eq!(store.resolve("a", "v2").unwrap(), None);
    assert_eq!(store.resolve("b", "v1").unwrap(), None);
    assert_eq!(store.repositories_with(&two), ["a/b"]);
    assert_eq!(store.manifest(Some("a"), &one).unwrap().bytes, b"{}");
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn a_storage_is_found_at_its_root_in_itself_and_in_a_cache() {
    let sample = Sample::new();
    registry_tag(&sample.v2, "a", "v1", &registry_blob(&sample.v2, b"{}"));
    let is_found = |place: &Path| {
        let store = RegistryStorage::open(tree(place), &SourceLimits::default()).unwrap();
        store.is_some_and(|store| store.roots().unwrap().len() == 1)
    };
    assert!(is_found(sample.place.path()));
    assert!(is_found(&sample.v2));
    assert!(!is_found(&sample.v2.join("repositories")));
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".oc-mirror/.cache")).unwrap();
    fs::rename(sample.place.path().join("docker"), home.path().join(".oc-mirror/.cache/docker")).unwrap();
    assert!(is_found(home.path()));
    assert!(is_found(&home.path().join(".oc-mirror")));
}

#[test]
fn members_of_an_index_are_no_roots_of_their_own() {
    let sample = Sample::new();
    let (child, alone) = (registry_blob(&sample.v2, b"{}"), registry_blob(&sample.v2, b"{ }"));
    let inner = registry_blob(&sample.v2, index(&[&child]).as_bytes());
    let outer = registry_blob(&sample.v2, index(&[&inner]).as_bytes());
    let signature = registry_blob(&sample.v2, br#"{"layers": []}"#);
    registry_tag(&sample.v2, "a", "v1", &outer);
    registry_tag(&sample.v2, "a", &format!("sha256-{}.sig", outer.hex()), &signature);
    for digest in [&inner, &child, &alone] {
        registry_revision(&sample.v2, "a", digest);
    }
    registry_revision(&sample.v2, "b", &child);
    let expected =
        [format!("a:sha256-{}.sig", outer.hex()), "a:v1".to_owned(), format!("a@{alone}"), format!("b@{child}")];
    assert_eq!(sample.names(), expected);
}

#[test]
fn a_moved_tag_keeps_its_history() {
    let sample = Sample::new();
    let (old, new) = (registry_blob(&sample.v2, b"{}"), registry_blob(&sample.v2, b"{ }"));
    registry_tag(&sample.v2, "a", "v1", &old);
    registry_tag(&sample.v2, "a", "v1", &new);
    let store = sample.open();
    assert_eq!(store.resolve("a", "v1").unwrap(), Some(new.clone()));
    assert_eq!(store.history("a", "v1"), std::slice::from_ref(&old));
    assert!(store.history("a", "v2").is_empty());
    let roots = store.roots().unwrap();
    assert_eq!(roots[1].content, RootContent::Image(old));
    assert_eq!(roots[1].notes, ["the tag v1 meant it before"]);
    assert!(roots[0].notes.is_empty());
}

#[test]
fn what_was_deleted_is_gone_without_a_fault() {
    let sample = Sample::new();
    let digest = registry_blob(&sample.v2, b"{}");
    registry_tag(&sample.v2, "a", "v1", &digest);
    fs::remove_file(sample.v2.join("repositories/a/_manifests/tags/v1/current/link")).unwrap();
    fs::remove_file(sample.v2.join("repositories/a/_manifests/revisions/sha256").join(digest.hex()).join("link"))
        .unwrap();
    let store = sample.open();
    assert!(store.roots().unwrap().is_empty());
    assert!(store.faults().is_empty(), "{:?}", store.faults());
}

#[test]
fn a_tag_of_an_unknown_manifest_says_so() {
    let sample = Sample::new();
    let digest = registry_blob(&sample.v2, b"{}");
    write(&sample.v2, "repositories/a/_manifests/tags/v1/current/link", digest.to_string());
    let roots = sample.open().roots().unwrap();
    assert_eq!((roots.len(), roots[0].notes.len()), (1, 1));
}

#[test]
fn layer_links_prove_nothing() {
    let sample = Sample::new();
    let digest = ContentDigest::of(b"layer");
    let path = format!("repositories/a/_layers/sha256/{}/link", digest.hex());
    write(&sample.v2, &path, digest.to_string());
    assert_eq!(sample.open().presence(Some("a"), &digest), Presence::Absent);
    registry_blob(&sample.v2, b"layer");
    let Presence::Present { bytes: Some(5), stamp: Some(_) } = sample.open().presence(None, &digest) else { panic!() };
    let mut text = String::new();
    sample.open().blob(Some("a"), &digest).unwrap().content.read_to_string(&mut text).unwrap();
    assert_eq!(text, "layer");
}

#[test]
fn an_empty_file_is_a_torn_write_unless_nothing_was_meant() {
    let sample = Sample::new();
    let (something, nothing) = (ContentDigest::of(b"a"), ContentDigest::of(b""));
    for digest in [&something, &nothing] {
        write(&sample.v2, &registry_data(digest), "");
        registry_revision(&sample.v2, "a", digest);
    }
    let store = sample.open();
    assert!(matches!(store.presence(None, &something), Presence::Bad(_)));
    assert_eq!(store.blob(None, &something).err().unwrap().kind, StoreErrorKind::Bad);
    assert!(matches!(store.presence(None, &nothing), Presence::Present { bytes: Some(0), .. }));
    assert_eq!(sample.only_fault().0, format!("docker/registry/v2/{}", registry_data(&something)));
}

#[test]
fn sha512_is_read_as_well() {
    let sample = Sample::new();
    let nothing = "sha512:cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e";
    let mut hasher = nothing.parse::<ContentDigest>().unwrap().hasher();
    hasher.update(b"{}");
    let digest = hasher.finish();
    write(&sample.v2, &registry_data(&digest), "{}");
    registry_tag(&sample.v2, "a", "v1", &digest);
    let store = sample.open();
    assert_eq!(store.resolve("a", "v1").unwrap(), Some(digest.clone()));
    assert_eq!(store.manifest(None, &digest).unwrap().bytes, b"{}");
}

#[test]
fn torn_links_are_faults() {
    for (text, expected) in [("", "empty"), ("\n", "empty"), ("sha256:ab", "torn"), ("../../../etc/passwd", "torn")] {
        let sample = Sample::new();
        write(&sample.v2, "repositories/a/_manifests/tags/v1/current/link", text);
        let (path, reason) = sample.only_fault();
        assert_eq!(path, "docker/registry/v2/repositories/a/_manifests/tags/v1/current/link");
        assert!(reason.contains(expected), "{reason}");
        assert!(sample.names().is_empty());
    }
}

#[test]
fn a_link_file_of_a_gigabyte_is_not_read() {
    let sample = Sample::new();
    write(&sample.v2, "repositories/a/_manifests/tags/v1/current/link", "");
    let path = sample.v2.join("repositories/a/_manifests/tags/v1/current/link");
    fs::File::options().write(true).open(path).unwrap().set_len(1 << 30).unwrap();
    assert!(sample.only_fault().1.contains("more than 512 bytes"));
}

#[test]
fn wrong_names_of_digests_are_faults() {
    let sample = Sample::new();
    let digest = ContentDigest::of(b"{}");
    let revisions = "repositories/a/_manifests/revisions";
    write(&sample.v2, &format!("{revisions}/sha256/{}/link", "A".repeat(64)), digest.to_string());
    write(&sample.v2, &format!("{revisions}/md5/00/link"), digest.to_string());
    write(&sample.v2, &format!("{revisions}/sha256/{}/link", "0".repeat(64)), digest.to_string());
    let store = sample.open();
    let reasons: Vec<&str> = store.faults().iter().map(|fault| fault.reason.as_str()).collect();
    assert_eq!(reasons.len(), 3, "{reasons:?}");
    assert_eq!(reasons[0], "its name is no digest");
    assert!(reasons.iter().any(|reason| reason.starts_with("the link names")), "{reasons:?}");
    assert!(store.repositories_with(&digest).is_empty());
}

#[test]
fn a_link_that_escapes_is_not_followed() {
    let sample = Sample::new();
    let outside = tempfile::tempdir().unwrap();
    let digest = ContentDigest::of(b"{}");
    write(outside.path(), "link", digest.to_string());
    write(outside.path(), "data", "{}");
    let escape = |name: &str| outside.path().join(name).to_str().unwrap().to_owned();
    link(&sample.v2, "repositories/a/_manifests/tags/v1/current/link", &escape("link"));
    link(&sample.v2, &registry_data(&digest), &escape("data"));
    let store = sample.open();
    assert_eq!(store.faults().len(), 1, "{:?}", store.faults());
    assert_eq!(store.presence(None, &digest), Presence::Absent);
    assert!(store.manifest(None, &digest).is_err());
    assert!(store.roots().unwrap().is_empty());
}

#[test]
fn directories_where_files_belong_are_faults() {
    let sample = Sample::new();
    let digest = ContentDigest::of(b"{}");
    fs::create_dir_all(sample.v2.join("repositories/a/_manifests/tags/v1/current/link")).unwrap();
    fs::create_dir_all(sample.v2.join("repositories/a/_manifests/tags/not a tag")).unwrap();
    fs::create_dir_all(sample.v2.join(registry_data(&digest))).unwrap();
    let store = sample.open();
    assert_eq!(store.faults().len(), 2, "{:?}", store.faults());
    assert!(matches!(store.presence(None, &digest), Presence::Bad(_)));
}

#[test]
fn wrong_bytes_are_not_handed_out_as_a_manifest() {
    let sample = Sample::new();
    let digest = ContentDigest::of(b"{}");
    write(&sample.v2, &registry_data(&digest), "[]");
    assert_eq!(sample.open().manifest(None, &digest).unwrap_err().kind, StoreErrorKind::Bad);
    let absent = ContentDigest::of(b"absent");
    assert_eq!(sample.open().manifest(None, &absent).unwrap_err().kind, StoreErrorKind::Absent);
}

#[test]
fn an_endless_manifest_meets_its_limit() {
    let sample = Sample::new();
    let digest = ContentDigest::of(b"{}");
    write(&sample.v2, &registry_data(&digest), "");
    let file = fs::File::options().write(true).open(sample.v2.join(registry_data(&digest))).unwrap();
    file.set_len(super::super::MANIFEST_BYTES + 1).unwrap();
    assert_eq!(sample.open().manifest(None, &digest).unwrap_err().kind, StoreErrorKind::Limit);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Roots against the slow way: a manifest is a root where it has a tag, or where no file of the repository names it.
    #[test]
    fn roots_are_what_nothing_else_names(
        edges in proptest::collection::vec((1usize..8, 0usize..7), 0..12),
        tagged in proptest::collection::btree_set(0usize..8, 0..4),
    ) {
        let sample = Sample::new();
        let mut digests: Vec<ContentDigest> = Vec::new();
        for number in 0..8 {
            let members: Vec<&ContentDigest> =
                edges.iter().filter(|(from, to)| *from == number && to < from).map(|(_, to)| &digests[*to]).collect();
            let text = format!("{} {}", index(&members), " ".repeat(number));
            digests.push(registry_blob(&sample.v2, text.as_bytes()));
        }
        for (number, digest) in digests.iter().enumerate() {
            registry_revision(&sample.v2, "a", digest);
            if tagged.contains(&number) {
                registry_tag(&sample.v2, "a", &format!("t{number}"), digest);
            }
        }
        let is_named = |number: usize| edges.iter().any(|(from, to)| *to == number && to < from);
        let mut expected: Vec<String> = (0..8)
            .filter(|number| tagged.contains(number) || !is_named(*number))
            .map(|number| digests[number].to_string())
            .collect();
        expected.sort();
        let roots = sample.open().roots().unwrap();
        let mut found: Vec<String> = roots.iter().map(|root| root.identity.as_ref().unwrap().to_string()).collect();
        found.sort();
        prop_assert_eq!(found, expected);
    }
}
