//! No cliffs, walls or rails, on any planar graph.

use rayon::prelude::*;
use terrane_grid::{Domain, PlanarGraph};

use super::drawn::{Draw, KINDS, graph, noisy_world, world};
use super::steepness::steep;
use super::worlds::World;
use crate::stitch::{Method, Stitch};

/// The test case with this number: its graph and parameters.
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

/// The steepest of 200 graphs relative to each bound, and the graphs whose steps do not shrink to at most 0.6
/// when the spacing halves.
///
/// A cliff keeps its height at any spacing. Slopes over less than a sample, at a crease or where borders are
/// closer than samples, only show their full steepness with finer samples. So steps of the linear method must
/// halve from some spacing on, at the third try at the latest. Steps of the smooth method must halve at once.
/// Ground no steeper than the unstitched fields is no cliff: noise, too, shows its full steepness only with
/// fine samples.
fn steepest(method: Method, world: fn(&PlanarGraph, f64, u64) -> World) -> ([(f64, u64); 2], Vec<u64>) {
    let found: Vec<([(f64, u64); 2], bool)> = (0..200u64)
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
            let of = |spacing: f64| {
                let world = world(&graph, spacing, number);
                steep(&world, &parameters, &world.stitched(&parameters).heights)
            };
            let (first, mut fine) = (of(1.0), of(0.5));
            let beside = (first.beside.max(fine.beside), number);
            let mut together = (first.together.max(fine.together), number);
            let mut even = fine.step <= (0.6 * first.step).max(fine.own);
            for spacing in [0.25, 0.125] {
                if even || method == Method::Smooth {
                    break;
                }
                let finer = of(spacing);
                together.0 = together.0.max(finer.together);
                even = finer.step <= (0.6 * fine.step).max(finer.own);
                fine = finer;
            }
            ([beside, together], even)
        })
        .collect();
    let most =
        |which: usize| found.iter().map(|found| found.0[which]).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let uneven = (0..200).filter(|&number| !found[number as usize].1).collect();
    ([most(0), most(1)], uneven)
}

/// Two hundred graphs, half of them with individual distances for fields and edges. Nothing is steeper than a
/// fixed multiple of what the difference of the fields requires. On and around edges of a hundredth of the
/// distance, this multiple is the same as elsewhere. With half the spacing, no step is more than half of
/// that.
#[test]
fn no_edge_however_short_makes_cliffs() {
    for method in [Method::Linear, Method::Smooth] {
        let ([beside, together], uneven) = steepest(method, world);
        assert!(beside.0 < 1.5, "{method:?}: {beside:?}");
        assert!(together.0 <= 1.0, "{method:?}: {together:?}");
        assert!(uneven.is_empty(), "{method:?}: {uneven:?}");
    }
}

/// The same with noise on all fields, where a field's own slope and the change's slope add.
#[test]
fn no_edge_makes_cliffs_of_noise() {
    for method in [Method::Linear, Method::Smooth] {
        let ([_, together], uneven) = steepest(method, noisy_world);
        assert!(together.0 <= 1.0, "{method:?}: {together:?}");
        assert!(uneven.is_empty(), "{method:?}: {uneven:?}");
    }
}

/// The maximum step between neighbours in any field or across edges.
fn step(world: &World, parameters: &Stitch<'_>) -> f64 {
    steep(world, parameters, &world.stitched(parameters).heights).step
}

/// Three flat fields that meet in a node, and one edge with a much smaller distance than the others.
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

