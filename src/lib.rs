//! skipstone
pub mod finding;
pub mod version;
