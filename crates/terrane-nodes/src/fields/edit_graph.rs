//! Editing of graphs.

use terrane_fields::sectioning::{
    EditError, add_edge, add_node, merge_near, move_node, remove_edge, remove_node, split_at_nodes,
    split_crossings,
};
use terrane_flow::{Context, Evaluate, Input, Node, NodeError};

use super::support::bare;
use crate::values::Graph;

/// Edits a graph: moves, adds and removes nodes and edges, merges nodes that are close together, and turns
/// crossings into nodes, in this order.
///
/// Parameters refer to nodes and edges by their numbers in the input graph. Added nodes and edges get the
/// next numbers. All additions come before removals. A node that lies on an edge divides this edge.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 1.0, seed: 7,
///     nodes: {
///         "cross": PlanarGraph(
///             nodes: [(10, 10), (118, 12), (115, 118), (12, 112)], planar: false,
///             edges: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)],
///         ),
///         "graph": EditGraph(graph: "cross", moved: [(2, 100, 100)]),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 3), to: (0, 1)),
///     },
///     outputs: { "graph.json": "graph", "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "move add remove delete merge nodes edges change modify weld snap",
    tiles = Pointwise, paper = "Mijailovic, section 3.1")]
#[output(graph: Graph, doc = "The edited graph.")]
pub struct EditGraph {
    /// The graph.
    #[input]
    pub graph: Input<Graph>,
    /// Nodes to move, as (node, x, y).
    #[param(default = Vec::new(), unit = "world units")]
    pub moved: Vec<(u32, f64, f64)>,
    /// Nodes to add, as (x, y).
    #[param(default = Vec::new(), unit = "world units", place)]
    pub nodes: Vec<(f64, f64)>,
    /// Edges to add, as pairs of nodes.
    #[param(default = Vec::new())]
    pub edges: Vec<(u32, u32)>,
    /// Edges to remove, by number.
    #[param(default = Vec::new())]
    pub without_edges: Vec<u32>,
    /// Nodes to remove, with their edges.
    #[param(default = Vec::new())]
    pub without_nodes: Vec<u32>,
    /// Distance within which nodes are merged, and within which a node divides an edge. It applies to the
    /// whole graph, not only to the edited parts.
    #[param(default = 0.0, min = 0.0, unit = "world units")]
    pub merge: f64,
    /// Whether to turn crossings into nodes.
    #[param(default = true)]
    pub split: bool,
}

impl Evaluate for EditGraph {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut plane = self.graph.get().plane.clone();
        self.edit(&mut plane).map_err(|error| {
            NodeError::failed(error.to_string(), "numbers are those of the input graph, counted from 0")
        })?;
        Ok((bare(plane),))
    }
}

impl EditGraph {
    fn edit(&self, plane: &mut terrane_grid::PlanarGraph) -> Result<(), EditError> {
        self.moved.iter().try_for_each(|&(node, x, y)| move_node(plane, node, (x, y)))?;
        self.nodes.iter().try_for_each(|&place| add_node(plane, place).map(|_| ()))?;
        self.edges.iter().try_for_each(|&(a, b)| add_edge(plane, a, b).map(|_| ()))?;
        // Sorts numbers in descending order, because a removal changes the numbers of all later items.
        let down = |numbers: &[u32]| {
            let mut numbers = numbers.to_vec();
            numbers.sort_unstable_by(|a, b| b.cmp(a));
            numbers.dedup();
            numbers
        };
        down(&self.without_edges).into_iter().try_for_each(|edge| remove_edge(plane, edge))?;
        down(&self.without_nodes).into_iter().try_for_each(|node| remove_node(plane, node))?;
        if self.merge > 0.0 {
            merge_near(plane, self.merge)?;
            split_at_nodes(plane, self.merge)?;
        }
        if self.split {
            split_crossings(plane)?;
        }
        Ok(())
    }
}
