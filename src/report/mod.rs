//! The view models and one renderer a format.
//!
//! Every renderer is a pure function of view models: it reads no file, no clock and no environment, and it either shows
//! each finding or says how many it left out and where they are.
//! Cost: each renderer says its own.

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
mod sample_mirror;
#[cfg(test)]
mod total;
