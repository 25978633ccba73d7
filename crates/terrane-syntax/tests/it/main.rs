//! Tests over the public interface, in one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod brackets;
mod laws;
mod read;
mod syntax_errors;
