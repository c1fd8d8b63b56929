//! What was noticed about an input: codes and evidence, and how completely each input was read.
mod digest;

pub use digest::{Digest, DigestError};
