//! Random planar graphs.

use terrane_fields::sectioning::random_graph;
use terrane_flow::{Context, Evaluate, Node, NodeError, Sizes};

use super::support::{corners, generated};
use crate::support::{domain, seed};
use crate::values::Graph;

/// A random planar graph of nodes scattered over the map, with edges between nearby nodes.
///
/// The graph can have dead ends, bridges, and fields inside fields.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 2.0, seed: 7,
///     nodes: {
///         "graph": RandomGraph(count: 60, share: 0.7),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 40), to: (0, 1)),
///     },
///     outputs: { "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "random regions network nodes edges scattered map delaunay triangulation",
    tiles = Global, because = "its nodes lie anywhere on the map", header)]
#[output(graph: Graph, doc = "The graph.")]
pub struct RandomGraph {
    /// Number of nodes.
    #[param(default = 64, min = 3, max = 262144)]
    pub count: u32,
    /// Share of edges to keep, out of the edges of a triangulation of the nodes.
    #[param(default = 0.8, min = 0.0, max = 1.0)]
    pub share: f64,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for RandomGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (low, high) = corners(&domain(cx));
        let graph = random_graph(self.count as usize, self.share, low, high, seed(cx, self.seed));
        Ok((generated(graph)?,))
    }

    /// Each node has about three edges.
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        Some(40 * u64::from(self.count))
    }

    /// Measured memory for the triangles.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        160 * u64::from(self.count)
    }
}
