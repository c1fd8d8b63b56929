//! Speed of reading a layer: unpacking alone, and with its framing and its files, in unpacked bytes a second.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::hint::black_box;
use std::io::{self, Write};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flate2::write::GzEncoder;
use skipstone::source::image::{DecompressLimits, Decompressed, LayerLimits, Wanted, walk_layer};

/// A layer as a catalog image has it: programs that hardly compress, and documents that compress well.
fn layer() -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |path: String, content: &[u8]| {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        archive.append_data(&mut header, path, content).unwrap();
    };
    let mut state = 1_u64;
    let noise: Vec<u8> = (0..4 << 20)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    add("bin/program".to_owned(), &noise);
    for package in 0..100 {
        let mut text = String::new();
        for line in 0..2000 {
            text.push_str(&format!(
                "- image: registry.example/part-{line}@sha256:{:064x}\n  name: part-{package}-{line}\n",
                line * package
            ));
        }
        add(format!("configs/package-{package}/catalog.yaml"), text.as_bytes());
    }
    for number in 0..5000 {
        add(format!("usr/share/doc/{number}"), b"a small file");
    }
    archive.into_inner().unwrap()
}

fn reading(criterion: &mut Criterion) {
    let plain = layer();
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&plain).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(plain.as_slice(), 3).unwrap();
    let (wanted, limits) = (Wanted::new(["configs"]), LayerLimits::default());
    let mut group = criterion.benchmark_group("layers");
    group.throughput(Throughput::Bytes(plain.len() as u64)).sample_size(10);
    for (name, bytes) in [("plain", &plain), ("gzip", &gzip), ("zstd", &zstd)] {
        group.bench_function(format!("unpack {name}"), |bench| {
            bench.iter(|| {
                let mut stream = Decompressed::new(black_box(bytes.as_slice()), DecompressLimits::default()).unwrap();
                io::copy(&mut stream, &mut io::sink()).unwrap()
            });
        });
        group.bench_function(format!("walk {name}"), |bench| {
            bench.iter(|| {
                walk_layer(black_box(bytes.as_slice()), &wanted, &limits, &mut |_, _, bytes, content| {
                    let mut read = Vec::with_capacity(usize::try_from(bytes).unwrap());
                    content.read_to_end(&mut read).map(|_| ())
                })
                .unwrap()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reading);
criterion_main!(benches);
