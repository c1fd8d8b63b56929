//! The view models and one renderer a format.
pub mod html;
pub mod place;
pub mod prose;
pub mod route_map;
pub mod schema;
