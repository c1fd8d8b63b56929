//! The integration tests: one binary, so that they link once. A test holds that no file here is forgotten.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test may fail loudly"
)]

mod architecture;
mod atomic;
mod bad_input;
mod cli_contract;
mod cli_settings;
mod cluster;
mod cluster_scan;
mod determinism;
mod fixtures;
mod fuzz_corpus;
mod hostile_images;
mod hostile_mirrors;
mod hostile_registry;
mod image_builder;
mod images;
mod mirror;
mod mirror_catalogs;
mod mirror_releases;
mod mirror_scan;
mod mirror_unread;
mod offline;
mod program;
mod readme;
mod real_codec;
mod registry_server;
mod report_source;
mod rust_source;
mod site;
