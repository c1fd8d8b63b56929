//! skipstone
pub mod emit;
pub mod finding;
