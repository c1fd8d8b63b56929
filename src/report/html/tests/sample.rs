//! Views made in code.

use std::collections::BTreeMap;

use crate::report::place;
use crate::report::sample as report_sample;
use crate::report::schema::*;

/// A package whose channel `stable` is one chain of `length` bundles.
pub(crate) fn package(length: usize) -> PackageView {
    packages_of("plain", &["stable"], length)
}

/// A package with the same chain of `length` bundles in each of the channels, the first of which is the default one.
///
/// Each bundle replaces the one before it and has a `skipRange` from the first on.
pub(crate) fn packages_of(package: &str, channels: &[&str], length: usize) -> PackageView {
    let names: Vec<String> = (0..length).map(|number| format!("{package}.v{}", version(number))).collect();
    let bundles = names.iter().enumerate().map(|(number, name)| bundle(name, number, channels)).collect();
    let mut sorted: Vec<&str> = channels.to_vec();
    sorted.sort_unstable();
    let walks = |_: &&str| walks(&names);
    PackageView {
        schema_version: SCHEMA_VERSION,
        catalog: "sample".into(),
        package: package.into(),
        display_name: Some(format!("Operator <{package}>")),
        description: Some("# Purpose\nA *sample*, see https://example.com/x.\n\n<script>alert(1)</script>".into()),
        provider: Some("Example & Co".into()),
        defined: true,
        valid: false,
        default_channel: channels.first().map(|name| (*name).to_owned()),
        deprecated: None,
        bundles,
        channels: sorted.iter().map(|name| channel(name, channels.first() == Some(name), &names)).collect(),
        edges: sorted.iter().flat_map(|name| edges(name, &names)).collect(),
        engines: EnginesView {
            olm_v0: sorted.iter().map(|name| ((*name).to_owned(), walks(name))).collect(),
            olm_v1: sorted.iter().map(|name| ((*name).to_owned(), walks(name))).collect(),
            olm_v1_all_channels: walks(&""),
        },
        findings: vec![finding("error", "catalog/multiple-heads"), finding("warning", "catalog/dead-end")],
        names,
    }
}

fn version(number: usize) -> String {
    format!("1.{}.{}", number / 10, number % 10)
}

fn bundle(name: &str, number: usize, channels: &[&str]) -> BundleView {
    BundleView {
        name: name.into(),
        in_catalog: number > 0,
        version: Some(version(number)),
        release: None,
        image: Some(format!("registry.example/sample/operator@sha256:{:064x}", number + 1)),
        channels: channels.iter().map(|name| (*name).to_owned()).collect(),
        deprecated: (number == 1).then(|| "Use 1.0.3 or newer.".to_owned()),
        min_kube_version: None,
        max_openshift_version: (number == 2).then(|| "4.18".to_owned()),
        requires: vec![RequirementView { kind: "olm.package.required".into(), text: "other >=1.0.0".into() }],
        forbidden: false,
        lifecycle: LifecycleView {
            known: true,
            reason: None,
            phase: Some("maintenance".into()),
            ends: Some("2027-01-31".into()),
            days_left: Some(62),
        },
        contents: None,
    }
}

fn channel(name: &str, default: bool, names: &[String]) -> ChannelView {
    let entries = names.iter().enumerate().skip(1).map(|(number, name)| EntryView {
        name: name.clone(),
        replaces: names.get(number - 1).cloned(),
        skips: vec![],
        skip_range: Some(format!(">=1.0.0 <{}", version(number))),
    });
    ChannelView {
        name: name.into(),
        default,
        deprecated: None,
        heads: names.last().cloned().into_iter().collect(),
        entries: entries.collect(),
    }
}

fn edges(channel: &str, names: &[String]) -> Vec<EdgeView> {
    let mut edges = Vec::new();
    for (from, from_name) in names.iter().enumerate() {
        for (to, to_name) in names.iter().enumerate().skip(from + 1) {
            let mut via = vec!["skipRange".to_owned()];
            if to == from + 1 {
                via.insert(0, "replaces".to_owned());
            }
            edges.push(EdgeView { channel: channel.into(), from: from_name.clone(), to: to_name.clone(), via });
        }
    }
    edges
}

