//! Tests of the library through its public interface.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test may fail loudly and say what it skipped"
)]

mod real_codec;
