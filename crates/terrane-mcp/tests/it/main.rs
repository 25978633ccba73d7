//! Tests of the server, over its messages.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod client;
mod files;
mod fuzz;
mod llms;
mod questions;
mod sessions;
