use terrane_grid::{Domain, Seed};

use super::*;
use crate::Silent;
use crate::path::{Costs, Details, Search};
use crate::planar::GraphError;

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
        details: Details::default(),
    }
}

fn flat(side: usize) -> Heightmap {
    Heightmap::constant(Domain::new(side, side).with_spacing(2.0), 1.0)
}

/// A straight path along row 10, spacing 2: the path is one sample wide on each side, the border three more.
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
fn invalid_graphs_and_parameters_are_rejected() {
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

/// Two paths of one width in rows 5 and 13: row 9 is equally near to both, and the flatter one is above in
/// one graph, below in the other.
#[test]
fn the_flattest_of_equally_near_paths_binds() {
    let graph = PlanarGraph {
        nodes: vec![(8.0, 10.0), (32.0, 10.0), (8.0, 26.0), (32.0, 26.0)],
        edges: vec![(0, 1), (2, 3)],
    };
    for (slopes, towards) in [([0.1, 0.2], 1.0), ([0.2, 0.1], -1.0)] {
        let p = Subdivide { edge_slopes: &slopes, node_width: 0.0, ..parameters() };
        let out = subdivide(&flat(21), &graph, &p, &Silent).unwrap();
        let at = 9 * 21 + 10;
        assert_eq!(out.directional[at], (0.1 + 0.05 * (6.0f64 / 6.0).sqrt()) as f32);
        assert_eq!(out.direction[at], [0.0, towards]);
    }
}

/// Slope, half of the width, and the samples of a strip.
type Strip = (f64, f64, Vec<(f64, f64)>);

/// A star of edges with their own widths and slopes, and nodes with their own widths, compared with a search
/// over all samples of all routes.
#[test]
fn strips_agree_with_a_slow_reference() {
    let lattice = Seed(9).lattice();
    let map = Heightmap::from_fn(Domain::new(41, 37).with_spacing(1.5), |x, y| {
        lattice.unit(x as i64 / 4, y as i64 / 4)
    });
    let graph = PlanarGraph {
        nodes: vec![(20.0, 27.0), (3.0, 4.0), (57.0, 6.0), (50.0, 50.0), (4.0, 48.0), (30.0, 3.0)],
        edges: vec![(0, 1), (2, 0), (0, 3), (4, 0)],
    };
    let slopes = [0.3, 0.08, 0.2, 0.08];
    let (edge_widths, node_widths) = ([4.5, 0.0, 9.0, 3.0], [12.0, 0.0, 3.0, 9.0, 0.0, 6.0]);
    let details = Details { edge_widths: &edge_widths, node_widths: &node_widths, ..Details::default() };
    let p = Subdivide { edge_slopes: &slopes, border: 10.5, details, ..parameters() };
    let out = subdivide(&map, &graph, &p, &Silent).unwrap();
    let place = |at: u32| (f64::from(at % 41), f64::from(at / 41));
    // Edges, then nodes.
    let mut strips: Vec<Strip> = (0..4)
        .map(|edge| {
            (slopes[edge], edge_widths[edge] / 2.0, out.paths[edge].iter().map(|&at| place(at)).collect())
        })
        .collect();
    for (node, &(x, y)) in graph.nodes.iter().enumerate() {
        let station = ((x / 1.5f64).round(), (y / 1.5f64).round());
        let through = strips[..4].iter().filter(|strip| strip.2.contains(&station)).map(|strip| strip.0);
        strips.push((
            through.reduce(f64::min).unwrap_or(p.max_slope),
            node_widths[node] / 2.0,
            vec![station],
        ));
    }
    let (mut overlaps, mut ties) = (0, 0);
    for at in 0..41 * 37 {
        let (x, y) = place(at as u32);
        let apart = |&(u, v): &(f64, f64)| 1.5 * ((x - u) * (x - u) + (y - v) * (y - v)).sqrt();
        let from = |(slope, half, line): &Strip| {
            (line.iter().map(apart).fold(f64::INFINITY, f64::min) - half, *slope)
        };
        let all: Vec<(f64, f64)> = strips.iter().map(from).collect();
        let inside = all.iter().filter(|found| found.0 <= 0.0).map(|found| found.1);
        overlaps += usize::from(inside.clone().any(|slope| slope > inside.clone().fold(1.0, f64::min)));
        if let Some(flattest) = inside.reduce(f64::min) {
            assert_eq!((out.slope[at], out.directional[at]), (flattest as f32, f32::INFINITY));
            continue;
        }
        assert_eq!(out.slope[at], f32::INFINITY);
        let near = all.iter().copied().reduce(|a, b| if b < a { b } else { a }).unwrap();
        ties += usize::from(all.iter().any(|found| found.0 == near.0 && found.1 != near.1));
        if near.0 > 10.5 {
            assert_eq!((out.directional[at], out.direction[at]), (f32::INFINITY, [0.0; 2]));
            continue;
        }
        assert_eq!(out.directional[at], (near.1 + 0.05 * (near.0 / 10.5).sqrt()) as f32);
        let away = strips.iter().filter(|strip| from(strip) == near).flat_map(|(_, half, line)| {
            line.iter().filter(move |place| apart(place) - half == near.0).map(|&(u, v)| {
                let length = ((x - u) * (x - u) + (y - v) * (y - v)).sqrt();
                [((x - u) / length) as f32, ((y - v) / length) as f32]
            })
        });
        assert!(away.into_iter().any(|direction| direction == out.direction[at]), "{x} {y}");
    }
    assert!(overlaps > 20 && ties > 0, "{overlaps} {ties}");
}

/// A path of width 0 is its samples alone; the ground beside it begins immediately.
#[test]
fn a_path_without_width_is_its_samples() {
    let graph = PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] };
    let details = Details { edge_widths: &[0.0], node_widths: &[0.0, 0.0], ..Details::default() };
    let out = subdivide(&flat(21), &graph, &Subdivide { details, ..parameters() }, &Silent).unwrap();
    let path: Vec<u32> = (0..21 * 21).filter(|&at| out.slope[at as usize].is_finite()).collect();
    assert_eq!(path, out.paths[0]);
    assert_eq!(out.directional[11 * 21 + 10], (0.1 + 0.05 * (2.0f64 / 6.0).sqrt()) as f32);
}

