//! What makes a graph planar.

use robust::{Coord, orient2d};
use terrane_grid::PlanarGraph;

/// What is wrong with a graph: nodes and edges are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GraphError {
    /// A node's place is not a number, or infinite.
    NotFinite {
        /// The node.
        node: usize,
    },
    /// An edge names a node that is not there.
    NoSuchNode {
        /// The edge.
        edge: usize,
        /// What it names.
        node: u32,
    },
    /// Both ends of an edge are one node, or lie at one place.
    NoLength {
        /// The edge.
        edge: usize,
    },
    /// Two nodes lie at one place.
    SamePlace {
        /// The nodes.
        nodes: (usize, usize),
    },
    /// Two edges join the same nodes.
    Twice {
        /// The edges.
        edges: (usize, usize),
    },
    /// Two edges meet elsewhere than at a common end.
    Cross {
        /// The edges.
        edges: (usize, usize),
    },
}

impl std::fmt::Display for GraphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite { node } => write!(f, "the place of node {node} is no finite number"),
            Self::NoSuchNode { edge, node } => write!(f, "edge {edge} names node {node}, which is not there"),
            Self::NoLength { edge } => write!(f, "edge {edge} has no length"),
            Self::SamePlace { nodes: (a, b) } => write!(f, "nodes {a} and {b} lie at one place"),
            Self::Twice { edges: (a, b) } => write!(f, "edges {a} and {b} join the same nodes"),
            Self::Cross { edges: (a, b) } => {
                write!(f, "edges {a} and {b} meet elsewhere than at a common end")
            }
        }
    }
}

impl std::error::Error for GraphError {}

/// Whether no two edges of a graph meet but at common ends, and nothing is there twice. Decided exactly. O(edges · log edges) and the
/// pairs whose extents along x overlap.
///
/// # Errors
/// The first [`GraphError`] in the order of nodes and edges.
pub fn check_graph(graph: &PlanarGraph) -> Result<(), GraphError> {
    if let Some(node) = graph.nodes.iter().position(|(x, y)| !(x.is_finite() && y.is_finite())) {
        return Err(GraphError::NotFinite { node });
    }
    check_nodes(graph)?;
    check_edges(graph)?;
    check_crossings(graph)
}

fn check_nodes(graph: &PlanarGraph) -> Result<(), GraphError> {
    let mut order: Vec<usize> = (0..graph.nodes.len()).collect();
    let place = |node: usize| graph.nodes[node];
    order.sort_by(|&a, &b| {
        place(a).0.total_cmp(&place(b).0).then(place(a).1.total_cmp(&place(b).1)).then(a.cmp(&b))
    });
    let same =
        order.windows(2).filter(|pair| place(pair[0]) == place(pair[1])).map(|pair| (pair[0], pair[1]));
    same.min().map_or(Ok(()), |nodes| Err(GraphError::SamePlace { nodes }))
}

fn check_edges(graph: &PlanarGraph) -> Result<(), GraphError> {
    let mut known = std::collections::BTreeMap::new();
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        if let Some(node) = [a, b].into_iter().find(|&node| node as usize >= graph.nodes.len()) {
            return Err(GraphError::NoSuchNode { edge, node });
        }
        if a == b {
            return Err(GraphError::NoLength { edge });
        }
        if let Some(first) = known.insert((a.min(b), a.max(b)), edge) {
            return Err(GraphError::Twice { edges: (first, edge) });
        }
    }
    Ok(())
}

fn check_crossings(graph: &PlanarGraph) -> Result<(), GraphError> {
    let ends = |edge: usize| {
        let (a, b) = graph.edges[edge];
        [graph.nodes[a as usize], graph.nodes[b as usize]]
    };
    let extent = |edge: usize| {
        let [(a, _), (b, _)] = ends(edge);
        (a.min(b), a.max(b))
    };
    let mut order: Vec<usize> = (0..graph.edges.len()).collect();
    order.sort_by(|&a, &b| extent(a).0.total_cmp(&extent(b).0).then(a.cmp(&b)));
    let (mut open, mut first): (Vec<usize>, Option<(usize, usize)>) = (Vec::new(), None);
    for edge in order {
        open.retain(|&other| extent(other).1 >= extent(edge).0);
        for &other in &open {
            if meet_elsewhere(ends(edge), ends(other)) {
                let pair = (edge.min(other), edge.max(other));
                first = Some(first.map_or(pair, |first| first.min(pair)));
            }
        }
        open.push(edge);
    }
    first.map_or(Ok(()), |edges| Err(GraphError::Cross { edges }))
}

/// Whether two segments meet at a place that is not an end of both.
fn meet_elsewhere([a, b]: [(f64, f64); 2], [c, d]: [(f64, f64); 2]) -> bool {
    let side = |p: (f64, f64), q: (f64, f64), r: (f64, f64)| {
        let coord = |(x, y): (f64, f64)| Coord { x, y };
        orient2d(coord(p), coord(q), coord(r))
    };
    let (of_c, of_d, of_a, of_b) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    if of_c == 0.0 && of_d == 0.0 {
        // On one line: their extents overlap by more than a place.
        let along = |p: (f64, f64)| if a.0 == b.0 { p.1 } else { p.0 };
        let (low, high) = (along(a).min(along(b)), along(a).max(along(b)));
        return along(c).min(along(d)) < high && low < along(c).max(along(d));
    }
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    if apart(of_c, of_d) || apart(of_a, of_b) {
        return false;
    }
    // They meet at one place. At a common end nothing is wrong.
    !(a == c || a == d || b == c || b == d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: &[(f64, f64)], edges: &[(u32, u32)]) -> PlanarGraph {
        PlanarGraph { nodes: nodes.to_vec(), edges: edges.to_vec() }
    }

    #[test]
    fn planar_graphs_are_told_from_others() {
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
    fn odd_nodes_are_named() {
        let twice = graph(&[(1.0, 2.0), (0.0, 0.0), (1.0, 2.0)], &[]);
        assert_eq!(check_graph(&twice), Err(GraphError::SamePlace { nodes: (0, 2) }));
        let none = graph(&[(0.0, 0.0), (f64::NAN, 0.0)], &[(0, 1)]);
        assert_eq!(check_graph(&none), Err(GraphError::NotFinite { node: 1 }));
    }

    #[test]
    fn a_crossing_by_the_last_bit_is_seen() {
        let above = f64::from_bits(1.0f64.to_bits() + 1);
        let touching = graph(&[(0.0, 0.0), (2.0, 2.0), (1.0, 1.0), (1.0, 5.0)], &[(0, 1), (2, 3)]);
        assert!(check_graph(&touching).is_err());
        let apart = graph(&[(0.0, 0.0), (2.0, 2.0), (1.0, above), (1.0, 5.0)], &[(0, 1), (2, 3)]);
        assert_eq!(check_graph(&apart), Ok(()));
    }
}