/// Fields in wedges around a node, by their angles in degrees; the rest of the circle is outside.
fn fan(angles: &[i32], heights: impl Fn(usize) -> f32, spacing: f64) -> World {
    let (middle, radius) = (60.3, 60.0);
    let at = |degrees: i32| {
        let angle = f64::from(degrees).to_radians();
        (middle + radius * libm::cos(angle), middle + radius * libm::sin(angle))
    };
    let mut nodes = vec![(middle, middle)];
    let mut known: Vec<i32> = Vec::new();
    let mut from = 0;
    let rings: Vec<Vec<u32>> = angles
        .iter()
        .map(|&angle| {
            let arc = (0..=24).map(|i| (from + angle * i / 24) % 360);
            let mut ring = vec![0];
            for degrees in arc {
                let position = known.iter().position(|&other| other == degrees).unwrap_or_else(|| {
                    known.push(degrees);
                    nodes.push(at(degrees));
                    known.len() - 1
                });
                ring.push(position as u32 + 1);
            }
            ring.dedup();
            from += angle;
            ring
        })
        .collect();
    let rings: Vec<&[u32]> = rings.iter().map(Vec::as_slice).collect();
    let samples = (121.0 / spacing) as usize + 1;
    let domain = Domain::new(samples, samples).with_spacing(spacing);
    World::new(&nodes, &rings, domain, |field, _, _| heights(field))
}

/// The maximum slope in a fan relative to its difference divided by the distance, at two spacings: that of
/// a wall doubles at the second.
fn steepest_of_fan(method: Method, angles: &[i32], heights: impl Fn(usize) -> f32) -> f64 {
    let parameters = Stitch { method, distance: 30.0, ..Stitch::default() };
    let of = |spacing: f64| {
        let world = fan(angles, &heights, spacing);
        let step = steep(&world, &parameters, &world.stitched(&parameters).heights).step;
        step / spacing * 30.0 / 110.0
    };
    of(1.0).max(of(0.5))
}

/// Where a border ends next to the outside, the field around its end views it from behind, too: no wall
/// forms there, whatever the angles.
#[test]
fn around_the_end_of_a_border_there_is_no_wall() {
    let angles = [5, 10, 30, 60, 90, 120, 170];
    for method in [Method::Linear, Method::Smooth] {
        let found = angles.into_par_iter().flat_map_iter(|thin| {
            angles.into_iter().map(move |open| {
                let fields = [thin, 360 - thin - open];
                (steepest_of_fan(method, &fields, |field| 110.0 * field as f32), thin, open)
            })
        });
        let worst = found.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert!(worst.0 <= 1.5, "{method:?}: {worst:?}");
    }
}

/// Where many fields meet, including thin ones, with and without a gap between them: the maximum steepness,
/// whichever of them is high. This is the price of a smooth stitch without creases: weights that fall
/// linearly from borders are no steeper than 3/2, but fans of creases form around nodes.
#[test]
fn where_many_fields_meet_there_is_no_wall() {
    let fans: [&[i32]; 16] = [
        &[5, 5, 300],
        &[5, 5, 5, 300],
        &[5, 5, 5, 5, 300],
        &[120, 100, 100],
        &[60, 60, 60, 60],
        &[20, 20, 20, 20, 200],
        &[10, 150, 10, 150],
        &[170, 5, 5, 150],
        &[10, 10, 10, 10, 10, 10, 200],
        &[120, 120, 120],
        &[350, 5, 5],
        &[300, 30, 30],
        &[330, 10, 10, 10],
        &[300, 15, 15, 15, 15],
        &[175, 5, 175, 5],
        &[300, 10, 10, 10, 10, 10, 10],
    ];
    for (method, most) in [(Method::Linear, 1.5), (Method::Smooth, 2.3)] {
        let found = fans.into_par_iter().flat_map_iter(|angles| {
            (0..=angles.len()).map(move |high| {
                // One of them is high; and every other one.
                let is_high =
                    move |field: usize| if high < angles.len() { field == high } else { field % 2 == 1 };
                let found = steepest_of_fan(method, angles, |field| if is_high(field) { 110.0 } else { 0.0 });
                (found, angles, high)
            })
        });
        let worst = found.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        assert!(worst.0 <= most, "{method:?}: {worst:?}");
    }
}

/// A field far thinner than a sample in a mountain: its ends do not show.
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

/// Two fields separated by a gap, next to a third: across a gap, a field counts only as much as the border
/// that is in reach with it.
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
