//! Indexes as tools write them, and as an attacker would.

use serde_json::{Value, json};

use super::*;
use crate::source::image::memory::MemoryStore;

const ABSENT: &str = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/// Adds an image that a word tells from others.
fn image(store: &mut MemoryStore, word: &str) -> ContentDigest {
    let config = json!({"mediaType": media_type::OCI_CONFIGURATION, "digest": ABSENT, "size": 2});
    store.add(json!({"config": config, "layers": [], "annotations": {"word": word}}).to_string())
}

fn index(store: &mut MemoryStore, members: &[Value]) -> ContentDigest {
    store.add(json!({"schemaVersion": 2, "manifests": members}).to_string())
}

fn member(store: &MemoryStore, media_type: &str, digest: &ContentDigest, platform: &str) -> Value {
    let bytes = match store.presence(None, digest) {
        Presence::Present { bytes: Some(bytes), .. } => bytes,
        _ => 7,
    };
    let mut member = json!({"mediaType": media_type, "digest": digest.to_string(), "size": bytes});
    if let Some((os, architecture)) = platform.split_once('/') {
        member["platform"] = json!({"os": os, "architecture": architecture});
    }
    member
}

fn chosen(store: &MemoryStore, digest: &ContentDigest, wanted: &str) -> Result<Chosen, StoreError> {
    choose(store, None, digest, &wanted.parse().unwrap())
}

fn word(chosen: &Chosen) -> &str {
    &chosen.manifest.annotations["word"]
}

#[test]
fn the_wanted_platform_is_chosen_else_the_first() {
    let mut store = MemoryStore::default();
    let [arm, amd] = ["arm64", "amd64"].map(|word| image(&mut store, word));
    let members = [
        member(&store, media_type::OCI_IMAGE, &arm, "linux/arm64"),
        member(&store, media_type::DOCKER_IMAGE, &amd, "linux/amd64"),
    ];
    let whole = index(&mut store, &members);
    for (wanted, expected) in [("linux/amd64", "amd64"), ("linux/arm64", "arm64"), ("linux/s390x", "arm64")] {
        let chosen = chosen(&store, &whole, wanted).unwrap();
        assert_eq!(word(&chosen), expected, "{wanted}");
        assert_eq!(chosen.platform.unwrap().architecture, expected);
        assert_eq!((chosen.instances.len(), chosen.sparse.len()), (2, 0));
    }
    let alone = chosen(&store, &amd, "linux/arm64").unwrap();
    assert_eq!((word(&alone), &alone.platform, alone.instances.len()), ("amd64", &None, 1));
}

#[test]
fn attestations_and_artifacts_are_never_chosen_nor_counted() {
    let mut store = MemoryStore::default();
    let [first, second, third, real] = ["1", "2", "3", "real"].map(|word| image(&mut store, word));
    let unknown = member(&store, media_type::OCI_IMAGE, &first, "unknown/unknown");
    let mut marked = member(&store, media_type::OCI_IMAGE, &second, "linux/amd64");
    marked["annotations"] = json!({"vnd.docker.reference.type": "attestation-manifest"});
    let mut artifact = member(&store, media_type::OCI_IMAGE, &third, "linux/amd64");
    artifact["artifactType"] = json!("application/vnd.example");
    let odd = json!({"mediaType": "text/plain", "digest": ABSENT, "size": 1});
    let instance = member(&store, media_type::OCI_IMAGE, &real, "linux/arm64");
    let whole = index(&mut store, &[unknown.clone(), marked, artifact, odd, instance]);
    let chosen = chosen(&store, &whole, "linux/amd64").unwrap();
    assert_eq!(word(&chosen), "real");
    assert_eq!(chosen.instances.len(), 1);
    assert_eq!(chosen.attestations, [first, second]);
    assert_eq!(chosen.strangers, [third, ABSENT.parse().unwrap()]);
    let only = index(&mut store, &[unknown]);
    assert_eq!(super::choose(&store, None, &only, &Platform::default()).unwrap_err().kind, StoreErrorKind::Bad);
}

#[test]
fn an_absent_image_is_sparse_unless_it_is_wanted() {
    let mut store = MemoryStore::default();
    let here = image(&mut store, "here");
    let members = [
        member(&store, media_type::OCI_IMAGE, &ABSENT.parse().unwrap(), "linux/s390x"),
        member(&store, media_type::OCI_IMAGE, &here, "linux/amd64"),
    ];
    let whole = index(&mut store, &members);
    let good = chosen(&store, &whole, "linux/amd64").unwrap();
    assert_eq!(good.sparse.iter().map(|instance| instance.digest.to_string()).collect::<Vec<_>>(), [ABSENT]);
    let error = chosen(&store, &whole, "linux/s390x").unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Absent);
    assert!(error.what.contains(ABSENT) && error.what.contains("linux/s390x"), "{error}");
    assert_eq!(word(&chosen(&store, &whole, "linux/ppc64le").unwrap()), "here", "nothing is made for ppc64le");
}

