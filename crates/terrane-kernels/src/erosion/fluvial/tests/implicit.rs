//! Tests of the implicit solver: cases by hand, comparisons with recursion and with many small explicit
//! steps, and a check that each tile loses what the law removes.

use super::*;

/// The paper's parameters with the implicit solver.
fn implicit(iterations: u32) -> Fluvial<'static> {
    Fluvial { solver: Solver::Implicit, ..parameters(iterations) }
}

/// The implicit solver with rivers alone: without constraints, gorges or noise.
fn rivers(iterations: u32) -> Fluvial<'static> {
    Fluvial {
        value_strength: ScalarMap::Constant(0.0),
        gradient_strength: ScalarMap::Constant(0.0),
        gorge: 0.0,
        noise: 0.0,
        ..implicit(iterations)
    }
}

#[test]
fn a_slope_by_hand() {
    // Each tile loses a quarter of its drainage times the square of its new slope. The middle tile has a
    // drainage of 4, the last tile a drainage of 1.
    let map = Heightmap::from_fn(Domain::new(3, 1), |x, _| [1.0, 3.0, 6.25][x]);
    let p = Fluvial {
        erosion: ScalarMap::Constant(0.25),
        moisture: ScalarMap::Map(&Heightmap::from_fn(Domain::new(3, 1), |x, _| [0.0, 3.0, 1.0][x])),
        passed_on: 1.0,
        jitter: 0.0,
        ..rivers(1)
    };
    let out = fluvial_erosion(&map, &p, Seed(0), &Silent, None).unwrap();
    // Let x and y be the new drops of the middle and the last tile. x + x² = 3 − 1 gives x = 1, so the middle
    // tile's height is 2. y + y²/4 = 6.25 − 2 gives y = 2·(√5.25 − 1).
    let y = 2.0 * (5.25f32.sqrt() - 1.0);
    assert_eq!(out.height.samples()[..2], [1.0, 2.0]);
    assert!((out.height.samples()[2] - (2.0 + y)).abs() < 1e-6, "{:?}", out.height.samples());
}

#[test]
fn agrees_with_recursion() {
    for (w, h) in [(24, 17), (40, 33), (1, 9), (9, 1), (3, 3)] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            for (n, m) in [(1.0, 2.0), (0.5, 1.0), (1.0, 0.7), (0.0, 3.0)] {
                if boundary == Boundary::Wrap && w.min(h) < 3 {
                    continue;
                }
                for (border, diagonals) in [
                    (Border::Outflow, true),
                    (Border::Outflow, false),
                    (Border::Fixed, true),
                    (Border::Wall, false),
                ] {
                    let p = Fluvial { boundary, drainage_exponent: n, slope_exponent: m, ..implicit(4) };
                    agrees_with_slow(
                        &hills(w, h, 3),
                        &Fluvial { border: Sides::all(border), diagonals, ..p },
                    );
                }
            }
        }
    }
}

#[test]
fn agrees_with_recursion_on_real_ground() {
    for map in elevation_models() {
        let (low, high) = range(&map);
        let sea_level = low + (high - low) / 3.0;
        for diagonals in [false, true] {
            let border = Sides::all(Border::Outflow);
            agrees_with_slow(&map, &Fluvial { sea_level, diagonals, border, ..implicit(3) });
        }
    }
}

/// A valley of 33 x 33 tiles on a slope. Every tile except the lowest drains, always in the same direction.
fn valley() -> Heightmap {
    Heightmap::from_fn(Domain::new(33, 33), |x, y| {
        let (x, y) = (x as f32, y as f32);
        2.0 * y + 0.4 * (x - 16.0).abs() + 0.02 * (x - 16.0) * (x - 16.0)
    })
}

