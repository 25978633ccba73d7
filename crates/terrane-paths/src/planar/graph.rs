//! Checks that a graph is planar.

use rayon::prelude::*;
use terrane_grid::PlanarGraph;

use super::predicates::meet_elsewhere;
use super::sweep::{Order, sweep};

/// An error in a graph; nodes and edges are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GraphError {
    /// A node's position is NaN, infinite, or so far out (10¹⁵⁰) that predicates would not be exact.
    NotFinite {
        /// The node.
        node: usize,
    },
    /// An edge names a node that does not exist.
    NoSuchNode {
        /// The edge.
        edge: usize,
        /// The missing node.
        node: u32,
    },
    /// Both ends of an edge are the same node, or have the same position.
    NoLength {
        /// The edge.
        edge: usize,
    },
    /// Two nodes have the same position.
    SamePlace {
        /// The nodes.
        nodes: (usize, usize),
    },
    /// Two edges join the same nodes.
    Twice {
        /// The edges.
        edges: (usize, usize),
    },
    /// Two edges meet at a point that is not a common end.
    Cross {
        /// The edges.
        edges: (usize, usize),
    },
}

impl std::fmt::Display for GraphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite { node } => {
                write!(f, "the position of node {node} is not finite, or beyond 10^150")
            }
            Self::NoSuchNode { edge, node } => {
                write!(f, "edge {edge} names node {node}, which does not exist")
            }
            Self::NoLength { edge } => write!(f, "edge {edge} has no length"),
            Self::SamePlace { nodes: (a, b) } => write!(f, "nodes {a} and {b} have the same position"),
            Self::Twice { edges: (a, b) } => write!(f, "edges {a} and {b} join the same nodes"),
            Self::Cross { edges: (a, b) } => {
                write!(f, "edges {a} and {b} meet at a point that is not a common end")
            }
        }
    }
}

impl std::error::Error for GraphError {}

/// Farther out than this, products of coordinates overflow and predicates would not be exact.
const FARTHEST: f64 = 1e150;

/// Whether a position is a number and not too far out.
pub fn is_place((x, y): (f64, f64)) -> bool {
    x.abs() <= FARTHEST && y.abs() <= FARTHEST
}

/// Checks exactly that no two edges of a graph meet except at common ends, and that there are no duplicates.
/// O(edges · log edges). If edges cross, the first pair that crosses is named. To find this pair, all pairs
/// whose extents along x overlap are checked, unless there are too many.
///
/// # Errors
/// The first [`GraphError`] in the order of nodes and edges; if too many edges overlap along x, any two that
/// cross.
pub fn check_graph(graph: &PlanarGraph) -> Result<(), GraphError> {
    swept(graph).map(|_| ())
}

/// The nodes in order of position, and for each node where an edge begins, the edge that [`sweep`] finds
/// below it.
///
/// # Errors
/// The same as for [`check_graph`].
pub fn swept(graph: &PlanarGraph) -> Result<(Order, Vec<u32>), GraphError> {
    if let Some(node) = graph.nodes.iter().position(|&place| !is_place(place)) {
        return Err(GraphError::NotFinite { node });
    }
    let order = Order::of(graph);
    check_nodes(graph, &order)?;
    check_edges(graph)?;
    match sweep(graph, &order) {
        Ok(below) => Ok((order, below)),
        Err((a, b)) => Err(GraphError::Cross { edges: crossing_pair(graph, (a as usize, b as usize)) }),
    }
}

/// Maximum number of pairs of edges that are checked to name the first pair that crosses. This takes a tenth
/// of a second.
const FEW: usize = 20_000_000;

/// The number of pairs of edges that overlap along x.
fn overlaps(graph: &PlanarGraph) -> usize {
    let ends = |&(a, b): &(u32, u32)| [a, b].map(|node| graph.nodes[node as usize].0);
    let mut lefts: Vec<f64> = graph.edges.iter().map(|edge| ends(edge)[0].min(ends(edge)[1])).collect();
    let mut rights: Vec<f64> = graph.edges.iter().map(|edge| ends(edge)[0].max(ends(edge)[1])).collect();
    lefts.par_sort_unstable_by(f64::total_cmp);
    rights.par_sort_unstable_by(f64::total_cmp);
    // An edge overlaps all edges that begin before it ends, except those that end before it begins.
    let begun = rights.iter().map(|&right| lefts.partition_point(|&left| left <= right));
    begun.enumerate().map(|(ended, begun)| begun.saturating_sub(ended + 1)).sum()
}

