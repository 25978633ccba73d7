//! Tests over the public interface, in one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod changing_files;
mod engine;
mod load_bounds;
mod messages;
mod parts;
mod reported_once;
mod slots;
