//! Small answers about mirrors that the tests of all formats share.

use std::collections::BTreeMap;

use super::schema::*;

fn store() -> StoreView {
    StoreView { shape: "registry-storage".into(), place: "storage".into(), provable: true, complete: true }
}

pub(super) fn inventory() -> InventoryView {
    let instance = |platform: &str, complete: bool, bytes: Option<u64>| InstanceView {
        digest: format!("sha256:{}", "b".repeat(64)),
        platform: Some(platform.into()),
        attestation: false,
        complete,
        bytes,
    };
    let image = ImageView {
        digest: Some(format!("sha256:{}", "a".repeat(64))),
        content_digest: Some(format!("sha256:{}", "a".repeat(64))),
        kind: "bundle".into(),
        media_type: None,
        bytes: Some(1_536),
        tags: vec!["v1".into(), "v2".into()],
        faulty_parts: 1,
        instances: vec![instance("linux/amd64", true, Some(9)), instance("linux/arm64", false, None)],
        labels: BTreeMap::from([("package".to_owned(), "gull".to_owned())]),
        signatures: vec![],
        release_signature: ReleaseSignatureView::default(),
        path: None,
        notes: vec!["a note".into()],
    };
    let repository = RepositoryView {
        store: 0,
        name: "birds/gull".into(),
        tags: vec!["v1".into(), "v2".into()],
        images: vec![image],
        unique_bytes: 1_536,
    };
    InventoryView {
        schema_version: SCHEMA_VERSION,
        stores: vec![store()],
        repositories: vec![repository],
        unique_bytes: 1_536,
        findings: vec![],
    }
}

fn missing_image(reference: &str, state: &str, why: Option<&str>) -> MissingImageView {
    MissingImageView {
        reference: reference.into(),
        roles: vec!["bundle".into()],
        state: state.into(),
        why: why.map(str::to_owned),
        reason: why.map(|why| format!("reason of {why}")),
        found: None,
        bytes: None,
    }
}

pub(super) fn missing() -> MissingView {
    let bundle = |name: &str, images| MissingBundleView {
        catalog: "c".into(),
        package: "gull".into(),
        bundle: name.into(),
        images,
    };
    let absent = || missing_image("up.example/gull:1", "absent", Some("manifest-absent"));
    let share = ShareView {
        catalog: "c".into(),
        package: "gull".into(),
        images: 2,
        broken: 1,
        unknown_size: 1,
        bytes: 2_048,
        unique_bytes: 1_024,
        shared_bytes: 1_024,
    };
    let totals = MissingTotals {
        images: 2,
        present: 1,
        absent: 1,
        unknown_size: 1,
        needed_bytes: 2_048,
        present_bytes: 2_048,
        ..MissingTotals::default()
    };
    MissingView {
        schema_version: SCHEMA_VERSION,
        mirrors: vec![store()],
        rules: None,
        bundles: vec![
            bundle("gull.v1", vec![absent(), missing_image("up.example/here:1", "present", None)]),
            bundle("gull.v2", vec![absent()]),
        ],
        releases: vec![],
        packages: vec![share],
        totals,
        repair: vec![],
        findings: vec![],
    }
}

pub(super) fn mirror_diff() -> MirrorDiffView {
    let change = ChangeView {
        code: "mirror/tag-moved".into(),
        severity: "warning".into(),
        subject: ChangeSubjectView { repository: Some("a".into()), tag: Some("v1".into()), ..Default::default() },
        old: Some(format!("sha256:{}", "0".repeat(64))),
        new: Some(format!("sha256:{}", "1".repeat(64))),
    };
    MirrorDiffView { schema_version: SCHEMA_VERSION, changes: vec![change], findings: vec![] }
}
