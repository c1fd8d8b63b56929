//! skipstone
pub mod finding;
pub mod report;
