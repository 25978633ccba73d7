mod beds;
mod begins;
mod courses;
mod junctions;
mod networks;

use terrane_grid::{Domain, Seed};

use super::super::line::Line;
use super::super::nearness::rise;
use super::*;
use crate::Silent;
use crate::sectioning::{scattered, section, voronoi_graph};

/// A feature with the node's defaults.
pub fn feature(edges: &[u32]) -> Feature<'_> {
    let bend = Bend::default();
    let (crest, fall, deepest) = (Crest::Even, 0.001, 0.5);
    Feature { edges, size: -5.0, width: 20.0, profile: &[], crest, bend, fall, deepest }
}

pub fn outlines(graph: &PlanarGraph) -> Vec<Outline> {
    let sections = section(graph).unwrap();
    let outline = |field: &crate::sectioning::Field| Outline {
        rings: std::iter::once(&field.ring).chain(&field.holes).map(|ring| ring.nodes.clone()).collect(),
    };
    sections.fields.iter().map(outline).collect()
}

/// Cells of a square from 0 to `side`.
pub fn cells(count: usize, side: f64, seed: u64) -> PlanarGraph {
    let sites = scattered(count, (0.0, 0.0), (side, side), Seed(seed)).unwrap();
    voronoi_graph(&sites, (0.0, 0.0), (side, side), &Silent).unwrap()
}

/// Ground with hills of many sizes.
pub fn hills(domain: Domain, height: f64, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    let octave = |x: f64, y: f64, cell: f64| {
        let (x, y) = (x / cell, y / cell);
        let corner = |dx: i64, dy: i64| f64::from(lattice.unit(x as i64 + dx, y as i64 + dy));
        let (across, down) = (rise(x - x.floor()), rise(y - y.floor()));
        let row = |dy: i64| corner(0, dy) * (1.0 - across) + corner(1, dy) * across;
        row(0) * (1.0 - down) + row(1) * down
    };
    Heightmap::from_fn(domain, |column, row| {
        let (x, y) = (domain.x(column) + 1e4, domain.y(row) + 1e4);
        let sum: f64 = (0..6).map(|n| octave(x, y, 80.0 / f64::from(1 << n)) / f64::from(1 << n)).sum();
        (height * sum) as f32
    })
}

fn slope(size: usize) -> Heightmap {
    Heightmap::from_fn(Domain::new(size, size), |x, y| 0.5 * x as f32 + ((x * 7 + y * 3) % 5) as f32)
}

/// Three edges that meet in a square, and its border.
fn cross() -> PlanarGraph {
    PlanarGraph {
        nodes: vec![
            (4.0, 20.0),
            (20.0, 20.0),
            (36.0, 20.0),
            (20.0, 36.0),
            (-90.0, -90.0),
            (90.0, -90.0),
            (90.0, 90.0),
            (-90.0, 90.0),
        ],
        edges: vec![(0, 1), (1, 2), (1, 3), (4, 5), (5, 6), (6, 7), (7, 4)],
    }
}

/// On a slope a bed has its depth below the ground along its course, and is level across for a sample;
/// ground beyond its side keeps its bits.
#[test]
fn a_river_follows_the_slope_and_ground_beside_it_stays() {
    let map = Heightmap::from_fn(Domain::new(41, 41), |x, _| 0.5 * x as f32);
    let graph = cross();
    let feature = Feature { size: -4.0, width: 8.0, fall: 0.0, ..feature(&[0, 1, 2]) };
    let (out, mask) = trace(&map, &graph, &outlines(&graph), &feature, &Silent).unwrap();
    let deep = |x: usize, y: usize| f64::from(map[(x, y)] - out[(x, y)]);
    for x in 12..36 {
        // It begins at (36, 20), and has its full depth from a width on; near the centre node samples are
        // in the middle of two beds.
        let wanted = 4.0 * rise((36 - x) as f64 / 8.0);
        // Points that define the bed are half a sample apart.
        assert!(x == 21 || (deep(x, 20) - wanted).abs() < 0.01 || x < 13, "{x} {}", deep(x, 20));
        // Except near the centre node, the bed is level across.
        if !(18..=22).contains(&x) {
            assert_eq!([19, 21].map(|y| out[(x, y)]), [out[(x, 20)]; 2]);
        }
        assert_eq!(mask[(x, 20)], 1.0);
    }
    // Where it ends or begins, it is as low as the lowest sample next to it.
    assert_eq!([deep(4, 20), deep(36, 20), deep(20, 36)], [0.5, 0.0, 0.5]);
    for y in 0..41 {
        for x in 0..41 {
            let near = graph.edges[..3].iter().any(|&(a, b)| {
                let line = Line::new([a, b].map(|node| graph.nodes[node as usize])).unwrap();
                line.see(0, (x as f64, y as f64)).square < 16.0
            });
            assert_eq!(mask[(x, y)] > 0.0, near, "{x} {y}");
            assert!(near || out[(x, y)].to_bits() == map[(x, y)].to_bits());
            assert!(out[(x, y)] <= map[(x, y)], "a river raises nothing");
        }
    }
}

