//! Earth moved by the fast solvers on gentle and steep ground, beside the optimum.

use terrane_grid::{Domain, PlanarGraph, ScalarMap, Seed};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use super::bank_tests::{BriefMap, Road};
use super::*;
use crate::Silent;
use crate::path::widened;

/// Samples on each side of a map.
const SIDE: usize = 49;

/// Samples around those that the optimum moves where other ground of the same cost may move.
const BESIDE: usize = 3;

/// Roads between three places of fractal ground that is up to 60 m high, with the bounds of `SubdividePath`
/// at its defaults.
fn road(seed: u64) -> Road {
    let lattice = Seed(seed).lattice();
    let unit = |number: i64| 0.5 + 0.5 * f64::from(lattice.unit(number, 77));
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 7,
        wavelength: 100.0 + 250.0 * unit(1),
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let amplitude = 4.0 * libm::pow(20.0, unit(0));
    let drive = Drive { amplitude: ScalarMap::Constant(amplitude as f32), ..Drive::default() };
    let domain = Domain::new(SIDE, SIDE).with_spacing(4.0);
    let place = |number: i64| 16.0 + 160.0 * unit(number);
    let mut graph = PlanarGraph {
        nodes: vec![(place(2), place(3)), (place(4), place(5)), (place(6), place(7))],
        edges: vec![(0, 1), (1, 2)],
    };
    graph.edges.retain(|&(a, b)| {
        let ((ax, ay), (bx, by)) = (graph.nodes[a as usize], graph.nodes[b as usize]);
        (ax - bx).abs() + (ay - by).abs() > 40.0
    });
    Road {
        map: BriefMap(noise.heights(&domain, Seed(seed), &drive, &Silent).unwrap()),
        graph,
        width: 8.0,
        border: 16.0,
        max_slope: 0.1,
        slope_gain: 0.05,
        bank_slope: 0.7,
    }
}

/// Both fast solvers used to move up to 459,000 times as much earth where few bounds are missed, as a film
/// over the whole map.
#[test]
fn fast_solvers_move_what_the_optimum_moves_and_nothing_else() {
    let mut missing = 0;
    for seed in 0..16 {
        let road = road(seed);
        let s = road.subdivision();
        let best = road.optimum(&s, 1e-5, None);
        let before = road.map.samples();
        let moves = |heights: &[f64]| {
            let pairs = heights.iter().zip(before);
            pairs.map(|(now, then)| (now - f64::from(*then)).abs() > 1e-6).collect::<Vec<_>>()
        };
        let near = widened(moves(&best.heights), (SIDE, SIDE), BESIDE);
        missing += usize::from(best.cost > 1e-3);
        for solver in [Solver::Draft, Solver::NearOptimal] {
            let built = road.built(&s, solver);
            let cost = road.moved(&built);
            // Heights of single precision are 4 µm apart.
            assert!(cost <= 1.02 * best.cost + 0.01, "seed {seed}, {solver:?}: {cost} against {}", best.cost);
            let rounded = built.grid();
            let far = rounded.as_slice().iter().zip(before).zip(&near);
            let moved = far.filter(|((now, then), near)| now != then && !**near).count();
            assert_eq!(moved, 0, "seed {seed}, {solver:?}: samples that move beyond the banks");
        }
    }
    assert!(missing >= 10, "most roads need earthworks: {missing}");
}
