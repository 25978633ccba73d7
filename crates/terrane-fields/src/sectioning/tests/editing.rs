//! Changes to graphs.

use proptest::prelude::*;
use terrane_grid::Seed;

use super::*;
use terrane_paths::planar::{GraphError, check_graph};

/// A square of side 4.
fn square() -> PlanarGraph {
    graph(&[(0, 0), (4, 0), (4, 4), (0, 4)], &closed(&[0, 1, 2, 3]))
}

#[test]
fn a_node_on_an_edge_divides_it() {
    let mut graph = square();
    assert_eq!(add_node(&mut graph, (4.0, 1.0)), Ok(4));
    assert_eq!(graph.edges, [(0, 1), (1, 4), (2, 3), (3, 0), (4, 2)]);
    assert_eq!(add_node(&mut graph, (2.0, 2.0)), Ok(5));
    assert_eq!(graph.edges.len(), 5);
    // Moved onto the lower side.
    assert_eq!(move_node(&mut graph, 5, (2.0, 0.0)), Ok(()));
    assert_eq!(graph.edges[0], (0, 5));
    assert_eq!(graph.edges[5], (5, 1));
    assert_eq!(check_graph(&graph), Ok(()));
}

#[test]
fn removal_includes_edges() {
    let mut graph = square();
    assert_eq!(add_edge(&mut graph, 0, 2), Ok(4));
    assert_eq!(remove_node(&mut graph, 1), Ok(()));
    assert_eq!((graph.nodes.len(), &graph.edges[..]), (3, &[(1, 2), (2, 0), (0, 1)][..]));
    assert_eq!(remove_edge(&mut graph, 0), Ok(()));
    assert_eq!((graph.nodes.len(), &graph.edges[..]), (3, &[(2, 0), (0, 1)][..]));
}

#[test]
fn bad_changes_change_nothing() {
    let mut graph = square();
    for position in [(f64::NAN, 0.0), (0.0, f64::INFINITY), (1e200, 0.0)] {
        assert_eq!(add_node(&mut graph, position), Err(EditError::NotFinite));
        assert_eq!(move_node(&mut graph, 0, position), Err(EditError::NotFinite));
    }
    assert_eq!(add_node(&mut graph, (4.0, 4.0)), Err(EditError::SamePlace(2)));
    assert_eq!(move_node(&mut graph, 0, (4.0, 4.0)), Err(EditError::SamePlace(2)));
    assert_eq!(move_node(&mut graph, 4, (5.0, 4.0)), Err(EditError::NoSuchNode(4)));
    assert_eq!(remove_node(&mut graph, 4), Err(EditError::NoSuchNode(4)));
    assert_eq!(remove_edge(&mut graph, 4), Err(EditError::NoSuchEdge(4)));
    assert_eq!(add_edge(&mut graph, 0, 4), Err(EditError::NoSuchNode(4)));
    assert_eq!(add_edge(&mut graph, 2, 2), Err(EditError::NoLength(2)));
    assert_eq!(add_edge(&mut graph, 1, 0), Err(EditError::Twice(0)));
    for distance in [-1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(merge_near(&mut graph, distance), Err(EditError::NotFinite));
        assert_eq!(split_at_nodes(&mut graph, distance), Err(EditError::NotFinite));
    }
    assert_eq!(graph, square());
    graph.edges.push((0, 9));
    assert_eq!(split_crossings(&mut graph), Err(EditError::NoSuchNode(9)));
}

/// ```text
/// 0 1 2     3    At distance 1, node 0 absorbs 1; 2 is too far from 0 and stays.
/// ```
#[test]
fn near_nodes_become_one() {
    let mut drawn = graph(&[(0, 0), (1, 0), (2, 0), (5, 0)], &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]);
    assert_eq!(merge_near(&mut drawn, 1.0), Ok(vec![0, 0, 1, 2]));
    assert_eq!(drawn, graph(&[(0, 0), (2, 0), (5, 0)], &[(0, 1), (1, 2), (2, 0)]));
}

#[test]
fn near_nodes_divide_edges() {
    let mut drawn = graph(&[(0, 0), (8, 0), (2, 1), (6, -1), (4, 3), (9, 0)], &[(1, 0)]);
    assert_eq!(split_at_nodes(&mut drawn, 0.5), Ok(0));
    assert_eq!(split_at_nodes(&mut drawn, 1.0), Ok(2));
    assert_eq!(drawn.edges, [(1, 3), (3, 2), (2, 0)]);
}

