//! Triangulations of points, and graphs of their edges.

use spade::{DelaunayTriangulation, Point2, Triangulation};
use terrane_grid::{PlanarGraph, Seed, unit_f64};

use super::edit::merge_near;
use super::generate::{GenerateError, MOST_FIELDS, scattered};

/// Edges between neighbours in a Delaunay triangulation of [`scattered`] points, each kept with probability
/// `share`. Such a graph has dead ends, bridges, fields inside fields and nodes without edges.
///
/// # Errors
/// [`GenerateError::Bounds`], [`GenerateError::Share`], [`GenerateError::Size`].
pub fn random_graph(
    nodes: usize,
    share: f64,
    low: (f64, f64),
    high: (f64, f64),
    seed: Seed,
) -> Result<PlanarGraph, GenerateError> {
    if !(0.0..=1.0).contains(&share) {
        return Err(GenerateError::Share);
    }
    if nodes > MOST_FIELDS {
        return Err(GenerateError::Size);
    }
    let mut graph = PlanarGraph { nodes: scattered(nodes, low, high, seed.part(0))?, edges: Vec::new() };
    // Equal positions are practically never drawn, but would be an invalid graph.
    merge_near(&mut graph, 0.0)?;
    let lattice = seed.part(1).lattice();
    let kept = |&(a, b): &(u32, u32)| unit_f64(lattice.bits(i64::from(a), i64::from(b))) < share;
    graph.edges = delaunay_edges(&graph.nodes)?.into_iter().filter(kept).collect();
    Ok(graph)
}

/// The triangulation of points, each with its number.
pub(super) fn delaunay(positions: &[(f64, f64)]) -> Result<DelaunayTriangulation<Numbered>, GenerateError> {
    let numbered =
        positions.iter().zip(0..).map(|(&(x, y), number)| Numbered { position: Point2::new(x, y), number });
    DelaunayTriangulation::bulk_load(numbered.collect()).map_err(|_| GenerateError::TooFine)
}

/// Pairs of neighbouring points, the lower number first, in order.
pub(super) fn delaunay_edges(positions: &[(f64, f64)]) -> Result<Vec<(u32, u32)>, GenerateError> {
    let triangulation = delaunay(positions)?;
    let numbers = triangulation.undirected_edges().map(|edge| edge.vertices().map(|end| end.data().number));
    let mut edges: Vec<(u32, u32)> = numbers.map(|[a, b]| (a.min(b), a.max(b))).collect();
    edges.sort_unstable();
    Ok(edges)
}

/// A point and its number.
pub(super) struct Numbered {
    position: Point2<f64>,
    pub(super) number: u32,
}

impl spade::HasPosition for Numbered {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.position
    }
}
