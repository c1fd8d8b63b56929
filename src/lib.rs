//! skipstone shows what an OpenShift or operator upgrade will do before anyone launches it, without a network: it reads
//! mirrored file-based catalogs, works out what the real components would do with them, and writes a report.
//!
//! # The flow
//!
//! ```text
//!  source ──► codec ──────► catalog ──────► engines ────► report ─────► emit
//!  files in   each distinct facts of each   OLM v0, v1:   view models,  one directory,
//!  windows    document once package, rules  walks, pairs  every format  all or nothing
//! ```
//!
//! Data goes one way. What is wrong with an input is a [`finding`], what is wrong with an invocation is an error, and a bug in
//! one unit of work is caught and becomes a finding. [`pipeline`] alone runs threads, [`cli`] alone knows the terminal.
//! `ARCHITECTURE.md` has the whole map, and a test holds the modules against it.
//!
//! # An example
//!
//! From the text of a catalog to the way that OLM v0 takes:
//!
//! ```
//! use std::sync::Arc;
//!
//! use skipstone::catalog::{Located, assemble, check, document};
//! use skipstone::codec::{Limits, split};
//! use skipstone::engines::olm_v0::OlmV0;
//! use skipstone::engines::{Installed, PathStatus, answer};
//! use skipstone::finding::SourceRef;
//!
//! let text = b"
//! schema: olm.package
//! name: tern
//! defaultChannel: stable
//! ---
//! schema: olm.channel
//! package: tern
//! name: stable
//! entries: [{name: tern.v1.0.0}, {name: tern.v1.1.0, replaces: tern.v1.0.0}]
//! ---
//! schema: olm.bundle
//! package: tern
//! name: tern.v1.0.0
//! image: example.com/tern@sha256:0000000000000000000000000000000000000000000000000000000000000000
//! properties: [{type: olm.package, value: {packageName: tern, version: 1.0.0}}]
//! ---
//! schema: olm.bundle
//! package: tern
//! name: tern.v1.1.0
//! image: example.com/tern@sha256:1111111111111111111111111111111111111111111111111111111111111111
//! properties: [{type: olm.package, value: {packageName: tern, version: 1.1.0}}]
//! ";
//! let limits = Limits::default();
//! let decoded: Vec<_> =
//!     split(text, &limits).documents.iter().map(|cut| document(cut.bytes, cut.format, &limits)).collect();
//! let at = SourceRef::file("birds", "tern.yaml");
//! let located: Vec<_> = decoded.iter().map(|document| Located { at: at.clone(), document }).collect();
//! let (catalog, faults) = assemble(&Arc::from("birds"), &located);
//! assert!(faults.is_empty() && check(&catalog).is_empty());
//!
//! let package = &catalog.packages["tern"];
//! let channel = package.channel("stable").ok_or("no channel")?;
//! let installed = Installed::bundle(package.bundle("tern.v1.0.0").ok_or("no bundle")?);
//! let path = answer(&OlmV0::new(package, channel), Some(&installed), None);
//! assert_eq!(path.status, PathStatus::Reachable);
//! assert_eq!(&*path.hops[0].step.to.name, "tern.v1.1.0");
//! # Ok::<(), &str>(())
//! ```
//!
//! # The modules
//!
//! From what others rest on to what rests on them:
//!
//! * [`version`] – semantic versions, releases, and the two range languages of OLM.
//! * [`finding`] – what was noticed about an input, by code and evidence; digests and places.
//! * [`mod@reference`] – image references: repository, tag, digest.
//! * [`codec`] – the one door to each parser: documents, JSON, YAML as Go reads it.
//! * [`source`] – what lies at a place, walked and read within limits.
//! * [`config`] – `skipstone.yaml`.
//! * [`catalog`] – file-based catalogs: their model, and the rules of `opm validate` and beyond.
//! * [`bundle`] – the contents of operator bundles: manifests, annotations, dependencies.
//! * [`payload`] – the contents of release payloads: version, images, manifests, admin gates.
//! * [`cluster`] – what a dump tells of a cluster, and what it lacks.
//! * [`graph`] – nodes, edges, what reaches what.
//! * [`engines`] – what OLM v0 and OLM v1 would do, each by its own rules.
//! * [`mirror`] – what a mirror holds and lacks, where a cluster looks for an image, what changed.
//! * [`report`] – the published view models, and a renderer for each format.
//! * [`emit`] – report directories that appear at once, and their digests.
//! * [`cache`] – facts of earlier runs, by what they were made from.
//! * [`pipeline`] – the work list, threads, and the scan as a whole.
//! * [`cli`] – arguments, environment, terminal, exit codes.

pub mod bundle;
pub mod cache;
pub mod catalog;
pub mod cli;
pub mod cluster;
pub mod codec;
pub mod config;
pub mod emit;
pub mod engines;
pub mod finding;
pub mod graph;
pub mod mirror;
pub mod payload;
pub mod pipeline;
pub mod reference;
pub mod report;
pub mod source;
pub mod version;
