use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};

use super::*;
use crate::Silent;
use crate::path::{Borders, Costs, Details, Search, Subdivide, Subdivision, Surround, subdivide};

const GRAPH: [(f64, f64); 3] = [(20.0, 24.0), (100.0, 96.0), (64.0, 30.0)];

pub fn ground(side: usize, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    let domain = Domain::new(side, side).with_spacing(128.0 / (side - 1) as f64);
    Heightmap::from_fn(domain, |x, y| {
        let octave = |cell: usize| lattice.unit((x / cell) as i64, (y / cell + 100 * cell) as i64);
        0.5 * octave(8) + 0.3 * octave(2) + 0.2 * octave(1)
    })
}

pub fn subdivided(map: &Heightmap, surround: Surround, borders: Borders) -> Subdivision {
    let graph = PlanarGraph { nodes: GRAPH.to_vec(), edges: vec![(0, 1), (0, 2)] };
    let parameters = Subdivide {
        search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
        width: 8.0,
        node_width: 8.0,
        border: 16.0,
        max_slope: 0.0035,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround,
        borders,
        anchors: &[],
        details: Details::default(),
    };
    subdivide(map, &graph, &parameters, &Silent).unwrap()
}

pub fn given() -> Given<'static> {
    Given {
        border: None,
        slope_tolerance: 1e-5,
        roughness_tolerance: Some(0.04),
        change: None,
        widening: &[],
        scales: &[1],
        border_slope: false,
        bank_slope: None,
    }
}

pub fn parameters(solver: Solver, max_iterations: u64) -> Relaxation<'static> {
    Relaxation {
        solver,
        max_iterations,
        early_exit: true,
        history_every: 0,
        creation_cost: None,
        known: None,
    }
}

/// The maximum excess of slopes over their bounds, by the definition, of a map in single precision.
pub fn steepest(map: &Heightmap, subdivision: &Subdivision) -> f64 {
    let (w, h) = map.domain().size;
    let mut most = f64::NEG_INFINITY;
    for y in 0..h {
        for x in 0..w {
            for (dx, dy) in [(1isize, 1isize), (-1, 1), (1, -1), (-1, -1)] {
                let (u, v) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                if u >= w || v >= h {
                    continue;
                }
                let rise = |at: (usize, usize)| f64::from(map[at]) - f64::from(map[(x, y)]);
                let (gx, gy) =
                    (rise((u, y)) * dx as f64 / map.spacing(), rise((x, v)) * dy as f64 / map.spacing());
                let at = y * w + x;
                let [along_x, along_y] = subdivision.direction[at].map(f64::from);
                most = most.max((gx * gx + gy * gy).sqrt() - f64::from(subdivision.slope[at]));
                most = most.max((gx * along_x + gy * along_y).abs() - f64::from(subdivision.directional[at]));
            }
        }
    }
    most
}

/// The listings of the thesis, with misprints corrected, sample after sample.
fn literal_sweep(heights: &mut [f64], map: &Heightmap, s: &Subdivision, tolerances: (f64, f64)) {
    let ((w, h), d) = (map.domain().size, map.spacing());
    let relax = |heights: &mut [f64], j: usize, k: usize, most: f64| {
        let slope = (heights[k] - heights[j]) / d;
        if slope.abs() > most {
            let by = (slope.abs() - most) * d / 2.0 * slope.signum();
            heights[j] += by;
            heights[k] -= by;
        }
    };
    for j in 0..w * h {
        let (x, y) = ((j % w) as isize, (j / w) as isize);
        let place = |dx: isize, dy: isize| {
            let (u, v) = (x + dx, y + dy);
            ((0..w as isize).contains(&u) && (0..h as isize).contains(&v))
                .then(|| v as usize * w + u as usize)
        };
        for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
            let (Some(kx), Some(ky)) = (place(dx, 0), place(0, dy)) else { continue };
            let gx = (heights[kx] - heights[j]) / d * dx as f64;
            let gy = (heights[ky] - heights[j]) / d * dy as f64;
            let along = s.direction[j].map(f64::from);
            let (measured, bound) = if s.slope[j].is_finite() {
                ((gx * gx + gy * gy).sqrt(), f64::from(s.slope[j]))
            } else {
                ((gx * along[0] + gy * along[1]).abs(), f64::from(s.directional[j]))
            };
            if measured > bound + tolerances.0 {
                let f = bound / measured;
                relax(heights, j, kx, gx.abs() * f);
                relax(heights, j, ky, gy.abs() * f);
            }
        }
        if !s.roughness[j].is_nan() {
            let around: Vec<usize> = (-1..=1)
                .flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)))
                .filter(|&offset| offset != (0, 0))
                .filter_map(|(dx, dy)| place(dx, dy))
                .collect();
            let now =
                around.iter().map(|&n| ((heights[n] - heights[j]) / d) * ((heights[n] - heights[j]) / d));
            let (now, goal) = (now.sum::<f64>().sqrt(), f64::from(s.roughness[j]));
            if (now - goal).abs() > tolerances.1 && now > 0.0 {
                let moves: Vec<f64> =
                    around.iter().map(|&n| (heights[n] - heights[j]) * (goal / now - 1.0)).collect();
                let share = moves.iter().sum::<f64>() / (around.len() + 1) as f64;
                around.iter().zip(&moves).for_each(|(&n, by)| heights[n] += by - share);
                heights[j] -= share;
            }
        }
    }
    for j in (0..w * h).filter(|&j| !s.given[j].is_nan()) {
        heights[j] = f64::from(map.samples()[j]);
    }
}

