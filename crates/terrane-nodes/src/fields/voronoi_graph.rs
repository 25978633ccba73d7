//! Graphs of Voronoi cells.

use terrane_fields::sectioning::{scattered, voronoi_graph};
use terrane_flow::{Context, Evaluate, Node, NodeError, Sizes};

use super::support::{corners, generated};
use crate::support::{Report, domain, seed};
use crate::values::Graph;

/// A planar graph of Voronoi cells around sites, bounded by the map's border.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 2.0, seed: 7,
///     nodes: {
///         "graph": VoronoiGraph(count: 24),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 23), to: (0, 1)),
///     },
///     outputs: { "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "cells regions polygons sites provinces map zones",
    tiles = Global, because = "its nodes lie anywhere on the map", header)]
#[output(graph: Graph, doc = "The graph.")]
pub struct VoronoiGraph {
    /// Sites as (x, y). Default: `count` random sites.
    #[param(default = Vec::new(), unit = "world units", place)]
    pub sites: Vec<(f64, f64)>,
    /// Number of random sites.
    #[param(default = 32, min = 1, max = 262144)]
    pub count: u32,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for VoronoiGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (low, high) = corners(&domain(cx));
        let sites = if self.sites.is_empty() {
            scattered(self.count as usize, low, high, seed(cx, self.seed))
        } else {
            Ok(self.sites.clone())
        };
        Ok((generated(sites.and_then(|sites| voronoi_graph(&sites, low, high, &Report(cx))))?,))
    }

    /// Each cell has about two corners and three borders.
    fn output_bytes(&self, _output: usize, _sizes: &Sizes<'_>) -> Option<u64> {
        Some(56 * self.cells())
    }

    /// Measured memory for cells, their corners and borders.
    fn extra_bytes(&self, _sizes: &Sizes<'_>) -> u64 {
        344 * self.cells()
    }
}

impl VoronoiGraph {
    fn cells(&self) -> u64 {
        if self.sites.is_empty() { u64::from(self.count) } else { self.sites.len() as u64 }
    }
}
