//! Wires, and the names of nodes and inputs, for drawings of graphs.

use terrane_flow::{Graph, Plan};

/// The wires of a graph: from node and output, to node and input, by position.
pub fn wires(plan: &Plan) -> impl Iterator<Item = (usize, usize, usize, usize)> + '_ {
    let of = |(reader, wires): (usize, &'_ Vec<terrane_flow::Wire>)| {
        wires.iter().map(move |wire| (wire.node, wire.output, reader, wire.input)).collect::<Vec<_>>()
    };
    plan.wires.iter().enumerate().flat_map(of)
}

/// A node's name and type.
pub fn label(graph: &Graph, node: usize) -> (&str, &'static str) {
    graph.nodes.get_index(node).map_or(("", ""), |(name, node)| (name.as_str(), node.node().spec().name))
}

/// The name of a node's input.
pub fn input_name(graph: &Graph, node: usize, input: usize) -> &'static str {
    graph.nodes[node].node().spec().inputs[input].name
}
