//! How steep stitched ground is beside what stitching needs.

use rayon::prelude::*;
use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::drawn::{Draw, KINDS, graph, noisy_world, world};
use super::worlds::World;
use crate::stitch::seam::{Seam, seams};
use crate::stitch::{Method, NONE, Stitch};

/// The greatest step between neighbours as a part of what is allowed: the greater of the fields' own greatest step and what the difference of all
/// fields in reach needs over the least distance there; and the step itself.
fn worst(world: &World, parameters: &Stitch<'_>, map: &Heightmap) -> (f64, f64) {
    let ids = world.ids();
    let seams = seams(&world.graph, &world.outlines, parameters);
    let (width, height) = world.domain.size;
    let before = world.before();
    let pairs = |of: &mut dyn FnMut((usize, usize), (usize, usize))| {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            for other in [(x + 1, y), (x, y + 1)] {
                if other.0 < width && other.1 < height && ids[(x, y)] != NONE && ids[other] != NONE {
                    of((x, y), other);
                }
            }
        }
    };
    let mut own = 0.0f32;
    pairs(&mut |a, b| {
        if ids[a] == ids[b] {
            own = own.max((before[a] - before[b]).abs());
        }
    });
    // Across what is in no field, however thin, nothing is stitched.
    let joined = |a: (usize, usize), b: (usize, usize)| {
        let p = (world.domain.x(a.0), world.domain.y(a.1));
        let between = |seam: &&Seam| {
            let fields = seam.sides.map(|side| side.field);
            fields.contains(&ids[a]) && fields.contains(&ids[b])
        };
        ids[a] == ids[b]
            || seams
                .iter()
                .filter(between)
                .any(|seam| seam.line.see(0, p).square < 2.0 * world.domain.spacing * world.domain.spacing)
    };
    let (mut most, mut step) = (0.0f64, 0.0f64);
    pairs(&mut |a, b| {
        if !joined(a, b) {
            return;
        }
        let here = f64::from((map[a] - map[b]).abs());
        step = step.max(here);
        if here <= most * f64::from(own) {
            return;
        }
        let allowed = f64::from(own).max(world.domain.spacing * needed(world, &seams, a));
        most = most.max(here / allowed);
    });
    (most, step)
}

/// The slope that the difference of the fields around a sample needs.
fn needed(world: &World, seams: &[Seam], at: (usize, usize)) -> f64 {
    let p = (world.domain.x(at.0), world.domain.y(at.1));
    let (mut low, mut high, mut least) = (f64::MAX, f64::MIN, f64::MAX);
    for seam in seams {
        let near = seam.line.see(0, p).square.sqrt();
        // A border that reaches here brings the fields that reach it.
        let most = seam.sides[0].distance.max(seam.sides[1].distance);
        if near < 2.0 * most + world.domain.spacing {
            for side in &seam.sides {
                let height = f64::from(world.terrains[side.field as usize][at]);
                (low, high) = (low.min(height), high.max(height));
                if near < side.distance + world.domain.spacing {
                    least = least.min(side.distance);
                }
            }
        }
    }
    if least < f64::MAX { (high - low) / least } else { 0.0 }
}

/// The case of a number: its graph and parameters.
fn case(number: u64) -> (PlanarGraph, f64, Vec<Option<f64>>, Vec<Option<f64>>) {
    let mut draw = Draw::new(number);
    let distance = draw.between(12.0, 60.0);
    let graph = graph(number, distance, &mut draw);
    let mut some = |count: usize, part: f64| -> Vec<Option<f64>> {
        (0..count)
            .map(|_| (draw.between(0.0, 1.0) < part).then(|| distance * draw.between(0.3, 2.0)))
            .collect()
    };
    let (fields, of_edges) = match number / KINDS % 4 {
        2 => (some(200, 0.3), Vec::new()),
        3 => (Vec::new(), some(graph.edges.len(), 0.2)),
        _ => (Vec::new(), Vec::new()),
    };
    (graph, distance, fields, of_edges)
}

/// The steepest of 200 graphs, and how many have steps that do not halve with the spacing: to more than 0.6.
fn steepest(method: Method, world: fn(&PlanarGraph, f64, u64) -> World) -> ((f64, u64), usize) {
    let found: Vec<((f64, u64), bool)> = (0..200u64)
        .into_par_iter()
        .map(|number| {
            let (graph, distance, fields, of_edges) = case(number);
            let parameters = Stitch {
                method,
                distance,
                field_distances: &fields,
                edge_distances: &of_edges,
                ..Stitch::default()
            };
            let [coarse, fine] = [1.0, 0.5].map(|spacing| {
                let world = world(&graph, spacing, number);
                worst(&world, &parameters, &world.stitched(&parameters).heights)
            });
            ((coarse.0.max(fine.0), number), fine.1 > 0.6 * coarse.1)
        })
        .collect();
    let steepest = found.iter().map(|found| found.0).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    (steepest, found.iter().filter(|found| found.1).count())
}

/// Two hundred graphs, half of their fields' and edges' distances of their own: nothing is steeper than the difference of the fields needs, times so much,
/// on edges of a hundredth of the distance and around them no more than elsewhere; and with half the spacing no step is more than half of that. Steps
/// of the smooth stitch halve.
#[test]
fn no_edge_however_short_makes_cliffs() {
    for method in [Method::Linear, Method::Smooth] {
        let (steepest, uneven) = steepest(method, world);
        assert!(steepest.0 < 1.5, "{method:?}: {steepest:?}");
        assert!(method == Method::Linear || uneven == 0, "{uneven}");
    }
}

