//! Earth moved by the fast solvers on gentle and steep ground, beside the optimum.

use terrane_grid::{Domain, PlanarGraph, ScalarMap, Seed};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use super::bank_tests::{BriefMap, Road, check as keeps_invariants};
use super::*;
use crate::Silent;
use crate::path::{Zone, widened};

/// Samples on each side of a map.
const SIDE: usize = 49;

/// Samples around those that the optimum moves where other ground of the same cost may move.
const BESIDE: usize = 3;

/// Fractal ground, 4 m from sample to sample.
fn ground(side: usize, seed: Seed, wavelength: f64, amplitude: f64) -> BriefMap {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 7,
        wavelength,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let drive = Drive { amplitude: ScalarMap::Constant(amplitude as f32), ..Drive::default() };
    let domain = Domain::new(side, side).with_spacing(4.0);
    BriefMap(noise.heights(&domain, seed, &drive, &Silent).unwrap())
}

/// Roads between places of a ground, with the bounds of `SubdividePath` at its defaults.
fn road(map: BriefMap, nodes: Vec<(f64, f64)>, edges: Vec<(u32, u32)>, zone: Zone) -> Road {
    Road {
        map,
        graph: PlanarGraph { nodes, edges },
        width: 8.0,
        border: zone.border,
        max_slope: 0.1,
        slope_gain: zone.slope_gain,
        bank_slope: 0.7,
    }
}

/// Roads between three places of ground that is up to 80 m high, with the zone of gentle ground.
fn random(seed: u64) -> Road {
    let lattice = Seed(seed).lattice();
    let unit = |number: i64| f64::from(lattice.unit(number, 77));
    let amplitude = 4.0 * libm::pow(20.0, unit(0));
    let place = |number: i64| 16.0 + 160.0 * unit(number);
    let nodes = vec![(place(2), place(3)), (place(4), place(5)), (place(6), place(7))];
    let mut edges = vec![(0, 1), (1, 2)];
    edges.retain(|&(a, b)| {
        let ((ax, ay), (bx, by)): ((f64, f64), (f64, f64)) = (nodes[a as usize], nodes[b as usize]);
        (ax - bx).abs() + (ay - by).abs() > 40.0
    });
    road(ground(SIDE, Seed(seed), 100.0 + 250.0 * unit(1), amplitude), nodes, edges, Zone::GENTLE)
}

/// Checks that both fast solvers move at most `most` times the earth of the optimum, and no sample beyond its
/// banks. Returns the cost of the optimum.
fn check(road: &Road, most: f64, name: &str) -> f64 {
    let s = road.subdivision();
    let best = road.optimum(&s, 1e-5, None);
    let (before, size) = (road.map.samples(), road.map.domain().size);
    let pairs = best.heights.iter().zip(before);
    let moves = pairs.map(|(now, then)| (now - f64::from(*then)).abs() > 1e-6).collect();
    let near = widened(moves, size, BESIDE);
    for solver in [Solver::Draft, Solver::NearOptimal] {
        let built = keeps_invariants(road, &s, solver);
        let cost = road.moved(&built);
        // Heights of single precision are 4 µm apart.
        assert!(cost <= most * best.cost + 0.01, "{name}, {solver:?}: {cost} against {}", best.cost);
        let rounded = built.grid();
        let far = rounded.as_slice().iter().zip(before).zip(&near);
        let moved = far.filter(|((now, then), near)| now != then && !**near).count();
        assert_eq!(moved, 0, "{name}, {solver:?}: samples that move beyond the banks");
    }
    best.cost
}

/// Both fast solvers used to move up to 459,000 times as much earth where few bounds are missed, as a film
/// over the whole map.
#[test]
fn fast_solvers_move_what_the_optimum_moves_and_nothing_else() {
    let costs = (0..24).map(|seed| check(&random(seed), 1.02, &format!("seed {seed}")));
    let missing = costs.filter(|cost| *cost > 1e-3).count();
    assert!(missing >= 10, "most roads need earthworks: {missing}");
}

/// A road down a slope that is steeper than a bank: local sweeps take too long, both before the other solver
/// and after it. Beyond the banks, 695 samples used to move by up to a centimetre.
#[test]
fn where_sweeps_take_long_nothing_moves_beyond_the_banks() {
    let map = ground(65, Seed(57).mixed(0), 256.5581262111664, 76.86928123235703);
    let nodes = vec![
        (239.68750286102295, 233.09157752990723),
        (201.1411600112915, 137.70520210266113),
        (147.20557308197021, 176.7282314300537),
    ];
    let zone = Zone::suiting(&map, 8.0);
    let cost = check(&road(map, nodes, vec![(0, 1), (1, 2)], zone), 1.1, "steep ground");
    assert!(cost > 1000.0, "{cost}");
}

/// Roads over large steep ground. Of up to 19,026 samples that moved, 7,019 used to be beyond the banks.
#[test]
fn over_large_ground_nothing_moves_beyond_the_banks() {
    let side = 257;
    for seed in [2, 4] {
        let lattice = Seed(seed).lattice();
        let unit = |number: i64| f64::from(lattice.unit(number, 78));
        let place = |number: i64| 40.0 + (4.0 * side as f64 - 80.0) * unit(number);
        let nodes = vec![(place(2), place(3)), (place(4), place(5)), (place(6), place(7))];
        let map = ground(side, Seed(seed), 150.0 + 250.0 * unit(1), 100.0 + 100.0 * unit(0));
        let zone = Zone::suiting(&map, 8.0);
        let road = road(map, nodes, vec![(0, 1), (1, 2)], zone);
        let s = road.subdivision();
        for solver in [Solver::Draft, Solver::NearOptimal] {
            let built = keeps_invariants(&road, &s, solver).grid();
            let moves = built.as_slice().iter().zip(road.map.samples()).map(|(now, then)| (now - then).abs());
            let moves: Vec<f32> = moves.collect();
            let banks = widened(moves.iter().map(|by| *by > 0.05).collect(), (side, side), 4);
            let moved = moves.iter().filter(|by| **by > 0.0).count();
            let far = moves.iter().zip(&banks).filter(|(by, near)| **by > 0.0 && !**near).count();
            println!("seed {seed}, {solver:?}: {moved} samples move, {far} beyond the banks");
            assert!(moved > 3000 && far * 100 < moved, "seed {seed}, {solver:?}: {far} of {moved}");
        }
    }
}
