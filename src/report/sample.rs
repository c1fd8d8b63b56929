//! Small view models that the tests of all formats share.

use std::collections::BTreeMap;

use super::schema::*;

pub(super) fn place(path: &str, line: u32) -> PlaceView {
    PlaceView { source: "c".into(), image: None, path: Some(path.into()), document: Some(1), line: Some(line) }
}

/// A finding about package `p` of catalog `c`, at line 3 of `p/catalog.yaml`.
pub(super) fn finding(severity: &str, code: &str) -> FindingView {
    FindingView {
        severity: severity.into(),
        code: code.into(),
        subject: SubjectView { catalog: Some("c".into()), package: Some("p".into()), ..SubjectView::default() },
        message: format!("message of {code}"),
        hint: None,
        at: Some(place("p/catalog.yaml", 3)),
        fingerprint: format!("sha256:{severity}-{code}"),
    }
}

pub(super) fn overview() -> Overview {
    Overview {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "skipstone".into(), version: "0.1.0".into() },
        generated_at: "2026-11-30T00:00:00Z".into(),
        verdict: Verdict::Errors,
        summary: Summary {
            catalogs: 1,
            counts: counts(),
            findings: SeverityCounts { error: 1, warning: 0, info: 0 },
            pairs: PairCounts { olm_v0: 1, olm_v1: 2, olm_v1_all_channels: 3 },
        },
        inputs: vec![Input {
            name: "c".into(),
            kind: "catalog".into(),
            source: "c".into(),
            digest: "sha256:abc".into(),
            bytes: 10,
            files: 1,
            documents: 4,
            distinct_documents: 4,
        }],
        catalogs: vec![CatalogRow {
            name: "c".into(),
            valid: false,
            counts: counts(),
            findings: SeverityCounts { error: 1, warning: 0, info: 0 },
            api: "api/v1/catalogs/c.json".into(),
            page: "catalogs/c.html".into(),
        }],
        clusters: vec![cluster()],
        attention: vec![row("p")],
        mirror: None,
        coverage: Coverage { complete: true, read: 1, skipped: vec![], failed: vec![] },
    }
}

/// A cluster of twelve nodes and no Subscription, of which the dump does not tell its version.
pub(super) fn cluster() -> ClusterRow {
    ClusterRow {
        name: "east".into(),
        observed_at: Some("2026-11-01T08:05:00Z".into()),
        observed_basis: Some("conditions".into()),
        objects: BTreeMap::from([("Node".into(), 12), ("Subscription".into(), 0)]),
        lacking: vec![LackingView {
            resource: "clusterversions.config.openshift.io".into(),
            needed_for: "the platform's version".into(),
            command: "oc get clusterversions.config.openshift.io -o yaml".into(),
        }],
        findings: SeverityCounts { error: 0, warning: 1, info: 0 },
        api: "api/v1/clusters/east/contents.json".into(),
    }
}

/// 4.19.9 of unknown architecture and digest with one warning, and 4.20.1 for amd64.
pub(super) fn releases() -> ReleasesIndex {
    let unknown = DigestView { known: false, reason: Some("a plain directory has none <b>".into()), digest: None };
    let older = ReleaseRow {
        version: Some("4.19.9".into()),
        architecture: None,
        digest: unknown,
        images: 1,
        objects: 0,
        findings: SeverityCounts { error: 0, warning: 1, info: 0 },
        api: "api/v1/platform/releases/4.19.9-unknown.json".into(),
    };
    let newer = ReleaseRow {
        version: Some("4.20.1".into()),
        architecture: Some("amd64".into()),
        digest: DigestView { known: true, reason: None, digest: Some("sha256:ab".into()) },
        images: 3,
        objects: 4,
        findings: SeverityCounts::default(),
        api: "api/v1/platform/releases/4.20.1-amd64.json".into(),
    };
    ReleasesIndex { schema_version: SCHEMA_VERSION, releases: vec![older, newer] }
}

