//! Extracting nodes into a subgraph, and inlining subgraphs.

mod cases;
mod laws;
mod nodes;
mod refused;
