//! Tests of the whole map: views in, SVG read back.

mod facts;
mod folds;
mod properties;
mod reader;
mod sketch;
mod troubles;