/// Walks that go from bundle to bundle.
fn walks(names: &[String]) -> WalksView {
    let last = names.len() - 1;
    let walk = |number: usize| WalkView {
        status: if number == last { "up-to-date" } else { "reachable" }.into(),
        next: names.get(number + 1).cloned(),
        candidates: names.iter().skip(number + 1).cloned().collect(),
        path: (number as u32 + 1..=last as u32).collect(),
        reaches: (number as u32 + 1..=last as u32).collect(),
        reasons: vec![ReasonView {
            code: "path/at-head".into(),
            message: format!("{} is the head of the channel", names[last]),
            because: vec![],
        }],
    };
    WalksView {
        error: None,
        others: vec![],
        from: names.iter().enumerate().map(|(number, name)| (name.clone(), walk(number))).collect(),
    }
}

/// A finding with everything that one can have.
pub(crate) fn finding(severity: &str, code: &str) -> FindingView {
    FindingView {
        severity: severity.into(),
        code: code.into(),
        subject: SubjectView {
            catalog: Some("sample".into()),
            package: Some("plain".into()),
            channel: Some("stable".into()),
            bundle: None,
        },
        message: "The channel <stable> has 2 heads.".into(),
        hint: Some("Let one of them replace the other; see https://example.com/help.".into()),
        at: Some(PlaceView {
            source: "sample".into(),
            image: None,
            path: Some("plain/catalog.yaml".into()),
            document: Some(2),
            line: Some(17),
        }),
        fingerprint: "0".repeat(64),
    }
}

/// A row for the package of that name.
pub(crate) fn package_row(package: &str) -> PackageRow {
    PackageRow {
        catalog: "sample".into(),
        package: package.into(),
        display_name: Some("Plain <b>".into()),
        valid: false,
        default_channel: Some("stable".into()),
        head: Some(format!("{package}.v1.0.4")),
        head_version: Some("1.0.4".into()),
        channels: 1,
        bundles: 5,
        deprecated: None,
        findings: SeverityCounts { error: 1, warning: 2, info: 0 },
        reasons: vec!["The channel stable has 2 heads.".into()],
        api: place::package_api("sample", package),
        page: place::package_page("sample", package),
    }
}

/// A catalog with one package and one finding of its own.
pub(crate) fn catalog() -> CatalogView {
    CatalogView {
        schema_version: SCHEMA_VERSION,
        name: "sample".into(),
        complete: true,
        valid: false,
        counts: counts(),
        packages: vec![package_row("plain"), package_row("wide")],
        findings: vec![finding("error", "catalog/decode-error")],
    }
}

fn counts() -> Counts {
    Counts { packages: 2, channels: 4, entries: 40, bundles: 20, deprecations: 1, other: 0 }
}

/// An overview over that catalog, of which one file could not be read.
pub(crate) fn overview() -> Overview {
    let findings = SeverityCounts { error: 1, warning: 2, info: 3 };
    Overview {
        schema_version: SCHEMA_VERSION,
        tool: Tool { name: "skipstone".into(), version: "0.1.0".into() },
        generated_at: "2026-11-30T00:00:00Z".into(),
        verdict: Verdict::Incomplete,
        summary: Summary {
            catalogs: 1,
            counts: counts(),
            findings,
            pairs: PairCounts { olm_v0: 1234, olm_v1: 2345, olm_v1_all_channels: 3456 },
        },
        inputs: vec![Input {
            name: "sample".into(),
            kind: "catalog".into(),
            source: "sample".into(),
            digest: format!("sha256:{}", "ab".repeat(32)),
            bytes: 157_049_000,
            files: 12,
            documents: 340,
            distinct_documents: 120,
        }],
        catalogs: vec![CatalogRow {
            name: "sample".into(),
            valid: false,
            counts: counts(),
            findings,
            api: place::catalog_api("sample"),
            page: place::catalog_page("sample"),
        }],
        clusters: vec![report_sample::cluster()],
        attention: vec![package_row("plain")],
        mirror: None,
        coverage: Coverage {
            complete: false,
            read: 11,
            skipped: vec![CoverageNote {
                input: "sample".into(),
                path: Some("README.md".into()),
                reason: "ignored by .indexignore".into(),
            }],
            failed: vec![CoverageNote {
                input: "sample".into(),
                path: Some("broken/catalog.yaml".into()),
                reason: "not valid YAML".into(),
            }],
        },
    }
}

/// No walks at all.
pub(crate) fn no_engines() -> EnginesView {
    EnginesView { olm_v0: BTreeMap::new(), olm_v1: BTreeMap::new(), olm_v1_all_channels: WalksView::default() }
}
