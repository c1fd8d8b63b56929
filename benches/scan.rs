//! Speed of the main job: the demo pair as a report, on two threads, with nothing kept, with facts kept, and with a report
//! that stands already.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench may fail loudly")]

use std::num::NonZeroUsize;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use skipstone::cache::Cache;
use skipstone::codec::Limits;
use skipstone::finding::Digest;
use skipstone::pipeline::{CatalogInput, ContentRequest, NoObserver, RunContext, ScanRequest, on_threads, scan};
use skipstone::source::SourceLimits;
use skipstone::source::image::Platform;

fn scanning(criterion: &mut Criterion) {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/demo");
    let catalogs = ["4.18", "4.20"].map(|name| CatalogInput::directory(name, demo.join(name)));
    let context = RunContext {
        now: "2026-11-30T00:00:00Z".parse().unwrap(),
        jobs: NonZeroUsize::new(2).unwrap(),
        limits: Limits::default(),
        source_limits: SourceLimits::default(),
    };
    let place = tempfile::tempdir().unwrap();
    let output = place.path().join("report");
    let kept = Some(place.path().join("cache"));
    let mut group = criterion.benchmark_group("scan");
    group.sample_size(10);
    for (name, cache, program) in
        [("cold", None, None), ("warm", kept.clone(), None), ("unchanged", kept, Some(Digest::of(b"this program")))]
    {
        let cache = Cache::open(cache);
        let request = ScanRequest {
            catalogs: &catalogs,
            contents: &ContentRequest::default(),
            mirror: None,
            platform: &Platform::default(),
            output: &output,
            version: "bench",
            program,
        };
        group.bench_function(name, |bench| {
            bench.iter(|| on_threads(&context, || scan(&request, &cache, &context, &NoObserver)).unwrap().unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, scanning);
criterion_main!(benches);
