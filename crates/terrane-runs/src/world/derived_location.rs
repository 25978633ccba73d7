//! The locations of nodes that a world adds to the graph of its patches.

use std::sync::Arc;

use terrane_flow::{Location, Node};

/// The location of a node derived from another: that of the original node in the text, without locations of
/// values, since none are written there.
pub fn derived_location(from: Option<&Location>, node: &dyn Node) -> Option<Location> {
    let spec = node.spec();
    from.map(|from| Location {
        inputs: vec![None; spec.inputs.len()],
        params: vec![None; spec.params.len()],
        scope: Arc::default(),
        ..from.clone()
    })
}