#[test]
fn a_ridge_stands_on_the_ground_by_its_profile() {
    let (map, graph) = (slope(41), cross());
    let profile = [(0.0, 1.0), (0.5, 0.25)];
    let ridge =
        Feature { size: 10.0, width: 8.0, profile: &profile, crest: Crest::Ground, ..feature(&[0, 1]) };
    let (out, _) = trace(&map, &graph, &outlines(&graph), &ridge, &Silent).unwrap();
    let raised = |x: usize, y: usize| out[(x, y)] - map[(x, y)];
    assert!((raised(14, 20) - 10.0).abs() < 1e-5);
    assert!((raised(14, 22) - 2.5).abs() < 1e-5 && (raised(14, 21) - 6.25).abs() < 1e-5);
    assert!((raised(14, 23) - 1.25).abs() < 1e-5 && raised(14, 24) == 0.0);
}

/// Rivers and ridges along the outer border of all fields, and ends that stick out of it, change nothing
/// outside.
#[test]
fn ground_outside_of_all_fields_stays() {
    let domain = Domain::new(81, 81).with_origin(-20.0, -20.0);
    let graph = cells(7, 40.0, 3);
    let (map, all): (_, Vec<u32>) = (hills(domain, 30.0, 5), (0..graph.edges.len() as u32).collect());
    let ids = rasterise(&graph, &outlines(&graph), &domain);
    let ids: Vec<u32> = (0..81).flat_map(|row| ids.row(row).to_vec()).collect();
    let outside = ids.iter().filter(|id| **id == NONE).count();
    for (size, crest) in [(-9.0, Crest::Even), (9.0, Crest::Even), (9.0, Crest::Ground)] {
        let feature = Feature { size, crest, ..feature(&all) };
        let (out, mask) = trace(&map, &graph, &outlines(&graph), &feature, &Silent).unwrap();
        let stays = (0..map.samples().len()).filter(|&at| {
            ids[at] == NONE
                && mask.samples()[at] == 0.0
                && out.samples()[at].to_bits() == map.samples()[at].to_bits()
        });
        assert_eq!(stays.count(), outside);
        assert!(mask.samples().iter().filter(|&&part| part > 0.0).count() > 800);
    }
}

/// Heights that are not a number stay so, and remove only the edges that end there.
#[test]
fn ground_that_is_no_number_leaves_edges_out() {
    let (mut map, graph) = (slope(41), cross());
    map.samples_mut()[20 * 41 + 36] = f32::NAN;
    map.samples_mut()[20 * 41 + 12] = f32::NAN;
    let with = trace(&map, &graph, &outlines(&graph), &feature(&[0, 1, 2]), &Silent).unwrap();
    assert_eq!(with.0.samples().iter().filter(|height| height.is_nan()).count(), 2);
    assert!(with.0[(20, 30)] < map[(20, 30)] && with.0[(33, 20)] == map[(33, 20)]);
}

#[test]
fn the_order_of_nodes_and_edges_and_threads_do_not_matter() {
    let domain = Domain::new(101, 101);
    let (graph, map) = (cells(14, 100.0, 8), hills(domain, 40.0, 2));
    let turned = PlanarGraph {
        nodes: graph.nodes.iter().rev().copied().collect(),
        edges: graph.edges.iter().rev().map(|&(a, b)| (number(&graph, b), number(&graph, a))).collect(),
    };
    let of = |graph: &PlanarGraph, edges: &[u32], threads: usize| {
        let bend = Bend { amount: 0.8, length: 30.0, seed: Seed(3) };
        let feature = Feature { bend, ..feature(edges) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trace(&map, graph, &outlines(graph), &feature, &Silent).unwrap())
    };
    let last = graph.edges.len() as u32 - 1;
    let found = of(&graph, &[3, 5, 6, 7, 9], 1);
    assert_eq!(found, of(&graph, &[9, 6, 5, 7, 3, 5], 3));
    assert_eq!(found, of(&turned, &[last - 3, last - 5, last - 6, last - 7, last - 9], 16));
    assert!(found.1.samples().iter().filter(|&&part| part > 0.0).count() > 500);
}

fn number(graph: &PlanarGraph, node: u32) -> u32 {
    graph.nodes.len() as u32 - 1 - node
}

#[test]
fn it_stops_when_cancelled() {
    let (map, graph) = (slope(41), cross());
    let stopped = trace(&map, &graph, &outlines(&graph), &feature(&[0, 1, 2]), &terrane_compute::Stop);
    assert_eq!(stopped, Err(Cancelled));
}
