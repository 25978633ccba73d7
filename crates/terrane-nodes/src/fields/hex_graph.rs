//! Graphs of hexagons.

use terrane_fields::sectioning::hex_graph;
use terrane_flow::{Context, Evaluate, Invalid, Node, NodeError, Sizes};

use super::support::{check_fields, generated};
use crate::support::seed;
use crate::values::Graph;

/// A planar graph of hexagons in columns and rows, whose nodes can be displaced at random.
///
/// Every second row is shifted to the right by half a hexagon.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 2.0, seed: 7,
///     nodes: {
///         "graph": HexGraph(columns: 4, rows: 4, side: 32.0, jitter: 0.1, corner: (8, 8)),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 15), to: (0, 1)),
///     },
///     outputs: { "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "hexagons honeycomb hex tiles cells regions strategy",
    tiles = Pointwise)]
#[output(graph: Graph, doc = "The graph.")]
pub struct HexGraph {
    /// Number of hexagons along x.
    #[param(default = 4, min = 1, max = 16384)]
    pub columns: u32,
    /// Number of hexagons along y.
    #[param(default = 4, min = 1, max = 16384)]
    pub rows: u32,
    /// Side of a hexagon.
    #[param(default = 32.0, above = 0.0, unit = "world units")]
    pub side: f64,
    /// Maximum displacement of nodes along x and y, as a fraction of the side of a hexagon. Below a quarter,
    /// edges cannot cross.
    #[param(default = 0.0, min = 0.0, max = 0.24)]
    pub jitter: f64,
    /// World position of the corner with the smallest x and y, before nodes are displaced.
    #[param(default = (0.0, 0.0), unit = "world units", place)]
    pub corner: (f64, f64),
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for HexGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let seed = seed(cx, self.seed);
        let mut graph =
            generated(hex_graph(self.columns as usize, self.rows as usize, self.side, self.jitter, seed))?;
        graph.shift(self.corner);
        Ok((graph,))
    }

    fn check(&self) -> Result<(), Invalid> {
        check_fields(self.columns, self.rows)
    }

    /// Each field has about two nodes and three edges.
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        Some(56 * u64::from(self.columns + 1) * u64::from(self.rows + 1))
    }

    /// Measured memory for the lookup of nodes and edges.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        94 * u64::from(self.columns + 1) * u64::from(self.rows + 1)
    }
}
