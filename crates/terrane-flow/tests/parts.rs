//! Nodes that move to a graph file of their own, and subgraphs that are taken apart.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

#[path = "parts/cases.rs"]
mod cases;
#[path = "parts/laws.rs"]
mod laws;
#[path = "parts/nodes.rs"]
mod nodes;
#[path = "parts/refused.rs"]
mod refused;
