//! skipstone
pub mod cache;
pub mod catalog;
pub mod codec;
pub mod emit;
pub mod engines;
pub mod finding;
pub mod graph;
pub mod report;
pub mod source;
pub mod version;
