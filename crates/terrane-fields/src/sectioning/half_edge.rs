//! Edges as two halves, one in each direction, and their successors.

use crate::parallel::{elements, for_each};
use terrane_grid::PlanarGraph;

use super::diamond::{compare_directions, diamond_angle};
use terrane_paths::planar::{GraphError, NONE, check_graph};

/// The half-edges of a graph: edge e has half 2e from its first node to its second, and half 2e + 1 in the
/// other direction.
///
/// The next half-edge along a face takes the sharpest turn. At the node where a half-edge ends, it is the
/// half-edge that follows clockwise after the twin. So a face is to the left of its half-edges, and is walked
/// counter-clockwise. Throughout this module, x points right and y up. In a picture, where y grows downwards,
/// the same walk is clockwise.
#[derive(Clone, Debug, PartialEq)]
pub struct HalfEdges {
    origins: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Half-edges that leave each node, node by node.
    around: Vec<u32>,
    /// Per node, the offset in `around` at which its half-edges begin.
    begin: Vec<u32>,
}

impl HalfEdges {
    /// The half-edges of a graph. O(edges · log edges).
    ///
    /// # Errors
    /// The error that [`check_graph`] returns.
    pub fn new(graph: &PlanarGraph) -> Result<Self, GraphError> {
        check_graph(graph)?;
        Ok(Self::of_checked(graph))
    }

    /// The half-edges of a graph that has passed [`check_graph`].
    pub(super) fn of_checked(graph: &PlanarGraph) -> Self {
        let origins: Vec<u32> = graph.edges.iter().flat_map(|&(a, b)| [a, b]).collect();
        let (mut around, begin) = leaving(&origins, graph.nodes.len());
        sort_all(graph, &origins, &mut around, &begin);
        let (mut next, mut previous) = (vec![NONE; origins.len()], vec![NONE; origins.len()]);
        for ends in begin.windows(2) {
            let around = &around[ends[0] as usize..ends[1] as usize];
            for (at, &leaving) in around.iter().enumerate() {
                // The walk arrives along the twin of the half-edge next counter-clockwise.
                let came = around[if at + 1 == around.len() { 0 } else { at + 1 }] ^ 1;
                next[came as usize] = leaving;
                previous[leaving as usize] = came;
            }
        }
        Self { origins, next, previous, around, begin }
    }

    /// The number of half-edges: two per edge.
    #[must_use]
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Whether there are no half-edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    /// The node where a half-edge begins.
    #[must_use]
    pub fn origin(&self, half: u32) -> u32 {
        self.origins[half as usize]
    }

    /// The node where a half-edge ends.
    #[must_use]
    pub fn target(&self, half: u32) -> u32 {
        self.origins[Self::twin(half) as usize]
    }

    /// The half-edge in the other direction.
    #[must_use]
    pub const fn twin(half: u32) -> u32 {
        half ^ 1
    }

    /// The next half-edge along the face to its left.
    #[must_use]
    pub fn next(&self, half: u32) -> u32 {
        self.next[half as usize]
    }

    /// The previous half-edge along the face to its left.
    #[must_use]
    pub fn previous(&self, half: u32) -> u32 {
        self.previous[half as usize]
    }

    /// The half-edges that leave a node, counter-clockwise from the x axis.
    #[must_use]
    pub fn around(&self, node: u32) -> &[u32] {
        &self.around[self.begin[node as usize] as usize..self.begin[node as usize + 1] as usize]
    }

    /// The half-edges along one boundary, starting at a given one.
    pub fn walk(&self, first: u32) -> impl Iterator<Item = u32> {
        let on = move |&half: &u32| Some(self.next(half)).filter(|&next| next != first);
        std::iter::successors(Some(first), on)
    }

    /// Per half-edge, the number of its boundary, and the number of boundaries. Boundaries are counted from 0
    /// in the order of their first half-edges.
    #[must_use]
    pub fn boundaries(&self) -> (Vec<u32>, u32) {
        let (mut boundaries, mut count) = (vec![NONE; self.len()], 0);
        for first in 0..self.len() as u32 {
            if boundaries[first as usize] == NONE {
                self.walk(first).for_each(|half| boundaries[half as usize] = count);
                count += 1;
            }
        }
        (boundaries, count)
    }
}

/// The half-edges grouped by the node they leave, in ascending order, and the offset of each node's group.
fn leaving(origins: &[u32], nodes: usize) -> (Vec<u32>, Vec<u32>) {
    let mut begin = vec![0; nodes + 1];
    for &origin in origins {
        begin[origin as usize + 1] += 1;
    }
    for node in 0..nodes {
        begin[node + 1] += begin[node];
    }
    let (mut around, mut position) = (vec![0; origins.len()], begin.clone());
    for (&origin, half) in origins.iter().zip(0..) {
        around[position[origin as usize] as usize] = half;
        position[origin as usize] += 1;
    }
    (around, begin)
}

