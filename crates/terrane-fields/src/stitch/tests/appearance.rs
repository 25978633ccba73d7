//! The appearance of stitched ground: no steps, creases, fans or ribs.

use terrane_grid::Heightmap;

use super::worlds::{World, flats};
use super::{METHODS, within};
use crate::stitch::Method;

/// The maximum change of height and of slope between samples of a field, away from nodes.
fn roughest(world: &World, map: &Heightmap, clear: f64) -> (f32, f32) {
    let ids = world.ids();
    let (w, h) = world.domain.size;
    let clear_of_nodes = |column: usize, row: usize| {
        let (x, y) = (world.domain.x(column), world.domain.y(row));
        world.graph.nodes.iter().all(|node| (node.0 - x).abs().max((node.1 - y).abs()) > clear)
    };
    let (mut step, mut bend) = (0.0f32, 0.0f32);
    for (column, row) in (1..h - 1).flat_map(|row| (1..w - 1).map(move |column| (column, row))) {
        for [a, b] in [[(column - 1, row), (column + 1, row)], [(column, row - 1), (column, row + 1)]] {
            let own = ids[(column, row)];
            if ids[a] == own && ids[b] == own {
                step = step.max((map[a] - map[(column, row)]).abs());
                if clear_of_nodes(column, row) {
                    bend = bend.max((map[a] + map[b] - 2.0 * map[(column, row)]).abs());
                }
            }
        }
    }
    (step, bend)
}

#[test]
fn changes_are_continuous_and_smooth_ones_have_no_creases() {
    // With half the spacing, steps of continuous ground become half as high, and bends of crease-free
    // ground a quarter; at a crease they only halve.
    for method in METHODS {
        let rough = |spacing: f64| {
            let world = World::grid(2, spacing, 3, flats);
            roughest(&world, &world.stitched(&within(method, 5.0)).heights, 2.0)
        };
        let ((step, bend), (fine_step, fine_bend)) = (rough(0.125), rough(0.0625));
        assert!(fine_step < 0.65 * step, "{method:?} {step} {fine_step}");
        let creased = fine_bend > 0.4 * bend;
        assert_eq!(creased, method == Method::Linear, "{method:?} {bend} {fine_bend}");
    }
}

#[test]
fn odd_fields_are_continuous_too() {
    for method in METHODS {
        let rough = |spacing: f64| {
            let world = World::odd(spacing, flats);
            roughest(&world, &world.stitched(&within(method, 4.0)).heights, 1.0).0
        };
        let (step, fine) = (rough(0.0625), rough(0.03125));
        assert!(fine < 0.65 * step, "{method:?} {step} {fine}");
    }
}

/// Around a node, where creases of all directions would meet, ground of four level fields is as smooth as
/// elsewhere, across borders too.
#[test]
fn nodes_have_no_fans_of_creases() {
    let bend = |spacing: f64| {
        let world = World::grid(2, spacing, 3, flats);
        let map = world.stitched(&within(Method::Smooth, 5.0)).heights;
        let node = world.graph.nodes[4];
        let [column, row] = [node.0, node.1].map(|at| (at / spacing) as usize);
        let reach = (6.0 / spacing) as usize;
        let bends = (row - reach..row + reach).flat_map(|row| {
            let bends = (column - reach..column + reach).map(move |column| {
                let beside = [[(column - 1, row), (column + 1, row)], [(column, row - 1), (column, row + 1)]];
                beside.map(|pair| (pair, (column, row)))
            });
            bends.flatten()
        });
        bends.map(|([a, b], at)| (map[a] + map[b] - 2.0 * map[at]).abs()).fold(0.0, f32::max)
    };
    let (coarse, fine) = (bend(0.125), bend(0.0625));
    assert!(fine < 0.4 * coarse, "{coarse} {fine}");
}

/// Waves of half the distance along a border have almost vanished a quarter of the distance into a level
/// field.
#[test]
fn no_ribs_run_into_level_fields() {
    let wave = |y: f64| libm::sin(y * std::f64::consts::TAU / 10.0);
    let world = World::pair(|field, _, y| if field == 0 { 10.0 * wave(y) as f32 } else { 0.0 });
    let found = world.stitched(&within(Method::Smooth, 20.0)).heights;
    let most = |column: usize| (40..80).map(|row| found[(column, row)].abs()).fold(0.0, f32::max);
    assert!(most(40) > 4.5 && most(45) < 1.0, "{} {}", most(40), most(45));
}