#[test]
fn nested_indexes_are_followed_to_a_depth_of_five() {
    let mut store = MemoryStore::default();
    let mut outer = image(&mut store, "inner");
    let mut media_type = media_type::OCI_IMAGE;
    for depth in 1..=INDEX_DEPTH + 1 {
        let platform = if depth == 1 { "linux/amd64" } else { "" };
        let inside = member(&store, media_type, &outer, platform);
        outer = index(&mut store, &[inside]);
        media_type = media_type::DOCKER_INDEX;
        let found = chosen(&store, &outer, "linux/amd64");
        assert_eq!(found.is_ok(), depth <= INDEX_DEPTH, "depth {depth}: {found:?}");
        if depth > INDEX_DEPTH {
            assert!(found.unwrap_err().what.contains("deeper than 5 indexes"));
        }
    }
}

#[test]
fn a_member_of_which_nothing_is_said_tells_itself_what_it_is() {
    let mut store = MemoryStore::default();
    let real = image(&mut store, "real");
    let inner = {
        let inside = member(&store, "", &real, "linux/amd64");
        index(&mut store, &[inside])
    };
    let inside = member(&store, "", &inner, "");
    let whole = index(&mut store, &[inside]);
    assert_eq!(word(&chosen(&store, &whole, "linux/amd64").unwrap()), "real");
}

#[test]
fn one_bad_member_does_not_lose_the_others() {
    let mut store = MemoryStore::default();
    let real = image(&mut store, "real");
    let broken = store.add("{");
    let members = [
        json!({"mediaType": media_type::OCI_IMAGE, "digest": "sha256:zz", "size": 1}),
        member(&store, media_type::OCI_INDEX, &broken, ""),
        member(&store, media_type::OCI_IMAGE, &real, "linux/amd64"),
    ];
    let whole = index(&mut store, &members);
    let chosen = chosen(&store, &whole, "linux/amd64").unwrap();
    assert_eq!((word(&chosen), chosen.faults.len()), ("real", 2));
}

#[test]
fn attack_a_size_that_lies() {
    let mut store = MemoryStore::default();
    let real = image(&mut store, "real");
    for lie in [0_u64, 1, 1 << 40] {
        let mut short = member(&store, media_type::OCI_IMAGE, &real, "linux/amd64");
        short["size"] = json!(lie);
        let whole = index(&mut store, &[short]);
        let error = chosen(&store, &whole, "linux/amd64").unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::Bad, "{lie}: {error}");
    }
}

#[test]
fn attack_an_index_that_lists_itself() {
    let mut store = MemoryStore::default();
    let myself: ContentDigest = ABSENT.parse().unwrap();
    let text = json!({"manifests": [{"mediaType": media_type::OCI_INDEX, "digest": ABSENT, "size": 200}]}).to_string();
    let padded = format!("{text:200}");
    store.lie(myself.clone(), padded);
    assert_eq!(chosen(&store, &myself, "linux/amd64").unwrap_err().kind, StoreErrorKind::Bad);
}

#[test]
fn attack_indexes_that_multiply() {
    // Each of five levels lists the level below a thousand times: 10^15 ways for who follows them all.
    let mut store = MemoryStore::default();
    let real = image(&mut store, "real");
    let mut inside = member(&store, media_type::OCI_IMAGE, &real, "linux/amd64");
    let mut whole = real;
    for _ in 0..INDEX_DEPTH {
        whole = index(&mut store, &vec![inside; 1_000]);
        inside = member(&store, media_type::OCI_INDEX, &whole, "");
    }
    let chosen = chosen(&store, &whole, "linux/amd64").unwrap();
    assert_eq!((word(&chosen), chosen.instances.len()), ("real", 1));
}

#[test]
fn attack_more_members_than_anyone_needs() {
    let mut store = MemoryStore::default();
    let empty: Vec<Value> = (0..=MANIFESTS_OF_AN_IMAGE)
        .map(|number| {
            let digest = store.add(json!({"manifests": [], "number": number}).to_string());
            member(&store, media_type::OCI_INDEX, &digest, "")
        })
        .collect();
    let many = index(&mut store, &empty);
    assert_eq!(chosen(&store, &many, "linux/amd64").unwrap_err().kind, StoreErrorKind::Limit);
    let lists: Vec<Value> = ["a", "b", "c"]
        .map(|note| {
            let odd = json!({"mediaType": "text/plain", "digest": ABSENT, "size": 1});
            let digest = store.add(json!({"manifests": vec![odd; 4_000], "note": note}).to_string());
            member(&store, media_type::OCI_INDEX, &digest, "")
        })
        .to_vec();
    let wide = index(&mut store, &lists);
    assert_eq!(chosen(&store, &wide, "linux/amd64").unwrap_err().kind, StoreErrorKind::Limit);
}

#[test]
fn attack_an_index_in_the_place_of_an_image() {
    let mut store = MemoryStore::default();
    let real = image(&mut store, "real");
    let inside = member(&store, media_type::OCI_IMAGE, &real, "linux/amd64");
    let inner = index(&mut store, &[inside]);
    let false_member = member(&store, media_type::OCI_IMAGE, &inner, "linux/amd64");
    let whole = index(&mut store, &[false_member]);
    assert_eq!(chosen(&store, &whole, "linux/amd64").unwrap_err().kind, StoreErrorKind::Bad);
}
