//! One file for each command.

pub(super) mod cache;
pub(super) mod check;
pub(super) mod cluster;
pub(super) mod explain;
pub(super) mod generated;
pub(super) mod init;
pub(super) mod mirror;
pub(super) mod path;
pub(super) mod range;
pub(super) mod scan;
pub(super) mod schema;
mod sources;
