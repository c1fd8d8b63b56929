//! skipstone
pub mod finding;