/// ```text
/// 3   2
///  \ /
///   x      Two diagonals that cross, and an edge on the left that ends in the middle of one.
///  / \
/// 0   1
/// ```
#[test]
fn crossings_get_nodes() {
    let mut drawn = graph(&[(0, 0), (4, 0), (4, 4), (0, 4), (1, 1), (0, 1)], &[(0, 2), (3, 1), (5, 4)]);
    assert_eq!(check_graph(&drawn), Err(GraphError::Cross { edges: (0, 1) }));
    assert_eq!(split_crossings(&mut drawn), Ok(1));
    assert_eq!(drawn.nodes[6], (2.0, 2.0));
    assert_eq!(drawn.edges, [(0, 4), (3, 6), (5, 4), (4, 6), (6, 1), (6, 2)]);
}

/// Three edges through one point share one node there.
#[test]
fn crossings_at_one_place_are_one_node() {
    let nodes = [(-2, 0), (2, 0), (0, -2), (0, 2), (-2, -2), (2, 2)];
    let mut drawn = graph(&nodes, &[(0, 1), (2, 3), (4, 5)]);
    assert_eq!(split_crossings(&mut drawn), Ok(1));
    assert_eq!((drawn.nodes.len(), drawn.nodes[6], drawn.edges.len()), (7, (0.0, 0.0), 6));
}

/// Edges that partly overlap keep each part once.
#[test]
fn overlapping_edges_are_divided() {
    let mut drawn = graph(&[(0, 0), (4, 0), (2, 0), (6, 0)], &[(0, 1), (2, 3)]);
    assert_eq!(split_crossings(&mut drawn), Ok(0));
    assert_eq!(drawn.edges, [(0, 2), (2, 1), (1, 3)]);
}

/// The bits of a position.
type Bits = (u64, u64);

/// Positions of nodes and of the ends of edges, in order.
fn positions(graph: &PlanarGraph) -> (Vec<Bits>, Vec<[Bits; 2]>) {
    let bits = |node: u32| {
        let (x, y) = graph.nodes[node as usize];
        ((x + 0.0).to_bits(), (y + 0.0).to_bits())
    };
    let mut nodes: Vec<_> = (0..graph.nodes.len() as u32).map(bits).collect();
    let mut edges: Vec<_> =
        graph.edges.iter().map(|&(a, b)| [bits(a).min(bits(b)), bits(a).max(bits(b))]).collect();
    nodes.sort_unstable();
    edges.sort_unstable();
    (nodes, edges)
}

proptest! {
    /// Any drawing becomes planar, and reversing or reordering its edges gives the same result.
    #[test]
    fn any_edges_become_planar(
        seed: u64, count in 2usize..24, joined in proptest::collection::vec((0usize..24, 0usize..24), 1..40),
        lattice: bool,
    ) {
        let mut nodes = scattered(count, (-5.0, -5.0), (5.0, 5.0), Seed(seed)).unwrap();
        if lattice {
            nodes.iter_mut().for_each(|(x, y)| (*x, *y) = (x.round(), y.round()));
        }
        let edges: Vec<(u32, u32)> =
            joined.iter().map(|&(a, b)| ((a % count) as u32, (b % count) as u32)).collect();
        let mut other =
            PlanarGraph { nodes: nodes.clone(), edges: edges.iter().rev().map(|&(a, b)| (b, a)).collect() };
        let mut graph = PlanarGraph { nodes, edges };
        split_crossings(&mut graph).unwrap();
        prop_assert_eq!(check_graph(&graph), Ok(()));
        split_crossings(&mut other).unwrap();
        prop_assert_eq!(positions(&graph), positions(&other));
        let once = graph.clone();
        prop_assert_eq!(split_crossings(&mut graph), Ok(0));
        prop_assert_eq!(graph, once);
    }

    #[test]
    fn merged_nodes_are_apart(seed: u64, count in 1usize..80, distance in 0.0..3.0) {
        let mut graph = random_graph(count, 0.7, (0.0, 0.0), (9.0, 9.0), Seed(seed)).unwrap();
        let before = graph.clone();
        let numbers = merge_near(&mut graph, distance).unwrap();
        let apart =
            |(ax, ay): (f64, f64), (bx, by): (f64, f64)| (ax - bx) * (ax - bx) + (ay - by) * (ay - by);
        for (at, &a) in graph.nodes.iter().enumerate() {
            prop_assert!(graph.nodes[..at].iter().all(|&b| apart(a, b) > distance * distance));
        }
        for (old, &new) in before.nodes.iter().zip(&numbers) {
            prop_assert!(apart(*old, graph.nodes[new as usize]) <= distance * distance);
        }
        for (a, b) in before.edges {
            let (a, b) = (numbers[a as usize], numbers[b as usize]);
            prop_assert!(a == b || graph.edges.contains(&(a, b)) || graph.edges.contains(&(b, a)));
        }
    }
}
