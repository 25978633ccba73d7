//! Extracting nodes into a subgraph, and inlining subgraphs.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

#[path = "parts/cases.rs"]
mod cases;
#[path = "parts/laws.rs"]
mod laws;
#[path = "parts/nodes.rs"]
mod nodes;
#[path = "parts/refused.rs"]
mod refused;
