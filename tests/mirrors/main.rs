//! Reads one catalog, one bundle and one payload through every shape in which mirrors lie, written by the tools that write
//! them: skopeo, umoci, docker-registry. What the API says must be the same, byte for byte.
//!
//! Not part of a plain `cargo test`, because those tools must be there: `tests/all.sh` installs them and runs
//! `cargo test --test mirrors`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod archives;
mod live;
mod oc_mirror;
mod registry;
mod report;
mod samples;
mod shapes;
mod tools;
