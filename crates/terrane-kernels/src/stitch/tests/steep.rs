//! How steep stitched ground is beside what stitching needs.

use rayon::prelude::*;
use terrane_grid::Heightmap;

use super::drawn::{Draw, KINDS, graph, world};
use super::worlds::World;
use crate::stitch::outline::edges;
use crate::stitch::line::Line;
use crate::stitch::seam::{Seam, seams};
use crate::stitch::{Method, NONE, Stitch};

/// The greatest step between neighbours as a part of what is allowed: the greater of the fields' own greatest step and what the difference of all
/// fields in reach needs over the least distance there; and the step itself.
fn worst(world: &World, parameters: &Stitch<'_>, map: &Heightmap) -> (f64, f64, (usize, usize)) {
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
    pairs(&mut |a, b| if ids[a] == ids[b] { own = own.max((before[a] - before[b]).abs()) });
    // Across what is in no field, however thin, nothing is stitched.
    let joined = |a: (usize, usize), b: (usize, usize)| {
        let p = (world.domain.x(a.0), world.domain.y(a.1));
        let between = |seam: &&Seam| {
            let fields = seam.sides.map(|side| side.field);
            fields.contains(&ids[a]) && fields.contains(&ids[b])
        };
        ids[a] == ids[b]
            || seams.iter().filter(between).any(|seam| seam.line.see(0, p).square < 2.0 * world.domain.spacing * world.domain.spacing)
    };
    let (mut most, mut step, mut place) = (0.0f64, 0.0f64, (0, 0));
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
        if here > most * allowed {
            (most, place) = (here / allowed, a);
        }
    });
    (most, step, place)
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
fn case(number: u64) -> (terrane_grid::PlanarGraph, f64, Vec<Option<f64>>, Vec<Option<f64>>) {
    let mut draw = Draw::new(number);
    let distance = draw.between(6.0, 60.0);
    let graph = graph(number, distance, &mut draw);
    let mut some = |count: usize, part: f64| -> Vec<Option<f64>> {
        (0..count).map(|_| (draw.between(0.0, 1.0) < part).then(|| distance * draw.between(0.1, 2.0))).collect()
    };
    let (fields, of_edges) = match number / KINDS % 4 {
        2 => (some(200, 0.3), Vec::new()),
        3 => (Vec::new(), some(graph.edges.len(), 0.2)),
        _ => (Vec::new(), Vec::new()),
    };
    (graph, distance, fields, of_edges)
}

#[test]
#[ignore = "figures"]
fn figures() {
    for method in [Method::Linear, Method::Smooth] {
        let mut all: Vec<_> = (0..200u64)
            .into_par_iter()
            .map(|number| {
                let (graph, distance, fields, of_edges) = case(number);
                let parameters =
                    Stitch { method, distance, field_distances: &fields, edge_distances: &of_edges, ..Stitch::default() };
                let of = |spacing: f64| {
                    let world = world(&graph, spacing, number);
                    let found = world.stitched(&parameters).heights;
                    worst(&world, &parameters, &found)
                };
                let [coarse, fine] = [of(1.0), of(0.5)];
                (coarse.0.max(fine.0), coarse, fine, number, distance)
            })
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        println!("{method:?}: over 1.5: {}, over 1: {}", all.iter().filter(|a| a.0 > 1.5).count(), all.iter().filter(|a| a.0 > 1.0).count());
        println!("not halved (0.6): {}", all.iter().filter(|a| a.2.1 / a.1.1 > 0.6).count());
        for a in all.iter().take(12) {
            println!(
                "{} kind {} dist {:.1} mode {}: ratio {:.2} {:.2} step {:.2} {:.2} at {:?} {:?}",
                a.3, a.3 % KINDS, a.4, a.3 / KINDS % 4, a.1.0, a.2.0, a.1.1, a.2.1, a.1.2, a.2.2
            );
        }
    }
    let _ = (edges, Line::new);
}

