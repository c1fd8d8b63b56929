//! Tests of the library through its public interface.

mod real_codec;