#[test]
fn maps_give_the_numbers_of_their_samples() {
    let graph = PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] };
    let map = |of: &dyn Fn(usize) -> f32| Heightmap::from_fn(flat(21).domain(), |x, _| of(x));
    let (max_slope, gain) = (map(&|x| 0.01 * (x + 1) as f32), map(&|x| 0.02 * x as f32));
    let (border, rough) = (map(&|x| if x < 10 { 2.0 } else { 8.0 }), map(&|x| x as f32));
    let details = Details {
        max_slope: Some(&max_slope),
        slope_gain: Some(&gain),
        border: Some(&border),
        roughness: Some(&rough),
        ..Details::default()
    };
    let p = Subdivide { details, ..parameters() };
    let out = subdivide(&flat(21), &graph, &p, &Silent).unwrap();
    let f = |value: f32| f64::from(value);
    for x in 8..13 {
        assert_eq!(out.slope[11 * 21 + x], 0.01 * (x + 1) as f32);
        let wide = if x < 10 { 2.0 } else { 8.0f64 };
        let bound = f(0.01 * (x + 1) as f32) + f(0.02 * x as f32) * (2.0 / wide).sqrt();
        assert_eq!(out.directional[12 * 21 + x], bound as f32);
        assert_eq!(out.directional[13 * 21 + x].is_finite(), x >= 10);
    }
    let rough =
        subdivide(&flat(21), &graph, &Subdivide { surround: Surround::Roughness, ..p }, &Silent).unwrap();
    assert_eq!((rough.roughness[12 * 21 + 12], rough.directional[12 * 21 + 12]), (12.0, f32::INFINITY));
    // An edge with its own slope keeps it, and constant maps equal numbers.
    let own = subdivide(&flat(21), &graph, &Subdivide { edge_slopes: &[0.07], ..p }, &Silent).unwrap();
    assert_eq!(own.slope[11 * 21 + 9], 0.07);
    let (a, b, c) = (map(&|_| 0.25), map(&|_| 0.5), map(&|_| 6.0));
    let same = Details { max_slope: Some(&a), slope_gain: Some(&b), border: Some(&c), ..Details::default() };
    let numbers = Subdivide { max_slope: 0.25, slope_gain: 0.5, border: 6.0, ..parameters() };
    let by_number = subdivide(&flat(21), &graph, &numbers, &Silent).unwrap();
    let by_map = subdivide(&flat(21), &graph, &Subdivide { details: same, ..parameters() }, &Silent).unwrap();
    assert_eq!(by_map.slope, by_number.slope);
    assert_eq!((by_map.directional, by_map.direction), (by_number.directional, by_number.direction));
}

#[test]
fn maps_out_of_range_and_maps_that_neighbours_cannot_know_are_rejected() {
    let graph = PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] };
    let bad =
        |value: f32| Heightmap::from_fn(flat(21).domain(), |x, y| if (x, y) == (3, 4) { value } else { 1.0 });
    let (zero, negative, none) = (bad(0.0), bad(-1.0), bad(f32::NAN));
    let refused = |details: Details<'_>, borders: Borders| {
        let p = Subdivide { details, borders, ..parameters() };
        subdivide(&flat(21), &graph, &p, &Silent).unwrap_err()
    };
    let said = |details: Details<'_>| match refused(details, Borders::Free) {
        SubdivideError::Sample(bad) => bad.to_string(),
        other => panic!("{other:?}"),
    };
    let place = "at column 3, row 4, world (6, 8): expected a number";
    let details = Details::default();
    assert_eq!(
        said(Details { max_slope: Some(&zero), ..details }),
        format!("`max_slope` is 0 {place} greater than 0")
    );
    assert_eq!(
        said(Details { border: Some(&negative), ..details }),
        format!("`border` is -1 {place} of 0 or more")
    );
    assert!(said(Details { roughness: Some(&none), ..details }).starts_with("`roughness` is NaN"));
    let shared = Details { border: Some(&bad(2.0)), ..details };
    assert_eq!(refused(shared, Borders::Shared), SubdivideError::SharedMap { name: "border" });
    let wide = Details { edge_widths: &[20.0], ..details };
    assert_eq!(refused(wide, Borders::Shared), SubdivideError::SharedWidth { widest: 20.0, most: 8.0 });
}