/// Nodes per sorting task.
const NODES: usize = 1 << 12;

/// Sorts the half-edges of every node.
fn sort_all(graph: &PlanarGraph, origins: &[u32], mut around: &mut [u32], begin: &[u32]) {
    let mut parts = Vec::new();
    for first in (0..graph.nodes.len()).step_by(NODES) {
        let nodes = first..(first + NODES).min(graph.nodes.len());
        let (part, rest) = around.split_at_mut((begin[nodes.end] - begin[first]) as usize);
        parts.push((nodes, part));
        around = rest;
    }
    for_each(elements(&mut parts), 1, |_, (nodes, part)| {
        let (offset, mut sorted) = (begin[nodes.start], Vec::new());
        for node in nodes {
            let range = (begin[node] - offset) as usize..(begin[node + 1] - offset) as usize;
            sort_around(graph, origins, node, &mut part[range], &mut sorted);
        }
    });
}

/// Sorts the half-edges that leave a node counter-clockwise.
fn sort_around(
    graph: &PlanarGraph,
    origins: &[u32],
    node: usize,
    around: &mut [u32],
    sorted: &mut Vec<(f64, u32)>,
) {
    let here = graph.nodes[node];
    let position = |half: u32| graph.nodes[origins[(half ^ 1) as usize] as usize];
    let angle = |half: u32| {
        let there = position(half);
        diamond_angle(there.0 - here.0, there.1 - here.1).unwrap_or_default()
    };
    sorted.clear();
    sorted.extend(around.iter().map(|&half| (angle(half), half)));
    sorted.sort_unstable_by(|a, b| compare_directions(here, (position(a.1), position(b.1)), (a.0, b.0)));
    for (half, sorted) in around.iter_mut().zip(sorted) {
        *half = sorted.1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // 3---2    A square with one diagonal, from 0 to 2.
    // | / |
    // 0---1
    fn halved() -> HalfEdges {
        let nodes = vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
        HalfEdges::new(&PlanarGraph { nodes, edges: vec![(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)] }).unwrap()
    }

    #[test]
    fn halves_go_around_nodes_and_faces() {
        let halves = halved();
        assert_eq!((halves.len(), halves.is_empty()), (10, false));
        assert_eq!(halves.around(0), [0, 8, 7]);
        assert_eq!(halves.around(2), [4, 9, 3]);
        assert_eq!(halves.walk(0).collect::<Vec<_>>(), [0, 2, 9]);
        assert_eq!(halves.walk(8).collect::<Vec<_>>(), [8, 4, 6]);
        assert_eq!(halves.walk(1).collect::<Vec<_>>(), [1, 7, 5, 3]);
        assert_eq!((halves.origin(9), halves.target(9)), (2, 0));
        assert_eq!(halves.boundaries(), (vec![0, 1, 0, 1, 2, 1, 2, 1, 2, 0], 3));
    }

    #[test]
    fn each_half_has_one_before_and_one_after() {
        let halves = halved();
        for half in 0..10 {
            assert_eq!(halves.previous(halves.next(half)), half);
            assert_eq!(halves.origin(halves.next(half)), halves.target(half));
            assert_eq!(HalfEdges::twin(HalfEdges::twin(half)), half);
        }
    }

    /// Spokes that differ in the last bit: their rounded angles are equal.
    #[test]
    fn spokes_a_bit_apart_are_in_order() {
        let mut y = 0.1f64;
        let mut nodes = vec![(0.0, 0.0)];
        for _ in 0..9 {
            nodes.push((1.0, y));
            y = y.next_up();
        }
        let edges = [5, 2, 8, 1, 9, 4, 7, 3, 6].into_iter().map(|node| (0, node)).collect();
        let halves = HalfEdges::new(&PlanarGraph { nodes, edges }).unwrap();
        let targets: Vec<u32> = halves.around(0).iter().map(|&half| halves.target(half)).collect();
        assert_eq!(targets, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn bad_graphs_have_no_halves() {
        let nodes = vec![(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)];
        let crossing = PlanarGraph { nodes, edges: vec![(0, 1), (2, 3)] };
        assert_eq!(HalfEdges::new(&crossing), Err(GraphError::Cross { edges: (0, 1) }));
        assert!(HalfEdges::new(&PlanarGraph::default()).unwrap().is_empty());
    }
}