#[test]
fn the_reference_agrees_with_a_literal_implementation() {
    for (surround, borders) in [
        (Surround::Directional, Borders::Free),
        (Surround::Roughness, Borders::Free),
        (Surround::Directional, Borders::Stitched),
    ] {
        let map = ground(33, 1);
        let s = subdivided(&map, surround, borders);
        let mut field = Field::new(&map);
        // No margin for rounding: the tolerance is exact.
        let constraints = bounds(&field, &s, &given());
        let mut slow = field.heights.clone();
        for _ in 0..30 {
            literal_sweep(&mut slow, &map, &s, (1e-5, 0.04));
        }
        let p = Relaxation { early_exit: false, ..parameters(Solver::Reference, 30) };
        relax(&mut field, &constraints, &p, &Silent).unwrap();
        for (at, (fast, slow)) in field.heights.iter().zip(&slow).enumerate() {
            assert!((fast - slow).abs() < 1e-12, "{surround:?} {borders:?} {at}: {fast} {slow}");
        }
    }
}

#[test]
fn every_solver_meets_all_slopes_and_conserves_mass() {
    let map = ground(33, 2);
    let s = subdivided(&map, Surround::Directional, Borders::Free);
    assert!(steepest(&map, &s) > 0.01, "the bounds are violated at the start");
    for solver in [Solver::Reference, Solver::Parallel, Solver::Draft, Solver::NearOptimal] {
        let mut field = Field::new(&map);
        let constraints = bounds_to_round(&field, &s, &given());
        let before: f64 = field.heights.iter().sum();
        let out = relax(&mut field, &constraints, &parameters(solver, 1_000_000), &Silent).unwrap();
        assert_eq!((out.outcome, out.missed, out.places.len()), (Outcome::Met, 0, 0), "{solver:?}");
        assert!((field.heights.iter().sum::<f64>() / before - 1.0).abs() < 1e-9);
        let relaxed = map.with_grid(field.grid());
        assert!(steepest(&relaxed, &s) <= 1e-5, "{solver:?}: {}", steepest(&relaxed, &s));
    }
}