/// The solver converges as steps get smaller. Compares the same rivers after the same time: with a few
/// implicit steps, and with at least a hundred times as many explicit steps.
#[test]
fn converges_to_many_small_explicit_steps() {
    let map = valley();
    let run = |solver: Solver, steps: u32| {
        let erosion = ScalarMap::Constant(2.0 / steps as f32);
        let p = Fluvial { solver, erosion, jitter: 0.0, ..rivers(steps) };
        fluvial_erosion(&map, &p, Seed(0), &Silent, None).unwrap().height
    };
    let truth = run(Solver::Explicit, 6400);
    let mean = |a: &Heightmap, b: &Heightmap| {
        let sum: f64 = a.samples().iter().zip(b.samples()).map(|(a, b)| f64::from((a - b).abs())).sum();
        sum / a.samples().len() as f64
    };
    let eroded = mean(&map, &truth);
    let errors = [4, 16, 64].map(|steps| mean(&run(Solver::Implicit, steps), &truth) / eroded);
    assert!(eroded > 5.0 && errors[2] < 0.01, "{eroded} {errors:?}");
    // The method is of first order: a quarter of the step size gives about a quarter of the error.
    for pair in errors.windows(2) {
        assert!((0.15..0.4).contains(&(pair[1] / pair[0])), "{errors:?}");
    }
}

/// Every tile has lost what the law removes at its new slope, and all rain arrives where water ends.
#[test]
fn losses_and_runoff_balance() {
    for map in elevation_models().into_iter().chain([hills(60, 50, 2)]) {
        for border in [Border::Outflow, Border::Fixed, Border::Wall] {
            let p = Fluvial {
                sea_level: -1.0e9,
                border: Sides::all(border),
                passed_on: 1.0,
                diagonals: true,
                jitter: 0.0,
                ..rivers(1)
            };
            let before =
                fluvial_erosion(&map, &Fluvial { iterations: 0, ..p }, Seed(0), &Silent, None).unwrap();
            let after = fluvial_erosion(&map, &p, Seed(0), &Silent, None).unwrap();
            let (shape, spacing) =
                (Shape { width: map.width(), height: map.height(), wrap: false }, map.spacing() as f32);
            let (low, high) = range(&map);
            let mut runoff = 0.0;
            for at in 0..map.samples().len() {
                let direction = before.receivers.samples()[at] as usize;
                let drainage = before.drainage.samples()[at];
                let lost = before.height.samples()[at] - after.height.samples()[at];
                if direction == 0 {
                    runoff += f64::from(drainage);
                    assert_eq!(lost, 0.0);
                    continue;
                }
                let to = shape.neighbour(shape.position(at), DIRECTIONS[direction]).unwrap();
                let run = spacing * if direction > 4 { std::f32::consts::SQRT_2 } else { 1.0 };
                let [own, below] = [at, to].map(|at| after.height.samples()[at]);
                let slope = (own - below) / run;
                let takes = 0.5 * spacing * drainage * slope * slope;
                // The slope is a difference of rounded heights, so the loss may differ by their rounding.
                let rounding = 4e-7 * low.abs().max(high.abs()) * (1.0 + spacing * drainage * slope / run);
                assert!(
                    own >= below && (lost - takes).abs() <= rounding + 1e-4 * takes,
                    "{border:?} {at}: {lost} {takes}"
                );
            }
            assert_eq!(runoff, map.samples().len() as f64);
        }
    }
}

#[test]
fn any_number_of_threads_and_any_level_gives_the_same_bits() {
    let map = hills(130, 90, 1);
    for (boundary, border) in
        [(Boundary::Open, Border::Outflow), (Boundary::Open, Border::Fixed), (Boundary::Wrap, Border::Wall)]
    {
        let talus = Some(ScalarMap::Constant(0.6));
        let p = Fluvial { boundary, border: Sides::all(border), diagonals: true, talus, ..implicit(6) };
        gives_the_same_bits(&map, &p);
    }
}

