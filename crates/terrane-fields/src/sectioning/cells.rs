//! Cells around sites as a graph: the dual of a triangulation, clipped to bounds.

use spade::handles::DirectedEdgeHandle;
use spade::{DelaunayTriangulation, Triangulation};
use terrane_grid::PlanarGraph;

use super::edit::{merge_near, split_crossings};
use super::generate::{GenerateError, check_bounds};
use super::triangulation::{Numbered, delaunay};
use crate::Progress;
use terrane_paths::planar::Order;

/// Nodes closer to each other than this fraction of the longer side are merged, and nodes as close to the
/// bounds are moved onto them. Otherwise four sites on a circle would give two nodes that differ by rounding.
const MERGED: f64 = 1.0 / (1u64 << 30) as f64;

/// The borders between the parts of a rectangle that are nearest to each site, and the sides of the
/// rectangle. Every site has one field, if sites are no closer to each other than about 10⁻⁹ of the
/// rectangle. O(sites · log sites).
///
/// # Errors
/// [`GenerateError::Bounds`], [`GenerateError::Site`], [`GenerateError::TooFine`];
/// [`GenerateError::Cancelled`] when `progress` cancels, which is checked between steps.
pub fn voronoi_graph(
    sites: &[(f64, f64)],
    low: (f64, f64),
    high: (f64, f64),
    progress: &dyn Progress,
) -> Result<PlanarGraph, GenerateError> {
    check_bounds(low, high)?;
    let bounds = Bounds { low, high };
    if let Some(site) = sites.iter().position(|&site| !bounds.hold(site)) {
        return Err(GenerateError::Site(site));
    }
    check_twice(sites)?;
    progress.check()?;
    let triangulation = delaunay(sites)?;
    progress.report(0.3)?;
    let mut graph = borders(sites, &triangulation, &bounds);
    progress.report(0.5)?;
    graph.nodes.extend([low, (high.0, low.1), high, (low.0, high.1)]);
    let distance = (high.0 - low.0).max(high.1 - low.1) * MERGED;
    graph.nodes.iter_mut().for_each(|node| *node = bounds.snap(*node, distance));
    merge_near(&mut graph, distance)?;
    add_sides(&mut graph, &bounds);
    progress.report(0.7)?;
    // Rounding may have made borders cross.
    split_crossings(&mut graph)?;
    Ok(graph)
}

fn check_twice(sites: &[(f64, f64)]) -> Result<(), GenerateError> {
    let graph = PlanarGraph { nodes: sites.to_vec(), edges: Vec::new() };
    let order = Order::of(&graph).nodes;
    let twice = order.windows(2).filter(|pair| sites[pair[0] as usize] == sites[pair[1] as usize]);
    let first = twice.map(|pair| pair[1] as usize).min();
    first.map_or(Ok(()), |site| Err(GenerateError::Site(site)))
}

struct Bounds {
    low: (f64, f64),
    high: (f64, f64),
}

impl Bounds {
    fn hold(&self, (x, y): (f64, f64)) -> bool {
        (self.low.0..=self.high.0).contains(&x) && (self.low.1..=self.high.1).contains(&y)
    }

    /// The position moved onto the sides that it is close to.
    fn snap(&self, (x, y): (f64, f64), distance: f64) -> (f64, f64) {
        let snap = |value: f64, low: f64, high: f64| match value {
            value if value <= low + distance => low,
            value if value >= high - distance => high,
            value => value,
        };
        (snap(x, self.low.0, self.high.0), snap(y, self.low.1, self.high.1))
    }