/// Two edges that cross: the first two, if they are found quickly, otherwise `found`, or a pair that contains
/// one edge of `found`.
fn crossing_pair(graph: &PlanarGraph, found: (usize, usize)) -> (usize, usize) {
    let pair = |a: usize, b: usize| (a.min(b), a.max(b));
    let cross = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|edge| graph.ends(edge).map(|(from, to)| [from, to]));
        a.zip(b).is_some_and(|(a, b)| meet_elsewhere(a, b))
    };
    if overlaps(graph) > FEW {
        if found.0 != found.1 && cross(found.0, found.1) {
            return pair(found.0, found.1);
        }
        let with = |edge: usize| (0..graph.edges.len()).find(|&other| other != edge && cross(edge, other));
        if let Some((edge, other)) = [found.0, found.1].into_iter().find_map(|edge| Some((edge, with(edge)?)))
        {
            return pair(edge, other);
        }
    }
    crossings(graph).min().unwrap_or_else(|| pair(found.0, found.1))
}

fn check_nodes(graph: &PlanarGraph, order: &Order) -> Result<(), GraphError> {
    let place = |node: u32| graph.nodes[node as usize];
    let same = order.nodes.windows(2).filter(|pair| place(pair[0]) == place(pair[1]));
    let same = same.map(|pair| (pair[0] as usize, pair[1] as usize));
    same.min().map_or(Ok(()), |nodes| Err(GraphError::SamePlace { nodes }))
}

fn check_edges(graph: &PlanarGraph) -> Result<(), GraphError> {
    let wrong = graph.edges.iter().enumerate().find_map(|(edge, &(a, b))| {
        let missing = [a, b].into_iter().find(|&node| node as usize >= graph.nodes.len());
        let none = (a == b).then_some(GraphError::NoLength { edge });
        missing.map(|node| GraphError::NoSuchNode { edge, node }).or(none).map(|error| (edge, error))
    });
    let mut keys: Vec<(u32, u32, usize)> =
        graph.edges.iter().enumerate().map(|(edge, &(a, b))| (a.min(b), a.max(b), edge)).collect();
    keys.par_sort_unstable();
    let twice = keys.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    let twice = twice.map(|pair| (pair[1].2, pair[0].2)).min();
    match (wrong, twice) {
        (Some((edge, error)), twice) if twice.is_none_or(|twice| edge <= twice.0) => Err(error),
        (_, Some((second, first))) => Err(GraphError::Twice { edges: (first, second) }),
        _ => Ok(()),
    }
}

