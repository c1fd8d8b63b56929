//! What a dump tells of a cluster: its objects, as far as an upgrade depends on them, and what the dump lacks.
//!
//! A [`Gathering`] takes decoded documents and gives [`ClusterFacts`]; nothing is read here. Nothing secret becomes a fact:
//! each module says what it drops. What a dump does not tell is not known, and [`ClusterFacts::lacking`] names the command
//! that collects it. Sources: the API types of operator-framework, openshift/api, hypershift and kubernetes; openshift/oc
//! and openshift/must-gather for the files; each module cites its own. Cost: linear in the documents.

mod facts;
mod gather;
mod keep;
mod kind;
mod lacking;
mod observed;
mod path;
mod readiness;
mod refusal;
mod states;

pub use facts::{ClusterFacts, ClusterObject, ObjectKey};
pub use gather::{FactLimits, Gathering};
pub use kind::ObjectKind;
pub use lacking::{Lacking, collecting_script};
pub use observed::{Observed, ObservedBasis};
pub use readiness::{Readiness, ReadinessCheck, ReadinessOperator};
pub use refusal::is_refusal;

#[cfg(test)]
mod tests;
