//! The locations of nodes that a world adds to the graph of its patches.

use std::sync::Arc;

use terrane_flow::{Location, Node};

/// The location of a node that was derived from another node. It is the location of the original node in the
/// text. The values of the derived node have no locations, because the text does not contain them.
pub fn derived_location(from: Option<&Location>, node: &dyn Node) -> Option<Location> {
    let spec = node.spec();
    from.map(|from| Location {
        inputs: vec![None; spec.inputs.len()],
        params: vec![None; spec.params.len()],
        scope: Arc::default(),
        ..from.clone()
    })
}
