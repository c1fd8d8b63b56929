//! Speed of the engines: the walk from each bundle of a long channel, and all pairs of it.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use skipstone::catalog::facts::DecodedDocument;
use skipstone::catalog::{Catalog, Located, assemble, document};
use skipstone::codec::{Limits, split};
use skipstone::engines::olm_v0::OlmV0;
use skipstone::engines::olm_v1::{OlmV1, Policy, Request, Source};
use skipstone::engines::{Engine, Installed, Survey, walk};
use skipstone::finding::SourceRef;

/// One channel: each bundle replaces the one before and covers the older ones of its minor version.
fn chain(bundles: usize) -> Catalog {
    let mut text = "schema: olm.package\nname: heron\ndefaultChannel: stable\n".to_owned();
    let version = |number: usize| format!("1.{}.{}", number / 10, number % 10);
    text.push_str("---\nschema: olm.channel\npackage: heron\nname: stable\nentries:\n");
    for number in 0..bundles {
        let (this, minor) = (version(number), number / 10);
        let _ = writeln!(text, "- name: heron.v{this}\n  skipRange: '>=1.{minor}.0 <{this}'");
        if let Some(before) = number.checked_sub(1) {
            let _ = writeln!(text, "  replaces: heron.v{}", version(before));
        }
    }
    for number in 0..bundles {
        let this = version(number);
        let _ = writeln!(
            text,
            "---\nschema: olm.bundle\npackage: heron\nname: heron.v{this}\nimage: registry.example/heron@sha256:{number:064x}\n\
             properties:\n- type: olm.package\n  value: {{packageName: heron, version: {this}}}"
        );
    }
    let limits = Limits::default();
    let cut = split(text.as_bytes(), &limits);
    let decoded: Vec<DecodedDocument> =
        cut.documents.iter().map(|part| document(part.bytes, part.format, &limits)).collect();
    let at = SourceRef::file("bench", "catalog.yaml");
    let located: Vec<Located<'_>> = decoded.iter().map(|document| Located { at: at.clone(), document }).collect();
    assemble(&"bench".into(), &located).0
}

fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("paths");
    group.sample_size(10);
    for bundles in [30, 200] {
        let catalog = chain(bundles);
        let package = catalog.packages.get("heron").unwrap();
        let channel = package.channel("stable").unwrap();
        let sources = [Source { catalog: "bench".into(), priority: 0, package }];
        let request = Request { channels: Vec::new(), range: None, policy: Policy::CatalogProvided };
        let engines: [(&str, Box<dyn Engine + '_>); 2] =
            [("olm-v0", Box::new(OlmV0::new(package, channel))), ("olm-v1", Box::new(OlmV1::new(&sources, request)))];
        let installed: Vec<Installed> = package.bundles.iter().map(Installed::bundle).collect();
        for (name, engine) in &engines {
            group.bench_function(BenchmarkId::new(format!("{name} walks"), bundles), |bench| {
                let hops = |from: &Installed| walk(&**engine, Some(from)).hops.len();
                bench.iter(|| black_box(&installed).iter().map(hops).sum::<usize>());
            });
            group.bench_function(BenchmarkId::new(format!("{name} all pairs"), bundles), |bench| {
                bench.iter(|| Survey::new(&**engine, black_box(&installed).clone()).reachability().pairs());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, engines);
criterion_main!(benches);