/// The same with noise on all fields, where both a field's own slope and the change's add.
#[test]
fn no_edge_makes_cliffs_of_noise() {
    for method in [Method::Linear, Method::Smooth] {
        let (steepest, uneven) = steepest(method, noisy_world);
        assert!(steepest.0 < 1.65, "{method:?}: {steepest:?}");
        assert!(method == Method::Linear || uneven < 2, "{uneven}");
    }
}

/// The greatest step between neighbours in any field or across edges.
fn step(world: &World, parameters: &Stitch<'_>) -> f64 {
    worst(world, parameters, &world.stitched(parameters).heights).1
}

/// Three flat fields that meet in a node, and one edge that changes far less than the others.
#[test]
fn an_edge_of_a_short_distance_has_no_rails() {
    let nodes = [
        (0.0, 0.0),
        (100.0, 0.0),
        (200.0, 0.0),
        (200.0, 180.0),
        (200.0, 200.0),
        (0.0, 200.0),
        (0.0, 180.0),
        (100.0, 100.0),
    ];
    let rings: [&[u32]; 3] = [&[0, 1, 7, 6], &[1, 2, 3, 7], &[3, 4, 5, 6, 7]];
    let level = |field: usize, _: f64, _: f64| [60.0, 30.0, 0.0f32][field];
    let distances = [Some(8.0)];
    for method in [Method::Linear, Method::Smooth] {
        let of = |spacing: f64| {
            let samples = (200.0 / spacing) as usize + 1;
            let mut world =
                World::new(&nodes, &rings, Domain::new(samples, samples).with_spacing(spacing), level);
            world.graph.edges = vec![(1, 7)];
            step(&world, &Stitch { method, edge_distances: &distances, ..Stitch::default() })
        };
        let (coarse, fine) = (of(1.0), of(0.5));
        // The whole difference within 8.
        assert!(coarse <= 60.0 / 8.0 && fine <= 30.0 / 8.0, "{method:?} {coarse} {fine}");
    }
}

/// A field far thinner than a sample in a mountain: nothing is seen of its ends.
#[test]
fn a_thin_field_has_no_cliffs_at_its_ends() {
    let nodes = [
        (0.0, 0.0),
        (80.0, 0.0),
        (80.0, 80.0),
        (0.0, 80.0),
        (40.0, 20.0),
        (40.6, 20.0),
        (40.6, 60.0),
        (40.0, 60.0),
    ];
    let rings: [&[u32]; 2] = [&[0, 1, 2, 3], &[4, 5, 6, 7]];
    for method in [Method::Linear, Method::Smooth] {
        let of = |spacing: f64| {
            let samples = (80.0 / spacing) as usize + 1;
            let domain = Domain::new(samples, samples).with_spacing(spacing);
            let mut world = World::new(&nodes, &rings, domain, |field, _, _| 60.0 * field as f32);
            world.outlines[0].rings.push(vec![7, 6, 5, 4]);
            step(&world, &Stitch { method, distance: 30.0, ..Stitch::default() })
        };
        for spacing in [1.0, 0.5, 0.25] {
            assert!(of(spacing) <= 60.0 / 30.0 * spacing, "{method:?} {spacing} {}", of(spacing));
        }
    }
}

/// Two fields with nothing between them, beside a third: of what is seen across nothing no more counts than of the border that is seen with it.
#[test]
fn a_field_across_nothing_comes_into_reach_without_a_step() {
    let nodes = [
        (0.0, 0.0),
        (20.0, 0.0),
        (20.0, 20.0),
        (0.0, 20.0),
        (24.0, 0.0),
        (40.0, 0.0),
        (40.0, 20.0),
        (24.0, 20.0),
        (40.0, 40.0),
        (0.0, 40.0),
    ];
    let rings: [&[u32]; 3] = [&[0, 1, 2, 3], &[3, 2, 7, 6, 8, 9], &[4, 5, 6, 7]];
    let distances = [Some(8.0)];
    let of = |spacing: f64| {
        let samples = (40.0 / spacing) as usize + 1;
        let domain = Domain::new(samples, samples).with_spacing(spacing);
        let mut world = World::new(&nodes, &rings, domain, |field, _, _| [60.0, 60.0, 0.0f32][field]);
        world.graph.edges = vec![(7, 6)];
        let parameters = Stitch { distance: 10.0, edge_distances: &distances, ..Stitch::default() };
        let (ids, map) = (world.ids(), world.stitched(&parameters).heights);
        // In the first field, which has no border with the last.
        let inside = |row: usize| (1..samples).filter(move |_| row > 0).map(move |column| (column, row));
        let steps = (1..samples)
            .flat_map(inside)
            .filter(|&at| ids[at] == 0)
            .map(|(x, y)| (map[(x, y)] - map[(x - 1, y)]).abs().max((map[(x, y)] - map[(x, y - 1)]).abs()));
        steps.fold(0.0, f32::max)
    };
    let (coarse, fine) = (of(0.25), of(0.125));
    assert!(coarse > 0.0 && fine <= 0.6 * coarse, "{coarse} {fine}");
}
