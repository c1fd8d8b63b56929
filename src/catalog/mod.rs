//! File-based catalogs: packages, channels, entries, bundles, properties, deprecations, lifecycles.
//!
//! Rule: operator-registry `alpha/declcfg` and `alpha/model`. Documents are decoded into [`facts`] that know no place, so
//! that equal documents of several catalogs are decoded and kept once; [`assemble`] puts them together; [`check`] holds the
//! rules of `opm validate` and those beyond it.
//! Cost: decoding is linear in the documents; each step behind it says its own.

mod assemble;
pub mod chain;
mod check;
mod decode;
pub mod facts;
mod lifecycle;
mod model;

pub use assemble::{Located, assemble};
pub use check::{check, constraint_text};
pub use decode::{LIFECYCLE_SCHEMA, document};
pub use lifecycle::{PhaseAnswer, phase_of, support_findings};
pub use model::{Bundle, Catalog, Channel, Counts, Deprecations, Lifecycle, Package};

#[cfg(test)]
mod tests;