    /// The part of a line inside, as multiples of its direction.
    fn cut(&self, from: (f64, f64), (dx, dy): (f64, f64)) -> Option<(f64, f64)> {
        let (mut first, mut last) = (f64::NEG_INFINITY, f64::INFINITY);
        for (from, step, low, high) in
            [(from.0, dx, self.low.0, self.high.0), (from.1, dy, self.low.1, self.high.1)]
        {
            if step != 0.0 {
                let (a, b) = ((low - from) / step, (high - from) / step);
                (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
            } else if !(low..=high).contains(&from) {
                return None;
            }
        }
        (first < last).then_some((first, last))
    }
}

/// The borders between cells, clipped to bounds.
fn borders(
    sites: &[(f64, f64)],
    triangulation: &DelaunayTriangulation<Numbered>,
    bounds: &Bounds,
) -> PlanarGraph {
    let mut graph = PlanarGraph::default();
    // Per triangle, the node where its three cells meet, if it is inside.
    let mut nodes = vec![None; triangulation.num_all_faces()];
    for face in triangulation.inner_faces() {
        let position = center(face.vertices().map(|corner| sites[corner.data().number as usize]));
        if bounds.hold(position) {
            nodes[face.fix().index()] = Some(graph.nodes.len() as u32);
            graph.nodes.push(position);
        }
    }
    for edge in triangulation.undirected_edges() {
        let edge = edge.as_directed();
        let [p, q] = edge.vertices().map(|end| sites[end.data().number as usize]);
        let middle = (p.0 + (q.0 - p.0) / 2.0, p.1 + (q.1 - p.1) / 2.0);
        let left = (p.1 - q.1, q.0 - p.0);
        let (from, to) = (-reach(edge.rev(), sites), reach(edge, sites));
        let ends = (nodes[edge.rev().face().fix().index()], nodes[edge.face().fix().index()]);
        let inside = bounds.cut(middle, left);
        if ends == (None, None) && inside.is_none_or(|(first, last)| to.min(last) <= from.max(first)) {
            continue;
        }
        let mut node = |known: Option<u32>, along: f64| {
            known.unwrap_or_else(|| {
                graph.nodes.push((middle.0 + along * left.0, middle.1 + along * left.1));
                graph.nodes.len() as u32 - 1
            })
        };
        // An end that is not inside is beyond the bounds.
        let (first, last) = inside.unwrap_or((0.0, 0.0));
        let ends = (node(ends.0, first), node(ends.1, last));
        graph.edges.push(ends);
    }
    graph
}

/// How far the border between the cells of an edge's two ends extends to the left of the edge's middle, in
/// multiples of the edge's length. It ends at the circumcentre of the triangle there, or extends infinitely.
fn reach(edge: DirectedEdgeHandle<Numbered, (), (), ()>, sites: &[(f64, f64)]) -> f64 {
    let Some(opposite) = edge.opposite_vertex() else { return f64::INFINITY };
    let [p, q] = edge.vertices().map(|end| sites[end.data().number as usize]);
    let r = sites[opposite.data().number as usize];
    let ((ax, ay), (bx, by)) = ((p.0 - r.0, p.1 - r.1), (q.0 - r.0, q.1 - r.1));
    (ax * bx + ay * by) / (2.0 * (ax * by - ay * bx))
}

/// The point equidistant from three points.
fn center([a, b, c]: [(f64, f64); 3]) -> (f64, f64) {
    let ((bx, by), (cx, cy)) = ((b.0 - a.0, b.1 - a.1), (c.0 - a.0, c.1 - a.1));
    let (b2, c2, twice) = (bx * bx + by * by, cx * cx + cy * cy, 2.0 * (bx * cy - by * cx));
    (a.0 + (cy * b2 - by * c2) / twice, a.1 + (bx * c2 - cx * b2) / twice)
}

/// Connects the nodes along each side of the bounds.
fn add_sides(graph: &mut PlanarGraph, Bounds { low, high }: &Bounds) {
    let order = Order::of(graph).nodes;
    let on: [&dyn Fn((f64, f64)) -> bool; 4] =
        [&|(_, y)| y == low.1, &|(x, _)| x == high.0, &|(_, y)| y == high.1, &|(x, _)| x == low.0];
    for on in on {
        let side: Vec<u32> = order.iter().copied().filter(|&node| on(graph.nodes[node as usize])).collect();
        graph.edges.extend(side.windows(2).map(|pair| (pair[0], pair[1])));
    }
}
