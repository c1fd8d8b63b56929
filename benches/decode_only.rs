//! Merely decodes the distinct documents of catalogs, on as many threads as are asked for: what a scan is measured against.
//!
//! `decode-only own|saphyr JOBS DIRECTORY...` reads the files and cuts them into documents, then decodes each distinct
//! one: with this program's own door, or with serde-saphyr into JSON values. It prints bytes, documents and seconds of the
//! decoding alone; whole-process time includes the reading.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program may print, and fail loudly")]

use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;
use skipstone::codec::{Document, Format, Limits, decode, split};
use skipstone::source::{SourceLimits, walk_catalog};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let decoder = arguments.next().unwrap();
    let jobs: usize = arguments.next().unwrap().parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().unwrap();
    let files: Vec<Vec<u8>> = arguments
        .flat_map(|directory| walk_catalog(Path::new(&directory), &SourceLimits::default()).unwrap().files)
        .map(|file| std::fs::read(file.place).unwrap())
        .collect();
    let limits = Limits::default();
    let splits: Vec<_> = files.iter().map(|file| split(file, &limits)).collect();
    let all = splits.iter().flat_map(|split| &split.documents);
    let distinct: HashMap<&[u8], &Document<'_>> = all.map(|document| (document.bytes, document)).collect();
    let mut documents: Vec<&Document<'_>> = distinct.into_values().collect();
    documents.sort_by_key(|document| std::cmp::Reverse(document.bytes.len()));
    let bytes: usize = documents.iter().map(|document| document.bytes.len()).sum();
    let begin = Instant::now();
    let decoded: usize = documents
        .par_iter()
        .with_max_len(1)
        .filter(|document| match (decoder.as_str(), document.format) {
            ("own", format) => decode(document.bytes, format, &limits).is_ok(),
            (_, Format::Json) => serde_json::from_slice::<serde_json::Value>(document.bytes).is_ok(),
            (_, Format::Yaml) => saphyr(document.bytes),
        })
        .count();
    let seconds = begin.elapsed().as_secs_f64();
    println!("{decoder} {jobs} threads: {decoded} documents, {bytes} bytes, {seconds:.3} s");
}

fn saphyr(document: &[u8]) -> bool {
    let mut options = serde_saphyr::Options::default();
    options.budget = None;
    let text = std::str::from_utf8(document).unwrap();
    serde_saphyr::from_str_with_options::<serde_json::Value>(text, options).is_ok()
}
