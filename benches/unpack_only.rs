//! Merely unpacks the layers of images, on as many threads as are asked for: what reading a catalog image is measured against.
//!
//! `unpack-only JOBS BLOB...` decompresses each blob to nothing, one thread for each, and prints bytes and seconds.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measuring program may print, and fail loudly")]

use std::fs::File;
use std::io;
use std::time::Instant;

use rayon::prelude::*;
use skipstone::source::image::{DecompressLimits, Decompressed};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let jobs: usize = arguments.next().unwrap().parse().unwrap();
    rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().unwrap();
    let blobs: Vec<String> = arguments.collect();
    let begin = Instant::now();
    let bytes: u64 = blobs
        .par_iter()
        .with_max_len(1)
        .map(|blob| {
            let mut unpacked = Decompressed::new(File::open(blob).unwrap(), DecompressLimits::default()).unwrap();
            io::copy(&mut unpacked, &mut io::sink()).unwrap()
        })
        .sum();
    println!("{jobs} threads: {} blobs, {bytes} bytes unpacked, {:.3} s", blobs.len(), begin.elapsed().as_secs_f64());
}