#[test]
fn the_parallel_form_has_the_same_bits_on_any_number_of_threads() {
    let map = ground(65, 3);
    let s = subdivided(&map, Surround::Roughness, Borders::Stitched);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut field = Field::new(&map);
            let constraints =
                bounds_to_round(&field, &s, &Given { scales: &[1, 3], border_slope: true, ..given() });
            relax(&mut field, &constraints, &parameters(Solver::Parallel, 50), &Silent).unwrap();
            field.heights.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

/// All heights on the border are prescribed, with a wall of 1 across a path that crosses it.
#[test]
fn conflicts_are_detected_early_and_named() {
    let map = ground(33, 4);
    let mut s = subdivided(&map, Surround::Roughness, Borders::Stitched);
    // A path that runs into the border, where heights are prescribed and steep.
    for at in 0..33 * 3 {
        s.slope[at] = 0.0001;
        s.roughness[at] = f32::NAN;
    }
    let mut field = Field::new(&map);
    let constraints = bounds_to_round(&field, &s, &given());
    let out = relax(&mut field, &constraints, &parameters(Solver::Reference, 100_000), &Silent).unwrap();
    assert!(matches!(out.outcome, Outcome::Stuck { .. }), "{:?}", out.outcome);
    assert!(out.iterations < 10_000, "{}", out.iterations);
    assert!([BoundKind::Position, BoundKind::Gradient].iter().all(|kind| out.conflict.contains(kind)));
    assert!(!out.places.is_empty());
}

/// The optimum costs at most as much as the sweeps' result, which is close to the optimum.
#[test]
fn no_relaxation_is_cheaper_than_the_optimum() {
    let map = ground(17, 5);
    let s = subdivided(&map, Surround::Directional, Borders::Free);
    let mut field = Field::new(&map);
    let constraints = bounds_to_round(&field, &s, &given());
    relax(&mut field, &constraints, &parameters(Solver::Reference, 1_000_000), &Silent).unwrap();
    let relaxed = map.with_grid(field.grid());
    let sigma = 2.0 * 17.0 * map.spacing();
    let distance =
        terrane_kernels::transport::earth_movers_distance(&map, &relaxed, sigma, &Silent).unwrap().distance;
    let allowed = Allowed {
        border: None,
        slope_tolerance: 1e-5,
        bank_slope: None,
        creation_cost: sigma,
        balanced: false,
    };
    let best = optimum(&map, &s, &allowed, &Silent).unwrap();
    assert!(best.accurate && best.cost > 0.0);
    assert!(distance >= best.cost * (1.0 - 1e-6), "{distance} {}", best.cost);
    assert!(distance <= best.cost * 4.0, "{distance} {}", best.cost);
    let bent =
        map.with_grid(terrane_grid::Grid::from_vec(17, 17, best.heights.iter().map(|&h| h as f32).collect()));
    assert!(steepest(&bent, &s) <= 1.1e-5, "{}", steepest(&bent, &s));
}

#[test]
fn a_history_records_progress() {
    let map = ground(17, 6);
    let s = subdivided(&map, Surround::Directional, Borders::Free);
    let mut field = Field::new(&map);
    let constraints = bounds_to_round(&field, &s, &given());
    let p = Relaxation { history_every: 10, ..parameters(Solver::Reference, 100_000) };
    let out = relax(&mut field, &constraints, &p, &Silent).unwrap();
    assert_eq!(out.history[0].iteration, 1);
    assert_eq!(out.history[1].iteration, 10);
    let last = out.history[out.history.len() - 1];
    assert_eq!((last.iteration, last.missed, last.sum), (out.iterations, 0, 0.0));
    assert!(out.history[1].sum > 0.0 && out.history[1].sum < out.history[0].sum);
}

/// Paths from one side of a patch to the other with prescribed borders that respect the bounds: those of
/// ground relaxed before.
pub fn crossing(side: usize, seed: u64) -> (Heightmap, Subdivision) {
    let rough = ground(side, seed);
    let graph =
        PlanarGraph { nodes: vec![(0.0, 40.0), (64.0, 64.0), (128.0, 80.0)], edges: vec![(0, 1), (1, 2)] };
    let parameters = Subdivide {
        search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
        width: 8.0,
        node_width: 8.0,
        border: 16.0,
        max_slope: 0.0035,
        edge_slopes: &[],
        slope_gain: 0.05,
        surround: Surround::Directional,
        borders: Borders::Free,
        anchors: &[],
        details: Details::default(),
    };
    let mut s = subdivide(&rough, &graph, &parameters, &Silent).unwrap();
    let mut field = Field::new(&rough);
    let constraints = bounds_to_round(&field, &s, &given());
    let out = relax(&mut field, &constraints, &parameters_of_the_draft(), &Silent).unwrap();
    assert_eq!(out.outcome, Outcome::Met);
    let flat = rough.with_grid(field.grid());
    let on_border = |x: usize, y: usize| x == 0 || y == 0 || x + 1 == side || y + 1 == side;
    let map =
        Heightmap::from_fn(rough.domain(), |x, y| if on_border(x, y) { flat[(x, y)] } else { rough[(x, y)] });
    let given = |at: usize| if on_border(at % side, at / side) { map.samples()[at] } else { f32::NAN };
    s.given = (0..side * side).map(given).collect();
    (map, s)
}

fn parameters_of_the_draft() -> Relaxation<'static> {
    parameters(Solver::Draft, 100_000)
}

/// Whether samples with prescribed heights have exactly these.
fn keeps_given(field: &Field, map: &Heightmap, s: &Subdivision) -> bool {
    let given = (0..field.heights.len()).filter(|&at| !s.given[at].is_nan());
    given
        .map(|at| (field.heights[at], f64::from(map.samples()[at])))
        .all(|(now, then)| now.to_bits() == then.to_bits())
}

#[test]
fn fast_solvers_meet_slopes_between_prescribed_heights() {
    for (side, seed) in [(33, 1), (64, 2), (65, 3), (66, 4)] {
        let (map, s) = crossing(side, seed);
        assert!(steepest(&map, &s) > 0.01, "the bounds are violated at the start");
        for solver in [Solver::Draft, Solver::NearOptimal] {
            let mut field = Field::new(&map);
            let constraints = bounds_to_round(&field, &s, &given());
            let out = relax(&mut field, &constraints, &parameters(solver, 100_000), &Silent).unwrap();
            assert_eq!((out.outcome, out.missed), (Outcome::Met, 0), "{side} {solver:?}");
            assert!(keeps_given(&field, &map, &s));
            let relaxed = map.with_grid(field.grid());
            assert!(steepest(&relaxed, &s) <= 1e-5, "{side} {solver:?}: {}", steepest(&relaxed, &s));
        }
    }
}

