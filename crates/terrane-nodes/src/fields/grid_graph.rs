//! Graphs of squares.

use terrane_fields::sectioning::grid_graph;
use terrane_flow::{Context, Evaluate, Invalid, Node, NodeError, Sizes};

use super::support::{check_fields, generated};
use crate::support::seed;
use crate::values::Graph;

/// A planar graph of square fields in columns and rows, whose nodes can be displaced at random.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 2.0, seed: 7,
///     nodes: {
///         "graph": GridGraph(columns: 4, rows: 4, cell: 60.0, jitter: 0.2, corner: (8, 8)),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 15), to: (0, 1)),
///     },
///     outputs: { "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "squares rectangles chessboard tiles cells regions regular quads blocks",
    tiles = Pointwise, paper = "Mijailovic, section 5.1")]
#[output(graph: Graph, doc = "The graph.")]
pub struct GridGraph {
    /// Number of fields along x.
    #[param(default = 4, min = 1, max = 16384)]
    pub columns: u32,
    /// Number of fields along y.
    #[param(default = 4, min = 1, max = 16384)]
    pub rows: u32,
    /// Side of a field.
    #[param(default = 64.0, above = 0.0, unit = "world units")]
    pub cell: f64,
    /// Maximum displacement of nodes along x and y, as a fraction of the side of a field. Below a quarter,
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

impl Evaluate for GridGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let seed = seed(cx, self.seed);
        let mut graph =
            generated(grid_graph(self.columns as usize, self.rows as usize, self.cell, self.jitter, seed))?;
        graph.shift(self.corner);
        Ok((graph,))
    }

    fn check(&self) -> Result<(), Invalid> {
        check_fields(self.columns, self.rows)
    }

    /// Each node has a position and about two edges.
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        Some(32 * self.nodes())
    }

    /// Measured memory for the lookup of nodes and edges.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        58 * self.nodes()
    }
}

impl GridGraph {
    fn nodes(&self) -> u64 {
        u64::from(self.columns + 1) * u64::from(self.rows + 1)
    }
}