#[test]
fn a_second_run_continues_the_first() {
    let map = hills(60, 50, 5);
    let p = Fluvial { gorge: 0.0, noise: 0.1, unevenness: 0.1, ..implicit(5) };
    let run = |map: &Heightmap, p: &Fluvial<'_>| fluvial_erosion(map, p, Seed(4), &Silent, None).unwrap();
    let first = run(&map, &p).height;
    let second = run(&first, &Fluvial { ideal: Some(&map), ..p });
    assert_eq!(second, run(&map, &Fluvial { iterations: 10, ..p }));
}

#[test]
fn heights_are_unchanged_without_iterations() {
    let map = hills(30, 20, 5);
    let p = Fluvial { noise: 0.5, unevenness: 0.5, ..implicit(0) };
    assert_eq!(fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap().height, map);
}

#[test]
fn hard_rock_remains_and_soft_rock_is_cut() {
    let map = hills(60, 40, 7);
    let soft = Heightmap::from_fn(map.domain(), |x, _| if x < 30 { 0.0 } else { 0.5 });
    let run =
        |erosion| fluvial_erosion(&map, &Fluvial { erosion, ..rivers(10) }, Seed(4), &Silent, None).unwrap();
    let mapped = run(ScalarMap::Map(&soft)).height;
    for (at, (&after, &before)) in mapped.samples().iter().zip(map.samples()).enumerate() {
        assert!(after <= before && (at % 60 >= 30 || after == before));
    }
    assert!((0..40).any(|y| mapped[(45, y)] < map[(45, y)]));
    assert_eq!(run(ScalarMap::Map(&Heightmap::constant(map.domain(), 0.5))), run(ScalarMap::Constant(0.5)));
}

proptest! {
    #[test]
    fn no_slope_exceeds_the_talus(seed: u64, talus in 0.05f32..1.5, wrap: bool, iterations in 1u32..5) {
        let map = hills(23, 19, seed);
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let talus = ScalarMap::Constant(talus);
        let p = Fluvial { talus: Some(talus), boundary, ..implicit(iterations) };
        let out = fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap().height;
        let shape = Shape { width: 23, height: 19, wrap };
        let talus = |at| talus.at(at);
        let slopes = crate::erosion::talus::Slopes { shape, spacing: 1.0, talus, sea_level: 0.0 };
        prop_assert_eq!(slopes.too_steep(out.samples(), 1e-5), None);
    }

    #[test]
    fn adversarial_maps_stay_within_their_heights_and_rivers_run_down(
        map in adversarial(),
        wrap: bool,
        iterations in 0u32..12,
        hold in 0.0f32..=1.0,
        pull in 0.0f32..=1.0,
        side in 0usize..3,
    ) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let border = Sides::all([Border::Wall, Border::Outflow, Border::Fixed][side]);
        let p = Fluvial {
            boundary,
            border,
            noise: 0.0,
            diagonals: true,
            value_strength: ScalarMap::Constant(hold),
            gradient_strength: ScalarMap::Constant(0.0),
            ..implicit(iterations)
        };
        let out = fluvial_erosion(&map, &p, Seed(2), &Silent, None).unwrap();
        let (low, high) = map.samples().iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        let slack = 1e-5 * low.abs().max(high.abs());
        prop_assert!(out.height.samples().iter().all(|&h| h >= low - slack && h <= high + slack));
        let pulled = Fluvial { gradient_strength: ScalarMap::Constant(pull), ..p };
        let out = fluvial_erosion(&map, &pulled, Seed(2), &Silent, None).unwrap();
        prop_assert!(out.height.samples().iter().all(|h| h.is_finite()));
        let shape = Shape { width: map.width(), height: map.height(), wrap };
        for start in 0..map.samples().len() {
            let (mut at, mut steps) = (start, 0);
            while out.receivers.samples()[at] != 0.0 {
                at = shape
                    .neighbour(shape.position(at), DIRECTIONS[out.receivers.samples()[at] as usize])
                    .unwrap();
                steps += 1;
                prop_assert!(steps <= map.samples().len());
            }
        }
    }
}
