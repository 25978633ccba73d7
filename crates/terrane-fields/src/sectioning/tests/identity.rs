//! Identities depend only on positions.

use std::collections::BTreeSet;

use proptest::prelude::*;
use terrane_grid::{Seed, unit_f64};

use super::random::mixed;
use super::*;

fn of(graph: &PlanarGraph) -> BTreeSet<u64> {
    identities(graph, &section(graph).unwrap()).into_iter().collect()
}

#[test]
fn squares_of_many_sizes_have_their_own() {
    for cell in [1.0, 2.0, 2.6, 31.0, 64.0, 100.0, 0.3, 1e-9, 1e9] {
        let graph = grid_graph(20, 20, cell, 0.0, Seed(1)).unwrap();
        assert_eq!(of(&graph).len(), 400, "{cell}");
    }
}

/// Strips are far longer than their distance from each other.
#[test]
fn strips_are_distinguished() {
    let nodes: Vec<(f64, f64)> =
        (0..=200).flat_map(|at| [(0.0, f64::from(at)), (500.0, f64::from(at))]).collect();
    let mut edges: Vec<(u32, u32)> = (0..=200).map(|at| (2 * at, 2 * at + 1)).collect();
    edges.extend((0..200).flat_map(|at| [(2 * at, 2 * at + 2), (2 * at + 1, 2 * at + 3)]));
    assert_eq!(of(&PlanarGraph { nodes, edges }).len(), 200);
}

/// A square in a ring of the same area per length, both with the same centre.
#[test]
fn nested_fields_are_distinguished() {
    let square = |half: f64| [(-half, -half), (half, -half), (half, half), (-half, half)];
    let nodes: Vec<(f64, f64)> = [10.0, 9.5, 9.0, 8.5].into_iter().flat_map(square).collect();
    let edges =
        (0..4).flat_map(|ring| (0..4).map(move |at| (4 * ring + at, 4 * ring + (at + 1) % 4))).collect();
    assert_eq!(of(&PlanarGraph { nodes, edges }).len(), 4);
}

#[test]
fn cutting_a_field_changes_no_other() {
    let graph = hex_graph(8, 8, 44.0, 0.1, Seed(3)).unwrap();
    let sections = section(&graph).unwrap();
    let before = of(&graph);
    for field in 0..64 {
        let nodes = &sections.fields[field].ring.nodes;
        let mut cut = graph.clone();
        cut.edges.push((nodes[0], nodes[3]));
        assert!(before.intersection(&of(&cut)).count() >= 63);
        // From the middle of one side to that of another, which adds nodes to neighbours' straight sides.
        let mut cut = graph.clone();
        let middle = |a: u32, b: u32| {
            let ((ax, ay), (bx, by)) = (graph.nodes[a as usize], graph.nodes[b as usize]);
            ((ax + bx) / 2.0, (ay + by) / 2.0)
        };
        let ring = &sections.fields[field].ring;
        for side in [0, 3] {
            let (a, b) = graph.edges[ring.edges[side] as usize];
            cut.nodes.push(middle(a, b));
            let node = cut.nodes.len() as u32 - 1;
            cut.edges[ring.edges[side] as usize] = (a, node);
            cut.edges.push((node, b));
        }
        cut.edges.push((cut.nodes.len() as u32 - 2, cut.nodes.len() as u32 - 1));
        assert!(before.intersection(&of(&cut)).count() >= 63);
    }
}

/// When a node moves by a hundredth of their side, nearly all hexagons keep their identity.
#[test]
fn small_moves_change_few() {
    let graph = hex_graph(30, 30, 44.0, 0.15, Seed(3)).unwrap();
    let before = of(&graph);
    let mut moved = graph.clone();
    for (at, node) in moved.nodes.iter_mut().enumerate() {
        let unit = |part| unit_f64(Seed(7).part(part).part(at as u64).0) - 0.5;
        *node = (node.0 + 0.88 * unit(1), node.1 + 0.88 * unit(2));
    }
    let kept = before.intersection(&of(&moved)).count();
    assert!(kept > 850, "{kept} of 900");
}

proptest! {
    #[test]
    fn cells_have_their_own(seed: u64, count in 2usize..400) {
        let sites = scattered(count, (-50.0, 20.0), (80.0, 110.0), Seed(seed)).unwrap();
        let graph = voronoi_graph(&sites, (-50.0, 20.0), (80.0, 110.0), &crate::Silent).unwrap();
        let found = of(&graph);
        prop_assert_eq!(found.len(), section(&graph).unwrap().fields.len());
        prop_assert_eq!(of(&mixed(&graph, seed)), found);
    }
}