/// Both ends of a path lie on the border, one at 0 and one at 1, which is twice what its slope allows over
/// the side.
#[test]
fn fast_solvers_detect_that_prescribed_heights_conflict_with_slopes() {
    let (rough, mut s) = crossing(33, 1);
    let is_given = |at: usize| !s.given[at].is_nan();
    let slanting = |x: usize, y: usize| if is_given(y * 33 + x) { x as f32 / 32.0 } else { rough[(x, y)] };
    let map = Heightmap::from_fn(rough.domain(), slanting);
    for at in (0..33 * 33).filter(|&at| !s.given[at].is_nan()).collect::<Vec<_>>() {
        s.given[at] = map.samples()[at];
    }
    for solver in [Solver::Draft, Solver::NearOptimal] {
        let mut field = Field::new(&map);
        let constraints = bounds_to_round(&field, &s, &given());
        let out = relax(&mut field, &constraints, &parameters(solver, 100_000), &Silent).unwrap();
        assert!(matches!(out.outcome, Outcome::Stuck { .. }), "{solver:?} {:?}", out.outcome);
        assert!(out.iterations < 10_000, "{solver:?} {}", out.iterations);
        assert!(keeps_given(&field, &map, &s));
        assert!(field.heights.iter().all(|height| height.is_finite()));
    }
}

#[test]
fn prescribed_heights_have_the_same_bits_on_any_number_of_threads() {
    // Enough samples for several threads.
    let (map, s) = crossing(97, 5);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut field = Field::new(&map);
            let constraints = bounds_to_round(&field, &s, &given());
            relax(&mut field, &constraints, &parameters_of_the_draft(), &Silent).unwrap();
            field.heights.into_iter().map(f64::to_bits).collect::<Vec<_>>()
        })
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(8));
}

/// Heights prescribed anywhere, on patches of any shape, are exact in the end, whether slopes can be met or
/// not; and an outcome of `Met` is true.
#[test]
fn prescribed_heights_are_kept_everywhere() {
    use proptest::prelude::*;
    let shapes = (1usize..24, 1usize..24, any::<u64>(), 0.0f32..0.3, 0.002f32..0.2);
    proptest!(ProptestConfig::with_cases(48), |((width, height, seed, part, slope) in shapes)| {
        let lattice = Seed(seed).lattice();
        let at = |at: usize, salt: i64| lattice.unit((at % width) as i64 + salt, (at / width) as i64);
        let map = Heightmap::from_fn(Domain::new(width, height), |x, y| 0.1 * at(y * width + x, 0));
        let count = width * height;
        let s = Subdivision {
            domain: map.domain(),
            slope: (0..count).map(|k| if at(k, 1000) > 0.3 { slope } else { f32::INFINITY }).collect(),
            directional: vec![f32::INFINITY; count],
            direction: vec![[0.0; 2]; count],
            roughness: vec![f32::NAN; count],
            pins: Vec::new(),
            fade: 0.0,
            world: Vec::new(),
            band: 0.0,
            given: (0..count).map(|k| if at(k, 2000) < part { map.samples()[k] } else { f32::NAN }).collect(),
            paths: Vec::new(),
            lines: Vec::new(),
        };
        let mut field = Field::new(&map);
        let constraints = bounds_to_round(&field, &s, &given());
        let out = relax(&mut field, &constraints, &parameters(Solver::Draft, 4000), &Silent).unwrap();
        prop_assert!(keeps_given(&field, &map, &s));
        prop_assert!(field.heights.iter().all(|height| height.is_finite()));
        let steepest = steepest(&map.with_grid(field.grid()), &s);
        prop_assert!(out.outcome != Outcome::Met || steepest <= 1e-5, "{}", steepest);
    });
}

/// A height that is not finite does not affect others.
#[test]
fn nan_does_not_spread() {
    let map = ground(33, 2);
    let s = subdivided(&map, Surround::Directional, Borders::Free);
    let mut field = Field::new(&map);
    let constraints = bounds_to_round(&field, &s, &given());
    field.heights[0] = f64::NAN;
    relax(&mut field, &constraints, &parameters(Solver::Draft, 50), &Silent).unwrap();
    assert_eq!(field.heights.iter().filter(|height| height.is_nan()).count(), 1);
}
