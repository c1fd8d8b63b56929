//! Tests of the engines: worked examples row by row, the rules one by one, and random packages against second versions
//! that follow upstream's text slowly and obviously.

mod advice;
mod answers;
mod catalogs;
mod examples;
mod first_install;
mod olm_v0;
mod olm_v1;
mod properties;
mod random;
pub(crate) mod sketch;
mod slow;
