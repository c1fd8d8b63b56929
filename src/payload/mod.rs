//! Release payloads: their version, images and manifests, and the admin gates.
//!
//! Rule: cluster-version-operator `pkg/payload/payload.go` and `install/`, oc `pkg/cli/admin/release/new.go`, Cincinnati
//! `graph_builder/release.rs`. A payload's own layer holds `release-manifests/`; the operator's own manifests, and with them
//! the admin gates, lie in `manifests/` of the layers below. [`read`] makes [`PayloadFacts`] of both, [`findings`] says what
//! is wrong with them.
//! Cost: every manifest is decoded once, and only what tells it from others is kept.

mod architecture;
mod component;
mod decode;
mod directories;
mod facts;
mod findings;
mod gates;
mod images;
mod metadata;
mod read;

pub use architecture::{ReleaseArchitecture, StatedArchitecture};
pub use directories::payload_directories;
pub use facts::{AdminGates, Component, PayloadFacts, PayloadFault, PayloadImage, PayloadObject};
pub use findings::{StatedPayload, findings};
pub use read::read;

#[cfg(test)]
mod tests;
