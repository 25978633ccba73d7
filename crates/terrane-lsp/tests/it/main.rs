//! Tests of the server as an editor uses it, and of its proposals on the graphs of this repository.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod damaged;
mod features;
mod graphs;
mod order;
mod proposals;
mod session;
mod sessions;
mod slips;
mod written;
