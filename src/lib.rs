//! skipstone
pub mod cache;
pub mod emit;
pub mod finding;
