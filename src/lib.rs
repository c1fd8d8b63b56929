//! skipstone
pub mod codec;
pub mod finding;
