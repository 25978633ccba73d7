//! Tests of the server as an editor uses it, and of its proposals on the graphs of this repository.

mod graphs;
mod proposals;
mod session;
mod sessions;
