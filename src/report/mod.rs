//! The view models and one renderer a format.
pub mod schema;
