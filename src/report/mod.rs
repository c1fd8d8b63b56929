//! The view models and one renderer a format.
pub mod route_map;
pub mod schema;
