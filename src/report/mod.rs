//! The view models and one renderer a format.
//!
//! Every renderer is a pure function of view models: it reads no file, no clock and no environment, and it either shows
//! each finding or says how many it left out and where they are.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod openapi;
mod phrase;
pub mod place;
pub mod prose;
pub mod route_map;
pub mod sarif;
pub mod schema;
pub mod text;
pub mod view;
mod walk;

#[cfg(test)]
mod sample;
#[cfg(test)]
mod total;

/// Where a report holds every finding, relative to the report: what a renderer with a limit points at.
pub const ALL_FINDINGS: &str = "api/v1/findings.json";
