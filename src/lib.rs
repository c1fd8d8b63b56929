//! skipstone
pub mod cache;
pub mod catalog;
pub mod cli;
pub mod codec;
pub mod config;
pub mod emit;
pub mod engines;
pub mod finding;
pub mod graph;
pub mod pipeline;
pub mod report;
pub mod source;
pub mod version;
