//! Speed of reading: a generated catalog in the style that opm writes, in bytes a second.

#![allow(missing_docs)]

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skipstone::codec::{Limits, decode, split};

/// A package with `bundles` bundles, each with a description and an example.
fn catalog(bundles: usize) -> String {
    let mut text = "schema: olm.package\nname: heron\ndefaultChannel: stable\n".to_owned();
    for minor in 0..bundles {
        let _ = write!(
            text,
            "---\nimage: registry.example/heron@sha256:{minor:064x}\nname: heron.v1.{minor}.0\npackage: heron\nproperties:\n\
             - type: olm.package\n  value:\n    packageName: heron\n    version: 1.{minor}.0\n- type: olm.csv.metadata\n  value:\n    \
             annotations:\n      capabilities: Basic Install\n      createdAt: \"2024-01-01T00:00:00Z\"\n    description: |\n"
        );
        for line in 0..40 {
            let _ =
                writeln!(text, "      Line {line} of a description that says what the operator does, at some length.");
        }
        text.push_str("    relatedImages:\n");
        for image in 0..20 {
            let _ = writeln!(
                text,
                "    - image: registry.example/part-{image}@sha256:{image:064x}\n      name: part-{image}"
            );
        }
        text.push_str("schema: olm.bundle\n");
    }
    text
}

fn read(file: &[u8], limits: &Limits) -> usize {
    let documents = split(file, limits).documents;
    documents.iter().filter(|document| decode(document.bytes, document.format, limits).is_ok()).count()
}

fn reading(criterion: &mut Criterion) {
    let limits = Limits::default();
    let yaml = catalog(200);
    let values = split(yaml.as_bytes(), &limits).documents;
    let values = values.iter().filter_map(|document| decode(document.bytes, document.format, &limits).ok());
    let json: String = values.map(|decoded| format!("{:#}\n", decoded.value.to_json())).collect();
    let mut group = criterion.benchmark_group("codec");
    for (name, text) in [("yaml", yaml.as_str()), ("json", json.as_str())] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group
            .bench_function(format!("split {name}"), |bench| bench.iter(|| split(black_box(text.as_bytes()), &limits)));
        group.bench_function(format!("read {name}"), |bench| bench.iter(|| read(black_box(text.as_bytes()), &limits)));
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
