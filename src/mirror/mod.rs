//! What a mirror holds, what it lacks, and what changed in it.
//!
//! Pure: stores are read elsewhere, and what was learned of their images comes in as [`facts`]. [`rules`] says where a cluster
//! looks for an image, [`judge`] whether the mirror has it there, [`missing`] adds that up for catalogs and payloads, [`inventory`]
//! counts what lies there, [`release_signature`] says which releases are signed, [`repair`] what to copy where, and [`difference`]
//! compares two mirrors. Cost: each part says its own.

pub mod difference;
pub mod facts;
pub mod inventory;
pub mod judge;
pub mod missing;
pub mod release_signature;
pub mod repair;
pub mod rules;
pub mod verdict;
