//! Initial graphs.

use proptest::prelude::*;
use terrane_grid::Seed;

use super::*;
use crate::Silent;
use terrane_paths::planar::{GraphError, check_graph, meet_elsewhere};

proptest! {
    #[test]
    fn grids_have_a_field_a_cell(columns in 1usize..9, rows in 1usize..9, jitter in 0.0..0.25, seed: u64) {
        let graph = grid_graph(columns, rows, 10.0, jitter, Seed(seed)).unwrap();
        let found = section(&graph).unwrap();
        prop_assert_eq!(
            (found.fields.len(), found.outer.len(), found.dangling.len()),
            (columns * rows, 1, 0)
        );
        prop_assert!(found.fields.iter().all(|field| field.ring.nodes.len() == 4 && field.holes.is_empty()));
    }

    #[test]
    fn hexagons_have_six_sides(columns in 1usize..9, rows in 1usize..9, jitter in 0.0..0.25, seed: u64) {
        let graph = hex_graph(columns, rows, 10.0, jitter, Seed(seed)).unwrap();
        let found = section(&graph).unwrap();
        prop_assert_eq!(
            (found.fields.len(), found.outer.len(), found.dangling.len()),
            (columns * rows, 1, 0)
        );
        prop_assert!(found.fields.iter().all(|field| field.ring.nodes.len() == 6));
        prop_assert!(graph.nodes.len() == found.fields.len() * 2 + 2 * (columns + rows));
    }

    /// Cells fill the bounds, each around its own site and nearer to it than to others.
    #[test]
    fn cells_hold_their_sites(count in 1usize..60, seed: u64, lattice: bool) {
        let (low, high) = ((-3.0, 2.0), (17.0, 12.0));
        let mut sites = scattered(count, low, high, Seed(seed)).unwrap();
        if lattice {
            sites.iter_mut().for_each(|(x, y)| (*x, *y) = (x.round(), y.round()));
            sites.sort_by(|a, b| a.partial_cmp(b).unwrap());
            sites.dedup();
        }
        let graph = voronoi_graph(&sites, low, high, &Silent).unwrap();
        let found = section(&graph).unwrap();
        prop_assert_eq!((found.fields.len(), found.outer.len(), found.dangling.len()), (sites.len(), 1, 0));
        let area: f64 = found.fields.iter().map(|field| field.area(&graph)).sum();
        prop_assert!((area - 200.0).abs() < 1e-6, "{}", area);
        let distance = |(ax, ay): (f64, f64), (bx, by): (f64, f64)| libm::hypot(ax - bx, ay - by);
        for field in &found.fields {
            let positions: Vec<(f64, f64)> =
                field.ring.nodes.iter().map(|&node| graph.nodes[node as usize]).collect();
            let count = positions.len() as f64;
            let middle = positions
                .iter()
                .fold((0.0, 0.0), |sum, position| (sum.0 + position.0 / count, sum.1 + position.1 / count));
            let own = sites
                .iter()
                .copied()
                .min_by(|a, b| distance(*a, middle).total_cmp(&distance(*b, middle)))
                .unwrap();
            for position in positions {
                let nearest =
                    sites.iter().map(|&site| distance(site, position)).fold(f64::INFINITY, f64::min);
                prop_assert!(distance(own, position) < nearest + 1e-6);
            }
        }
    }

    #[test]
    fn random_graphs_are_planar(nodes in 0usize..80, share in 0.0..=1.0, seed: u64) {
        let graph = random_graph(nodes, share, (0.0, 0.0), (9.0, 9.0), Seed(seed)).unwrap();
        prop_assert_eq!(check_graph(&graph), Ok(()));
        prop_assert_eq!(graph, random_graph(nodes, share, (0.0, 0.0), (9.0, 9.0), Seed(seed)).unwrap());
    }
}

/// Four sites on one circle: the nodes in the middle are merged into one.
#[test]
fn cells_of_a_square_meet_at_one_node() {
    let graph =
        voronoi_graph(&[(1.0, 1.0), (3.0, 1.0), (1.0, 3.0), (3.0, 3.0)], (0.0, 0.0), (4.0, 4.0), &Silent)
            .unwrap();
    let mut nodes = graph.nodes.clone();
    nodes.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let expected: Vec<(f64, f64)> = (0..9).map(|at| (f64::from(at / 3 * 2), f64::from(at % 3 * 2))).collect();
    assert_eq!((nodes, graph.edges.len()), (expected, 12));
}

