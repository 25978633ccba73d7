//! Where nodes stand that a world puts into the graph of its patches.

use std::sync::Arc;

use terrane_flow::{Location, Node};

/// The place of a node that is made from another: it is told of where that one stands in the text, and none
/// of its values are written there.
pub fn unwritten(from: Option<&Location>, node: &dyn Node) -> Option<Location> {
    let spec = node.spec();
    from.map(|from| Location {
        inputs: vec![None; spec.inputs.len()],
        params: vec![None; spec.params.len()],
        scope: Arc::default(),
        ..from.clone()
    })
}
