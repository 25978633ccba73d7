use proptest::prelude::*;
use terrane_grid::{DIRECTIONS, Domain, Shape};

use super::super::border::{Border, Sides};
use super::super::test_maps::{adversarial, elevation_models, range};
use super::*;
use crate::{Boundary, ScalarMap, Silent};
use slow::Slow;
use terrane_compute::Stop;

mod borders;
mod cliffs;
mod drain;
mod implicit;
mod slow;
mod stages;
mod steep;
mod wide;

/// The paper's parameters.
fn parameters(iterations: u32) -> Fluvial<'static> {
    Fluvial {
        valley_width: None,
        ideal: None,
        value_strength: ScalarMap::Constant(0.02),
        gradient_strength: ScalarMap::Constant(0.8),
        hold: ScalarMap::Constant(1.0),
        moisture: ScalarMap::Constant(1.0),
        erosion: ScalarMap::Constant(0.5),
        held_slope: None,
        talus: None,
        outlets: None,
        iterations,
        solver: Solver::Explicit,
        sea_level: 0.0,
        passed_on: 0.68,
        drainage_exponent: 1.0,
        slope_exponent: 2.0,
        gorge: 0.1,
        diagonals: false,
        jitter: 1.0,
        noise: 0.01,
        unevenness: 0.0,
        drain: false,
        border: Sides::all(Border::Wall),
        boundary: Boundary::Open,
    }
}

fn hills(w: usize, h: usize, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(w, h), |x, y| {
        let octave = |cell: usize| {
            lattice.unit((x / cell) as i64, (y / cell + 1000 * cell) as i64) * (cell as f32).sqrt()
        };
        octave(16) + octave(4) + octave(1) - 2.0
    })
}

/// Compares with the literal implementation. Heights must agree to within a millionth of the relief, drainage
/// to within a hundred-thousandth of its value. Drainage is less exact, since the two implementations add it
/// up in different orders.
fn agrees_with_slow(map: &Heightmap, p: &Fluvial<'_>) {
    let mut slow = Slow::new(map, p, Seed(8));
    (0..p.iterations).for_each(|_| slow.tick());
    let fast = fluvial_erosion(map, p, Seed(8), &Silent, None).unwrap();
    let (low, high) = range(map);
    let size = map.domain().size;
    for (at, (a, b)) in fast.height.samples().iter().zip(&slow.land).enumerate() {
        assert!((a - b).abs() <= 1e-6 * (high - low), "{size:?} {:?} {at}: {a} {b}", p.boundary);
    }
    let receivers = slow.receivers(&slow.total());
    for (at, &found) in fast.drainage.samples().iter().enumerate() {
        let expected = slow.drainage(at, &receivers);
        assert!((found - expected).abs() < 1e-5 * expected, "{size:?} {at}: {found} {expected}");
    }
}

#[test]
fn agrees_with_a_literal_implementation() {
    for (w, h) in [(24, 17), (40, 33), (257, 257), (1, 9), (9, 1), (3, 3)] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            for (n, m) in [(1.0, 2.0), (0.5, 1.0)] {
                if boundary == Boundary::Wrap && w.min(h) < 3 {
                    continue;
                }
                let p = Fluvial { boundary, drainage_exponent: n, slope_exponent: m, ..parameters(4) };
                for diagonals in [false, true] {
                    agrees_with_slow(&hills(w, h, 3), &Fluvial { diagonals, ..p });
                }
            }
        }
    }
}

#[test]
fn agrees_with_the_paper_on_real_ground() {
    for map in elevation_models() {
        let (low, high) = range(&map);
        // A third of the relief is under water. Erosion is measured in tile sides, as in the paper.
        let sea_level = low + (high - low) / 3.0;
        for gradient_strength in [0.02, 0.8] {
            let gradient_strength = ScalarMap::Constant(gradient_strength);
            for diagonals in [false, true] {
                agrees_with_slow(&map, &Fluvial { sea_level, gradient_strength, diagonals, ..parameters(3) });
            }
        }
    }
}

/// Rivers erode four tiles with a slope of 1, without constraints. Each tile that drains loses D·s²/4, where
/// D is 1, 1 + 0.68, … from the top down.
#[test]
fn a_slope_by_hand() {
    let map = Heightmap::from_fn(Domain::new(4, 1), |x, _| 1.0 + x as f32);
    let free = Fluvial {
        value_strength: ScalarMap::Constant(0.0),
        gradient_strength: ScalarMap::Constant(0.0),
        gorge: 0.0,
        jitter: 0.0,
        noise: 0.0,
        erosion: ScalarMap::Constant(0.25),
        ..parameters(1)
    };
    let out = fluvial_erosion(&map, &free, Seed(0), &Silent, None).unwrap();
    let drainage = [1.0, 1.68, 1.0 + 0.68 * 1.68];
    let expected = [1.0, 2.0 - 0.25 * drainage[2], 3.0 - 0.25 * drainage[1], 4.0 - 0.25];
    for (found, expected) in out.height.samples().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert_eq!(out.receivers.samples(), [0.0, 2.0, 2.0, 2.0]);
    // With a large erosion factor the limit applies: no tile ends below its receiver's old height.
    let out = fluvial_erosion(
        &map,
        &Fluvial { erosion: ScalarMap::Constant(100.0), ..free },
        Seed(0),
        &Silent,
        None,
    )
    .unwrap();
    assert_eq!(out.height.samples(), [1.0, 1.0, 2.0, 3.0]);
}