pub(super) fn counts() -> Counts {
    Counts { packages: 1, channels: 1, entries: 2, bundles: 2, deprecations: 0, other: 0 }
}

pub(super) fn row(package: &str) -> PackageRow {
    PackageRow {
        catalog: "c".into(),
        package: package.into(),
        display_name: None,
        valid: false,
        default_channel: Some("stable".into()),
        head: Some("p.v2".into()),
        head_version: Some("2.0.0".into()),
        channels: 1,
        bundles: 2,
        deprecated: None,
        findings: SeverityCounts { error: 1, warning: 0, info: 0 },
        reasons: vec!["several heads".into()],
        api: format!("api/v1/packages/c/{package}.json"),
        page: format!("packages/c/{package}.html"),
    }
}

pub(super) fn catalog(packages: &[&str], findings: Vec<FindingView>) -> CatalogView {
    CatalogView {
        schema_version: SCHEMA_VERSION,
        name: "c".into(),
        complete: true,
        valid: false,
        counts: counts(),
        packages: packages.iter().map(|package| row(package)).collect(),
        findings,
    }
}

pub(super) fn check(findings: Vec<FindingView>) -> CheckView {
    let channel = CheckedChannel { heads: vec!["p.v2".into()], entries: 2 };
    let package = CheckedPackage {
        valid: false,
        default_channel: Some("stable".into()),
        channels: BTreeMap::from([("stable".into(), channel)]),
    };
    CheckView { valid: false, counts: counts(), packages: BTreeMap::from([("p".into(), package)]), findings }
}

/// Package `p` with one channel `stable`, in which `p.v2` replaces `p.v1`.
pub(super) fn package(findings: Vec<FindingView>) -> PackageView {
    let entry = |name: &str, replaces: Option<&str>| EntryView {
        name: name.into(),
        replaces: replaces.map(Into::into),
        skips: vec![],
        skip_range: None,
    };
    let walks = WalksView {
        error: None,
        others: vec![],
        from: BTreeMap::from([
            ("p.v1".into(), walk("reachable", Some("p.v2"), vec![1])),
            ("p.v2".into(), walk("up-to-date", None, vec![])),
        ]),
    };
    PackageView {
        schema_version: SCHEMA_VERSION,
        catalog: "c".into(),
        package: "p".into(),
        display_name: Some("The P".into()),
        description: None,
        provider: None,
        defined: true,
        valid: true,
        default_channel: Some("stable".into()),
        deprecated: None,
        names: vec!["p.v1".into(), "p.v2".into()],
        bundles: vec![bundle("p.v1", "1.0.0"), bundle("p.v2", "2.0.0")],
        channels: vec![ChannelView {
            name: "stable".into(),
            default: true,
            deprecated: None,
            heads: vec!["p.v2".into()],
            entries: vec![entry("p.v1", None), entry("p.v2", Some("p.v1"))],
        }],
        edges: vec![EdgeView {
            channel: "stable".into(),
            from: "p.v1".into(),
            to: "p.v2".into(),
            via: vec!["replaces".into()],
        }],
        engines: EnginesView {
            olm_v0: BTreeMap::from([("stable".into(), walks.clone())]),
            olm_v1: BTreeMap::from([("stable".into(), walks.clone())]),
            olm_v1_all_channels: walks,
        },
        findings,
    }
}

fn walk(status: &str, next: Option<&str>, path: Vec<u32>) -> WalkView {
    WalkView {
        status: status.into(),
        next: next.map(Into::into),
        candidates: next.into_iter().map(Into::into).collect(),
        reaches: path.clone(),
        path,
        reasons: vec![],
    }
}

fn bundle(name: &str, version: &str) -> BundleView {
    BundleView {
        name: name.into(),
        in_catalog: true,
        version: Some(version.into()),
        release: None,
        image: None,
        channels: vec!["stable".into()],
        deprecated: None,
        min_kube_version: None,
        max_openshift_version: None,
        requires: vec![],
        forbidden: false,
        lifecycle: LifecycleView::default(),
        contents: None,
    }
}