/// The bits of generated graphs. No vectors compute them, so they do not depend on the level.
#[test]
fn fixed_bits_of_generated_graphs() {
    // FNV-1a, 64 bits at a time.
    let digest = |graph: &PlanarGraph| {
        let positions = graph.nodes.iter().flat_map(|(x, y)| [x.to_bits(), y.to_bits()]);
        let ends = graph.edges.iter().flat_map(|&(a, b)| [u64::from(a), u64::from(b)]);
        positions
            .chain(ends)
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, bits| (hash ^ bits).wrapping_mul(0x0100_0000_01b3))
    };
    let (low, high) = ((0.0, 0.0), (100.0, 70.0));
    let sites = scattered(500, low, high, Seed(5)).unwrap();
    let graphs = [
        grid_graph(9, 7, 3.0, 0.2, Seed(5)).unwrap(),
        hex_graph(9, 7, 3.0, 0.2, Seed(5)).unwrap(),
        voronoi_graph(&sites, low, high, &Silent).unwrap(),
        random_graph(500, 0.6, low, high, Seed(5)).unwrap(),
    ];
    let digests: Vec<u64> = graphs.iter().map(digest).collect();
    assert_eq!(
        digests,
        [
            15_271_697_634_866_544_343,
            15_575_841_727_352_308_471,
            14_700_712_863_595_717_020,
            3_329_904_152_138_019_005,
        ]
    );
}

#[test]
fn bad_numbers_are_rejected() {
    for (columns, rows, cell) in
        [(0, 3, 1.0), (3, 0, 1.0), (1 << 20, 1 << 20, 1.0), (3, 3, f64::NAN), (3, 3, -1.0)]
    {
        assert_eq!(grid_graph(columns, rows, cell, 0.1, Seed(1)), Err(GenerateError::Size));
        assert_eq!(hex_graph(columns, rows, cell, 0.1, Seed(1)), Err(GenerateError::Size));
    }
    for jitter in [-0.1, 0.25, f64::NAN] {
        assert_eq!(grid_graph(3, 3, 1.0, jitter, Seed(1)), Err(GenerateError::Jitter));
    }
    let (low, high) = ((0.0, 0.0), (4.0, 4.0));
    assert_eq!(voronoi_graph(&[], high, low, &Silent), Err(GenerateError::Bounds));
    assert_eq!(voronoi_graph(&[], low, (4.0, f64::INFINITY), &Silent), Err(GenerateError::Bounds));
    assert_eq!(voronoi_graph(&[(1.0, 1.0), (5.0, 1.0)], low, high, &Silent), Err(GenerateError::Site(1)));
    assert_eq!(voronoi_graph(&[(1.0, f64::NAN)], low, high, &Silent), Err(GenerateError::Site(0)));
    assert_eq!(
        voronoi_graph(&[(1.0, 1.0), (2.0, 1.0), (1.0, 1.0)], low, high, &Silent),
        Err(GenerateError::Site(2))
    );
    assert_eq!(random_graph(9, 1.5, low, high, Seed(1)), Err(GenerateError::Share));
    assert_eq!(random_graph(9, 0.5, high, low, Seed(1)), Err(GenerateError::Bounds));
}

/// One edge across a large graph: the first pair that crosses is named.
#[test]
fn one_crossing_among_many_edges_is_named() {
    let (low, high) = ((0.0, 0.0), (100.0, 100.0));
    for seed in 0..20 {
        let mut graph = random_graph(3000, 1.0, low, high, Seed(seed)).unwrap();
        assert_eq!(check_graph(&graph), Ok(()));
        let added = graph.edges.len();
        let out = |&node: &u32| graph.nodes[node as usize].0 + graph.nodes[node as usize].1;
        let order = |a: &u32, b: &u32| out(a).total_cmp(&out(b));
        let across = ((0..3000).min_by(order), (0..3000).max_by(order));
        graph.edges.push((across.0.unwrap(), across.1.unwrap()));
        let ends = |edge| graph.ends(edge).map(|(a, b)| [a, b]).unwrap();
        let first = (0..added).find(|&edge| meet_elsewhere(ends(edge), ends(added))).unwrap();
        assert_eq!(check_graph(&graph), Err(GraphError::Cross { edges: (first, added) }));
    }
}