#[test]
fn a_ridge_between_two_basins_is_cut() {
    // A ridge lies between two pits of different heights. With a weight of 1 the gorge becomes the straight
    // line between both pits.
    let map = Heightmap::from_fn(Domain::new(5, 1), |x, _| [2.0, 4.0, 6.0, 3.0, 1.0][x]);
    let cut = Fluvial {
        value_strength: ScalarMap::Constant(0.0),
        gradient_strength: ScalarMap::Constant(0.0),
        erosion: ScalarMap::Constant(0.0),
        gorge: 1.0e3,
        jitter: 0.0,
        noise: 0.0,
        ..parameters(1)
    };
    let out = fluvial_erosion(&map, &cut, Seed(0), &Silent, None).unwrap();
    assert_eq!(out.height.samples(), [2.0, 1.75, 1.5, 1.25, 1.0]);
    assert_eq!(out.gorges.samples(), [0.0, 2.25, 4.5, 1.75, 0.0]);
}

/// Checks that the bits are the same with any number of threads and at any SIMD level.
fn gives_the_same_bits(map: &Heightmap, p: &Fluvial<'_>) {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fluvial_erosion(map, p, Seed(4), &Silent, None).unwrap())
    };
    let one = run(1);
    for threads in [2, 5] {
        assert_eq!(run(threads), one);
    }
    crate::simd::at_each_level(|level| assert_eq!(run(2), one, "{level:?}"));
}

#[test]
fn any_number_of_threads_and_any_level_gives_the_same_bits() {
    let map = hills(130, 90, 1);
    for boundary in [Boundary::Open, Boundary::Wrap] {
        for valley_width in [None, Some(2.5 * map.spacing())] {
            gives_the_same_bits(&map, &Fluvial { boundary, valley_width, ..parameters(6) });
        }
    }
}

#[test]
fn strengths_and_rain_are_clamped_to_their_range() {
    let map = hills(40, 30, 6);
    let of = |value: f32| Heightmap::constant(map.domain(), value);
    let run = |value: f32, gradient: f32, rain: f32| {
        let (value, gradient, rain) = (of(value), of(gradient), of(rain));
        let p = Fluvial {
            value_strength: ScalarMap::Map(&value),
            gradient_strength: ScalarMap::Map(&gradient),
            moisture: ScalarMap::Map(&rain),
            ..parameters(20)
        };
        fluvial_erosion(&map, &p, Seed(1), &Silent, None).unwrap()
    };
    assert_eq!(run(7.0, 5.0, -2.0), run(1.0, 1.0, 0.0));
    assert_eq!(run(-3.0, f32::NAN, f32::NAN), run(0.0, 0.0, 0.0));
    assert_eq!(run(f32::NAN, f32::INFINITY, 1.0), run(0.0, 1.0, 1.0));
}

#[test]
fn a_cancelled_run_stops() {
    assert_eq!(fluvial_erosion(&hills(20, 20, 1), &parameters(1), Seed(0), &Stop, None), Err(Cancelled));
}

proptest! {
    #[test]
    fn adversarial_maps_stay_within_their_heights(
        map in adversarial(),
        wrap: bool,
        iterations in 0u32..12,
        jitter in 0.0f32..=1.0,
        hold in 0.0f32..=1.0,
    ) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let p = Fluvial {
            boundary,
            jitter,
            noise: 0.0,
            value_strength: ScalarMap::Constant(hold),
            gradient_strength: ScalarMap::Constant(0.0),
            ..parameters(iterations)
        };
        let out = fluvial_erosion(&map, &p, Seed(2), &Silent, None).unwrap();
        let (low, high) = map.samples().iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        let slack = 1e-5 * low.abs().max(high.abs());
        // Without the gradient constraint no tile rises above the highest ideal height or sinks below the
        // lowest.
        prop_assert!(out.height.samples().iter().all(|&h| h >= low - slack && h <= high + slack));
        prop_assert!(out.drainage.samples().iter().all(|&d| d >= 1.0 && d.is_finite()));
        prop_assert!(out.water.samples().iter().all(|&w| w >= 0.0));
        // Rivers run downhill and end.
        let count = map.samples().len();
        for start in 0..count {
            let (mut at, mut steps) = (start, 0);
            while out.receivers.samples()[at] != 0.0 {
                let direction = DIRECTIONS[out.receivers.samples()[at] as usize];
                let shape = Shape { width: map.width(), height: map.height(), wrap };
                at = shape.neighbour(shape.position(at), direction).unwrap();
                steps += 1;
                prop_assert!(steps <= count);
            }
        }
    }
}
