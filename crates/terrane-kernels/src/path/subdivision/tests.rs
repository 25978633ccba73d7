use terrane_grid::Seed;

use super::*;
use crate::Silent;
use crate::path::Costs;

fn parameters() -> Subdivide<'static> {
    Subdivide {
        search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
        width: 4.0,
        node_width: 8.0,
        border: 6.0,
        max_slope: 0.1,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround: Surround::Directional,
        borders: Borders::Free,
        anchors: &[],
    }
}

fn flat(side: usize) -> Heightmap {
    Heightmap::constant(Domain::new(side, side).with_spacing(2.0), 1.0)
}

/// A straight way along row 10, spacing 2: the path is one sample beside it, the border three more.
#[test]
fn sets_by_hand() {
    let graph = PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] };
    let out = subdivide(&flat(21), &graph, &parameters(), &Silent).unwrap();
    assert_eq!(out.paths, [(4..=16).map(|x| 10 * 21 + x).collect::<Vec<u32>>()]);
    let column = |x: usize| -> Vec<(f32, f32)> {
        (10..17).map(|y| (out.slope[y * 21 + x], out.directional[y * 21 + x])).collect()
    };
    let none = f32::INFINITY;
    let bound = |beyond: f64| (0.1 + 0.05 * (beyond / 6.0).sqrt()) as f32;
    let wanted = [
        (0.1, none),
        (0.1, none),
        (none, bound(2.0)),
        (none, bound(4.0)),
        (none, bound(6.0)),
        (none, none),
        (none, none),
    ];
    assert_eq!(column(10), wanted);
    // Around the node, four units instead of two.
    assert_eq!(column(4)[2], (0.1, none));
    assert_eq!(out.direction[12 * 21 + 10], [0.0, 1.0]);
    assert_eq!(out.direction[8 * 21 + 10], [0.0, -1.0]);
    assert!(out.roughness.iter().all(|r| r.is_nan()) && !out.given.iter().any(|given| given.is_finite()));
}

#[test]
fn the_flatter_of_two_edges_binds_where_they_meet() {
    let graph =
        PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0), (20.0, 36.0)], edges: vec![(0, 1), (1, 2)] };
    let slopes = [0.3, 0.2];
    let p = Subdivide { edge_slopes: &slopes, node_width: 0.0, ..parameters() };
    let out = subdivide(&flat(21), &graph, &p, &Silent).unwrap();
    assert_eq!(out.slope[10 * 21 + 6], 0.3);
    assert_eq!(out.slope[10 * 21 + 16], 0.2);
}

#[test]
fn surroundings_and_borders_keep_their_roughness() {
    let lattice = Seed(2).lattice();
    let map =
        Heightmap::from_fn(Domain::new(21, 21).with_spacing(2.0), |x, y| lattice.unit(x as i64, y as i64));
    let graph = PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] };
    let p = Subdivide { surround: Surround::Roughness, borders: Borders::Stitched, ..parameters() };
    let out = subdivide(&map, &graph, &p, &Silent).unwrap();
    assert!(out.directional.iter().all(|bound| bound.is_infinite()));
    assert!(out.direction.iter().all(|d| *d == [0.0; 2]));
    let own: f64 = (-1..=1)
        .flat_map(|dy: isize| (-1..=1).map(move |dx: isize| ((1 + dx) as usize, (1 + dy) as usize)))
        .map(|at| f64::from(map[at] - map[(1, 1)]) / 2.0)
        .map(|slope| slope * slope)
        .sum();
    assert!((f64::from(out.roughness[21 + 1]) - own.sqrt()).abs() < 1e-6);
    assert_eq!(out.given.iter().filter(|given| given.is_finite()).count(), 80);
    assert!(out.paths[0].iter().all(|&at| out.roughness[at as usize].is_nan()), "the path has none");
}

#[test]
fn what_cannot_be_is_refused() {
    let map = flat(9);
    let graph = |nodes: &[(f64, f64)]| PlanarGraph { nodes: nodes.to_vec(), edges: vec![(0, 1)] };
    let error = |graph: PlanarGraph| subdivide(&map, &graph, &parameters(), &Silent).unwrap_err();
    assert_eq!(error(graph(&[(0.0, 0.0), (17.1, 0.0)])), SubdivideError::Outside { node: 1 });
    assert_eq!(error(graph(&[(-1.1, 0.0), (7.0, 0.0)])), SubdivideError::Outside { node: 0 });
    assert_eq!(error(graph(&[(4.0, 4.0), (4.5, 4.0)])), SubdivideError::TooShort { edge: 0 });
    let same = SubdivideError::Graph(GraphError::SamePlace { nodes: (0, 1) });
    assert_eq!(error(graph(&[(4.0, 4.0), (4.0, 4.0)])), same);
    let wall = Heightmap::from_fn(map.domain(), |x, _| if x == 4 { f32::NAN } else { 0.0 });
    let found = subdivide(&wall, &graph(&[(0.0, 0.0), (16.0, 0.0)]), &parameters(), &Silent);
    assert_eq!(found, Err(SubdivideError::Enclosed { node: 0, edge: 0, at: (0, 0), reached: 36 }));
}