/// All pairs of edges that meet at a point that is not a common end, the lower index first, in no particular
/// order. All their nodes must exist.
pub fn crossings(graph: &PlanarGraph) -> impl ParallelIterator<Item = (usize, usize)> {
    let mut boxes: Vec<(f64, f64, f64, f64, usize)> = Vec::with_capacity(graph.edges.len());
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let ((ax, ay), (bx, by)) = (graph.nodes[a as usize], graph.nodes[b as usize]);
        boxes.push((ax.min(bx), ax.max(bx), ay.min(by), ay.max(by), edge));
    }
    boxes.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.4.cmp(&b.4)));
    let ends = |edge: usize| {
        let (a, b) = graph.edges[edge];
        [graph.nodes[a as usize], graph.nodes[b as usize]]
    };
    (0..boxes.len()).into_par_iter().flat_map_iter(move |at| {
        let (_, right, low, high, edge) = boxes[at];
        let open = boxes[at + 1..].iter().take_while(|other| other.0 <= right);
        let near = open.filter(|other| other.2 <= high && low <= other.3).map(|other| other.4);
        let meet = near.filter(|&other| meet_elsewhere(ends(edge), ends(other)));
        meet.map(|other| (edge.min(other), edge.max(other))).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph(nodes: &[(f64, f64)], edges: &[(u32, u32)]) -> PlanarGraph {
        PlanarGraph { nodes: nodes.to_vec(), edges: edges.to_vec() }
    }

    #[test]
    fn planar_graphs_are_distinguished() {
        let square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (2.0, 2.0), (2.0, 0.0)];
        let check = |edges: &[(u32, u32)]| check_graph(&graph(&square, edges));
        assert_eq!(check(&[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 2)]), Ok(()));
        assert_eq!(check(&[(0, 2), (1, 3)]), Err(GraphError::Cross { edges: (0, 1) }));
        // A node in the middle of an edge, and edges on one line.
        assert_eq!(check(&[(0, 2), (1, 4)]), Err(GraphError::Cross { edges: (0, 1) }));
        assert_eq!(check(&[(0, 1), (0, 5)]), Err(GraphError::Cross { edges: (0, 1) }));
        assert_eq!(check(&[(0, 5), (5, 1)]), Ok(()));
        assert_eq!(check(&[(3, 3)]), Err(GraphError::NoLength { edge: 0 }));
        assert_eq!(check(&[(0, 1), (1, 0)]), Err(GraphError::Twice { edges: (0, 1) }));
        assert_eq!(check(&[(0, 9)]), Err(GraphError::NoSuchNode { edge: 0, node: 9 }));
    }

    #[test]
    fn among_many_edges_two_that_cross_are_named() {
        // A comb of long parallel edges, all of which overlap along x, and one edge across the last of them,
        // or a node on one.
        let count = 8192;
        let mut nodes: Vec<(f64, f64)> =
            (0..count).flat_map(|y| [(0.0, f64::from(y)), (1e4, f64::from(y))]).collect();
        let mut edges: Vec<(u32, u32)> = (0..count).map(|edge| (2 * edge, 2 * edge + 1)).collect();
        assert_eq!(overlaps(&graph(&nodes, &edges)), 8192 * 8191 / 2);
        assert_eq!(check_graph(&graph(&nodes, &edges)), Ok(()));
        let top = f64::from(count);
        nodes.extend([(4e3, top - 1.5), (5e3, top - 0.5), (4e3, top), (3e3, top - 3.0), (3e3, top - 2.5)]);
        for (from, to, other) in [(0, 1, count - 1), (3, 4, count - 3)] {
            edges.push((2 * count + from, 2 * count + to));
            let (other, last) = (other as usize, count as usize);
            let found = check_graph(&graph(&nodes, &edges));
            assert_eq!(found, Err(GraphError::Cross { edges: (other, last) }));
            edges.pop();
        }
    }

    #[test]
    fn invalid_nodes_are_named() {
        let twice = graph(&[(1.0, 2.0), (0.0, 0.0), (1.0, 2.0)], &[]);
        assert_eq!(check_graph(&twice), Err(GraphError::SamePlace { nodes: (0, 2) }));
        let none = graph(&[(0.0, 0.0), (f64::NAN, 0.0)], &[(0, 1)]);
        assert_eq!(check_graph(&none), Err(GraphError::NotFinite { node: 1 }));
    }

    /// Zeros of both signs are the same position, whatever lies between them in the order of bits.
    #[test]
    fn signs_of_zero_do_not_distinguish_positions() {
        let zeros = graph(&[(0.0, 1.0), (-0.0, 2.0), (-0.0, 1.0)], &[]);
        assert_eq!(check_graph(&zeros), Err(GraphError::SamePlace { nodes: (0, 2) }));
    }

    #[test]
    fn a_crossing_by_the_last_bit_is_found() {
        let above = f64::from_bits(1.0f64.to_bits() + 1);
        let touching = graph(&[(0.0, 0.0), (2.0, 2.0), (1.0, 1.0), (1.0, 5.0)], &[(0, 1), (2, 3)]);
        assert!(check_graph(&touching).is_err());
        let apart = graph(&[(0.0, 0.0), (2.0, 2.0), (1.0, above), (1.0, 5.0)], &[(0, 1), (2, 3)]);
        assert_eq!(check_graph(&apart), Ok(()));
    }

    proptest! {
        /// The sweep line reports a crossing exactly if some pair crosses. Few positions are used, so that
        /// all special cases occur.
        #[test]
        fn the_sweep_agrees_with_all_pairs(
            places in proptest::collection::btree_set((0u8..6, 0u8..6), 2..20),
            joined in proptest::collection::vec((0usize..20, 0usize..20), 1..14),
        ) {
            let nodes: Vec<(f64, f64)> =
                places.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let edges: std::collections::BTreeSet<(u32, u32)> = joined
                .into_iter()
                .map(|(a, b)| ((a % nodes.len()) as u32, (b % nodes.len()) as u32))
                .map(|(a, b)| (a.min(b), a.max(b)))
                .filter(|(a, b)| a != b)
                .collect();
            // Keeping each edge that crosses no earlier one also gives planar graphs with many edges.
            let mut kept: Vec<(u32, u32)> = Vec::new();
            for &edge in &edges {
                let ends = |(a, b): (u32, u32)| [nodes[a as usize], nodes[b as usize]];
                if kept.iter().all(|&other| !meet_elsewhere(ends(edge), ends(other))) {
                    kept.push(edge);
                }
            }
            prop_assert_eq!(check_graph(&graph(&nodes, &kept)), Ok(()));
            let all = graph(&nodes, &edges.into_iter().collect::<Vec<_>>());
            let first = crossings(&all).min();
            prop_assert_eq!(check_graph(&all).err(), first.map(|edges| GraphError::Cross { edges }));
        }
    }
}
