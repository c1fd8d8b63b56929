//! What a mirror holds, what it lacks, and what changed in it.
//!
//! Pure: stores are read elsewhere. [`rules`] says where a cluster looks for an image. Cost: each part says its own.

pub mod rules;
