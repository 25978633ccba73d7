use proptest::prelude::*;

use super::*;
use crate::erosion::talus::Slopes;
use crate::erosion::{Neighbourhood, Sides};
use crate::{Boundary, ScalarMap, Silent};
use terrane_compute::Stop;
use terrane_grid::{DIRECTIONS, Shape};

fn parameters(iterations: u32) -> Uplift<'static> {
    Uplift {
        uplift: ScalarMap::Constant(5.0e-4),
        iterations,
        time_step: 2.5e5,
        erodibility: ScalarMap::Constant(5.61e-7),
        talus: Some(ScalarMap::Constant(0.577_350_3)),
        border: Sides::all(Base::Sea),
        jitter: 0.0,
        ..Uplift::default()
    }
}

fn domain(side: usize) -> Domain {
    Domain::new(side, side).with_spacing(50_000.0 / side as f64)
}

fn raise(domain: &Domain, parameters: &Uplift<'_>) -> Mountains {
    uplift_erosion(domain, None, parameters, Seed(3), &Silent, None).unwrap()
}

/// A row of three inner samples between two border samples, 1000 apart, solved by hand from the outlet
/// upstream.
#[test]
fn a_step_by_hand() {
    let map = Heightmap::from_fn(Domain::new(5, 3).with_spacing(1000.0), |x, y| {
        if y == 1 { [0.0, 10.0, 20.0, 15.0, 0.0][x] } else { 1.0e6 }
    });
    // Rows 0 and 2 are border, at sea level 0, so all inner samples drain to row 0.
    let p = Uplift { talus: None, ..parameters(1) };
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(0), &Silent, None).unwrap();
    for (x, start) in [(1, 10.0f32), (2, 20.0), (3, 15.0)] {
        let raised = start + 2.5e5 * 5.0e-4;
        // The three lowest neighbours are all at 0, and the slope is steepest straight up.
        let q = 2.5e5 * 5.61e-7 * 1000.0 / 1000.0;
        assert!((out.height[(x, 1)] - raised / (1.0 + q)).abs() < 1e-3, "{x}: {}", out.height[(x, 1)]);
    }
    assert_eq!((out.height[(0, 0)], out.height[(2, 2)], out.height[(4, 1)]), (0.0, 0.0, 0.0));
    // This talus allows a rise of 50 per sample. In the corner between the sea above and the sea on the left,
    // the height is 50/√2. The height h next to the corner satisfies (h − 0)² + (h − 50/√2)² = 50².
    let steep = Uplift { talus: Some(ScalarMap::Constant(0.05)), ..p };
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &steep, Seed(0), &Silent, None).unwrap();
    let corner = 50.0 / 2.0f32.sqrt();
    let middle = 0.5 * (corner + (2.0 * 50.0 * 50.0 - corner * corner).sqrt());
    for (x, expected) in [(1, corner), (2, middle), (3, corner)] {
        assert!((out.height[(x, 1)] - expected).abs() < 1e-3, "{x}: {}", out.height[(x, 1)]);
    }
}

/// Slopes to receivers in a steady state, as shares of those of the law: (u / k)^(1/n)·A^(−m/n). Only samples
/// that drain at least 100 cells and are clearly less steep than the talus count. The second number is the
/// number of these samples that drain to the border.
fn shares_of_the_law((area_exponent, slope_exponent): (f32, f32), jitter: f32) -> (Vec<f32>, usize) {
    // An area of 10 km² has a slope of 0.05, whatever the exponents.
    let erodibility = 5.0e-4 / (libm::powf(1.0e7, area_exponent) * libm::powf(0.05, slope_exponent));
    let p = Uplift {
        area_exponent,
        slope_exponent,
        erodibility: ScalarMap::Constant(erodibility),
        talus: Some(ScalarMap::Constant(1.0)),
        border: Sides::all(Base::Fixed),
        jitter,
        time_step: 1.0e6,
        ..parameters(200)
    };
    let side = 121;
    let domain = domain(side);
    let out = raise(&domain, &p);
    let shape = Shape { width: side, height: side, wrap: false };
    let (heights, areas) = (out.height.samples(), out.drainage.samples());
    let (mut shares, mut beside) = (Vec::new(), 0);
    for at in 0..side * side {
        let to = receiver(&out, shape, at);
        let (dx, dy) = shape.step(at, to);
        let run = if dx != 0 && dy != 0 { 2.0f32.sqrt() } else { 1.0 };
        let slope = (heights[at] - heights[to]) / (run * domain.spacing as f32);
        let cells = areas[at] / (domain.spacing * domain.spacing) as f32;
        if to == at || cells < 100.0 || slope >= 0.9 {
            continue;
        }
        let eroded = erodibility * libm::powf(areas[at], area_exponent);
        shares.push(slope / libm::powf(5.0e-4 / eroded, 1.0 / slope_exponent));
        beside += usize::from(shape.on_border(shape.position(to)));
    }
    shares.sort_by(f32::total_cmp);
    (shares, beside)
}

/// Beside the border too.
#[test]
fn in_the_steady_state_rivers_erode_what_rises() {
    for exponents in [(0.5, 1.0), (0.4, 1.0), (0.9, 2.0), (0.6, 1.5), (0.4, 0.8)] {
        let (shares, beside) = shares_of_the_law(exponents, 0.0);
        assert!(shares.len() > 500 && beside >= 20, "{} {beside}", shares.len());
        let right = shares.iter().filter(|&share| (share - 1.0).abs() <= 0.01).count();
        assert!(right * 100 >= shares.len() * 99, "{exponents:?}: {right} of {}", shares.len());
    }
}

/// The claim on the page of UpliftErosion.
#[test]
fn jitter_changes_slopes_as_documented() {
    let (shares, _) = shares_of_the_law((0.5, 1.0), 1.0);
    let [quarter, half, rest] = [1, 2, 3].map(|part| shares[part * shares.len() / 4]);
    assert!((0.7..0.85).contains(&quarter) && (0.95..1.1).contains(&half), "{quarter} {half}");
    assert!((1.2..1.35).contains(&rest), "{rest}");
}

/// The sample that `at` drains to.
fn receiver(out: &Mountains, shape: Shape, at: usize) -> usize {
    let direction = DIRECTIONS[out.receivers.samples()[at] as usize];
    shape.neighbour(shape.position(at), direction).unwrap()
}

#[test]
fn all_water_reaches_the_border_with_lakes() {
    let lattice = Seed(9).lattice();
    let map = Heightmap::from_fn(domain(64), |x, y| 100.0 * lattice.unit(x as i64, y as i64));
    let with =
        uplift_erosion(&map.domain(), Some((&map).into()), &parameters(0), Seed(0), &Silent, None).unwrap();
    let border = |at: usize| [at % 64, at / 64].iter().any(|&position| position == 0 || position == 63);
    let total: f64 =
        (0..64 * 64).filter(|&at| border(at)).map(|at| f64::from(with.drainage.samples()[at])).sum();
    let all = 64.0 * 64.0 * f64::from((50_000.0f32 / 64.0) * (50_000.0f32 / 64.0));
    assert!((total / all - 1.0).abs() < 1e-5, "{}", total / all);
    let without = Uplift { lakes: false, ..parameters(0) };
    let without =
        uplift_erosion(&map.domain(), Some((&map).into()), &without, Seed(0), &Silent, None).unwrap();
    let count = |basins: &Heightmap| basins.samples().iter().fold(0.0f32, |a, &b| a.max(b));
    assert!(count(&with.basins) <= 252.0 && count(&without.basins) > 400.0);
}

/// The lowest passes out of the lakes form a minimum spanning tree (Prim). Such a tree minimises the height
/// of the highest pass on every path to the sea.
#[test]
fn lakes_overflow_along_their_lowest_path_to_the_sea() {
    let lattice = Seed(4).lattice();
    let map = Heightmap::from_fn(Domain::new(24, 20), |x, y| lattice.unit(x as i64, y as i64));
    let p = parameters(0);
    let mut state = State::new((&map).into(), &p, Seed(0), &|| Ok(())).unwrap();
    state.route(&|| Ok(())).unwrap();
    // The lowest level at which water from a sample reaches the border, by relaxation over all paths.
    let count = 24 * 20;
    let mut level: Vec<f32> =
        (0..count).map(|at| if state.sea[at] { state.heights[at] } else { f32::MAX }).collect();
    for _ in 0..count {
        for at in 0..count {
            for &offset in Neighbourhood::Moore.offsets() {
                if let Some(to) = state.shape.neighbour(state.shape.position(at), offset) {
                    level[at] = level[at].min(level[to].max(state.heights[at]));
                }
            }
        }
    }
    for (start, &level) in level.iter().enumerate() {
        // No sample along the receivers is above that level. The bottoms of lakes jump over the passes.
        let (mut at, mut most) = (start, state.heights[start]);
        while state.network.receivers[at] as usize != at {
            at = state.network.receivers[at] as usize;
            most = most.max(state.heights[at]);
        }
        assert!(state.sea[at]);
        assert!(most <= level, "{start}: {most} {level}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for boundary in [Boundary::Open, Boundary::Wrap] {
        let p = Uplift { boundary, jitter: 1.0, ..parameters(8) };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| raise(&domain(90), &p))
        };
        assert_eq!(run(1), run(2));
        assert_eq!(run(1), run(5));
    }
}

#[test]
fn an_exponent_of_nearly_one_is_nearly_the_closed_form() {
    // There is only one step, since rivers would diverge over several steps.
    let start = raise(&domain(40), &parameters(20)).height;
    let step = |slope_exponent| {
        let p = Uplift { slope_exponent, ..parameters(1) };
        uplift_erosion(&start.domain(), Some((&start).into()), &p, Seed(3), &Silent, None).unwrap()
    };
    for (a, b) in step(1.0).height.samples().iter().zip(step(1.000_001).height.samples()) {
        assert!((a - b).abs() <= 1e-4 * a.max(1.0), "{a} {b}");
    }
}

#[test]
fn a_cancelled_run_stops() {
    let found = uplift_erosion(&domain(20), None, &parameters(1), Seed(0), &Stop, None);
    assert_eq!(found, Err(Cancelled));
}

proptest! {
    #[test]
    fn odd_maps_stay_finite(
        w in 1usize..16,
        h in 1usize..16,
        kind in 0u8..4,
        seed: u64,
        wrap: bool,
        lakes: bool,
        iterations in 0u32..6,
    ) {
        let lattice = Seed(seed).lattice();
        let map = Heightmap::from_fn(Domain::new(w, h), |x, y| match kind {
            0 => 1.0,
            1 => 1.0e6 * f32::from(u8::from((x, y) == (w / 2, h / 2))),
            2 => if x < w / 2 { 1.0e6 } else { -1.0e6 },
            _ => 100.0 * lattice.unit(x as i64, y as i64),
        });
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let p = Uplift { boundary, lakes, ..parameters(iterations) };
        let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(seed), &Silent, None).unwrap();
        prop_assert!(out.height.samples().iter().all(|h| h.is_finite()));
        prop_assert!(out.drainage.samples().iter().all(|a| *a >= 0.999));
        prop_assert!(out.basins.samples().iter().all(|b| *b >= 1.0));
    }
}

/// A rough slope, higher than the sea.
fn slope() -> Heightmap {
    let lattice = Seed(6).lattice();
    Heightmap::from_fn(Domain::new(30, 24).with_spacing(100.0), |x, y| {
        500.0 + 20.0 * y as f32 + 30.0 * lattice.unit(x as i64, y as i64)
    })
}

#[test]
fn rivers_end_at_a_fixed_border_which_keeps_its_heights() {
    let map = slope();
    let run = |border, outlets| {
        let p = Uplift { border, outlets, ..parameters(40) };
        uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(2), &Silent, None).unwrap()
    };
    let (wall, shape) = (Sides::all(Base::Wall), Shape { width: 30, height: 24, wrap: false });
    let fixed = run(Sides::all(Base::Fixed), None);
    let sea = run(Sides::all(Base::Sea), None);
    for at in (0..map.samples().len()).filter(|&at| shape.on_border(shape.position(at))) {
        assert_eq!(fixed.height.samples()[at].to_bits(), map.samples()[at].to_bits());
        assert_eq!(sea.height.samples()[at], 0.0);
    }
    // Only one side is fixed, with the corners that it shares.
    let top = run(Sides { top: Base::Fixed, ..wall }, None);
    assert!((0..30).all(|x| top.height[(x, 0)] == map[(x, 0)]));
    assert!((0..30).all(|x| top.height[(x, 23)] != map[(x, 23)]));
    assert!(top.basins.samples().iter().all(|&basin| (1.0..=30.0).contains(&basin)));
    // Water leaves at one sample only, so there is one drainage basin.
    let mask = Heightmap::from_fn(map.domain(), |x, y| if (x, y) == (7, 9) { 1.0 } else { 0.0 });
    let one = run(wall, Some(&mask));
    assert_eq!(one.height[(7, 9)], map[(7, 9)]);
    assert!(one.basins.samples().iter().all(|&basin| basin == 1.0));
    // Water leaves nowhere, so the lowest sample is the sea, as on a torus.
    let none = run(wall, None);
    assert!(none.basins.samples().iter().all(|&basin| basin == 1.0) && none.height.samples().contains(&0.0));
}

#[test]
fn without_a_start_a_fixed_border_is_the_sea() {
    let run = |border| {
        let p = Uplift { border: Sides::all(border), ..parameters(20) };
        uplift_erosion(&Domain::new(30, 24), None, &p, Seed(2), &Silent, None).unwrap()
    };
    assert_eq!(run(Base::Fixed).height, run(Base::Sea).height);
}

#[test]
fn the_talus_may_vary() {
    let (map, p) = (slope(), Uplift { border: Sides::all(Base::Fixed), ..parameters(30) });
    let run = |talus| {
        uplift_erosion(&map.domain(), Some((&map).into()), &Uplift { talus, ..p }, Seed(2), &Silent, None)
            .unwrap()
    };
    let even = Heightmap::constant(map.domain(), 0.3);
    assert_eq!(run(Some(ScalarMap::Map(&even))), run(Some(ScalarMap::Constant(0.3))));
    let none = Heightmap::constant(map.domain(), f32::NAN);
    assert_eq!(run(Some(ScalarMap::Map(&none))).height, run(None).height);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Divides are checked too: a valley that grows within a step would leave them as cliffs.
    #[test]
    fn no_slope_grows_beyond_the_talus(
        seed: u64,
        side in 5usize..24,
        iterations in 1u32..6,
        border in 0usize..3,
        wrap: bool,
        lowest: bool,
    ) {
        let map = rough(seed, side);
        let talus = 0.577_350_3;
        let routing = if lowest { Routing::Lowest } else { Routing::Steepest };
        let p = Uplift { routing, ..worn_down(iterations, border, wrap) };
        let run = |p: &Uplift<'_>| {
            uplift_erosion(&map.domain(), Some((&map).into()), p, Seed(1), &Silent, None)
        };
        let [start, out] = [run(&Uplift { iterations: 0, ..p }).unwrap(), run(&p).unwrap()];
        let shape = Shape { width: side, height: side + 3, wrap };
        let slopes = Slopes { shape, spacing: 2.0, talus: |_| talus, sea_level: f32::NEG_INFINITY };
        let (heights, floor, to) = (out.height.samples(), out.floor.samples(), out.receivers.samples());
        let held = |at: usize| to[at] == 0.0 || heights[at] == floor[at];
        for at in (0..side * (side + 3)).filter(|&at| !held(at)) {
            let [before, after] = [&start, &out].map(|map| slopes.steepness(map.height.samples(), at));
            prop_assert!(after <= before.max(talus) + 1e-3, "{at}: {before} {after}");
        }
    }

    #[test]
    fn without_uplift_nothing_rises(
        seed: u64,
        side in 5usize..24,
        iterations in 1u32..6,
        wall: bool,
        wrap: bool,
        jitter in 0.0f32..1.0,
        slope_exponent in 0.5f32..2.0,
    ) {
        let map = rough(seed, side);
        let p = Uplift { jitter, slope_exponent, ..worn_down(iterations, usize::from(!wall), wrap) };
        let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
        for (after, before) in out.height.samples().iter().zip(map.samples()) {
            prop_assert!(after <= before, "{after} {before}");
        }
    }

    /// The maps of a run are all that a run which continues it needs.
    #[test]
    fn steps_may_be_divided_into_runs(
        seed: u64,
        side in 4usize..20,
        border in 0usize..3,
        wrap: bool,
        given: bool,
        jitter in 0.0f32..1.0,
        slope_exponent in prop_oneof![Just(1.0f32), 0.5f32..2.0],
        talus in proptest::option::of(0.1f32..1.5),
        uplift in prop_oneof![Just(0.0f32), Just(5.0e-4f32), Just(-1.0e-4f32)],
    ) {
        let map = given.then(|| rough(seed, side));
        let domain = rough(seed, side).domain();
        let p = Uplift {
            uplift: ScalarMap::Constant(uplift),
            talus: talus.map(ScalarMap::Constant),
            slope_exponent,
            jitter,
            ..worn_down(0, border, wrap)
        };
        let runs = |every: u32| {
            let p = Uplift { iterations: every, ..p };
            let mut last: Option<Mountains> = None;
            for _ in 0..12 / every {
                let start = last.as_ref().map(|last| Start {
                    height: &last.height,
                    remainder: Some(&last.remainder),
                    floor: Some(&last.floor),
                });
                let start = start.or(map.as_ref().map(Start::from));
                last = Some(uplift_erosion(&domain, start, &p, Seed(7), &Silent, None).unwrap());
            }
            last.unwrap()
        };
        let whole = runs(12);
        prop_assert!(runs(3) == whole && runs(1) == whole);
    }
}

/// Rough ground.
fn rough(seed: u64, side: usize) -> Heightmap {
    Heightmap::from_fn(Domain::new(side, side + 3).with_spacing(2.0), |x, y| {
        40.0 * Seed(seed).lattice().unit(x as i64 / 3, y as i64 / 3)
    })
}

/// Parameters that only wear ground down.
fn worn_down(iterations: u32, border: usize, wrap: bool) -> Uplift<'static> {
    Uplift {
        uplift: ScalarMap::Constant(0.0),
        time_step: 2.0e4,
        erodibility: ScalarMap::Constant(1.0e-5),
        border: Sides::all([Base::Wall, Base::Fixed, Base::Sea][border]),
        boundary: if wrap { Boundary::Wrap } else { Boundary::Open },
        ..parameters(iterations)
    }
}

/// A step of a year adds less to a height than single precision can hold.
#[test]
fn short_steps_lose_no_uplift() {
    let map = Heightmap::constant(Domain::new(9, 9).with_spacing(100.0), 2500.0);
    let p = Uplift {
        uplift: ScalarMap::Constant(3.0e-4),
        time_step: 1.0,
        erodibility: ScalarMap::Constant(0.0),
        border: Sides::all(Base::Fixed),
        ..parameters(1000)
    };
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
    for (x, y) in [(1, 1), (4, 4), (7, 2)] {
        let rise = f64::from(out.height[(x, y)]) + f64::from(out.remainder[(x, y)]) - 2500.0;
        assert!((rise - f64::from(3.0e-4f32) * 1000.0).abs() < 1e-9, "{rise}");
    }
}

#[test]
fn erodibility_and_moisture_may_vary() {
    let map = slope();
    let run = |erodibility: ScalarMap<'_>, moisture: ScalarMap<'_>| {
        let border = Sides::all(Base::Fixed);
        let p = Uplift { erodibility, moisture, border, talus: None, ..parameters(10) };
        uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(2), &Silent, None).unwrap()
    };
    let (one, k) = (ScalarMap::Constant(1.0), ScalarMap::Constant(1.0e-6));
    let even = |value: f32| Heightmap::constant(map.domain(), value);
    let plain = run(k, one);
    assert_eq!(run((&even(1.0e-6)).into(), (&even(1.0)).into()), plain);
    // With an exponent of 0.5, four times the rain is twice the erodibility.
    let [wet, soft] = [run(k, ScalarMap::Constant(4.0)), run(ScalarMap::Constant(2.0e-6), one)];
    for (wet, soft) in wet.height.samples().iter().zip(soft.height.samples()) {
        assert!((wet - soft).abs() < 0.01, "{wet} {soft}");
    }
    // Hard or dry ground on the left half does not erode.
    let half = Heightmap::from_fn(map.domain(), |x, _| if x < 15 { 0.0 } else { 1.0e-6 });
    let hard = run((&half).into(), one);
    assert!((1..14).all(|x| (hard.height[(x, 12)] - map[(x, 12)] - 1250.0).abs() < 0.01));
    assert!((15..28).all(|x| hard.height[(x, 12)] < map[(x, 12)] + 1240.0));
}

/// Areas raised to high powers overflow a float.
#[test]
fn high_exponents_stay_finite() {
    let domain = Domain::new(60, 40).with_spacing(1000.0);
    for (area_exponent, slope_exponent) in [(4.0, 1.0), (4.0, 2.0), (3.0, 0.5)] {
        for (boundary, border) in
            [(Boundary::Wrap, Base::Sea), (Boundary::Open, Base::Wall), (Boundary::Open, Base::Sea)]
        {
            for erodibility in [0.0, 5.61e-7] {
                let p = Uplift {
                    area_exponent,
                    slope_exponent,
                    boundary,
                    erodibility: ScalarMap::Constant(erodibility),
                    border: Sides::all(border),
                    ..parameters(3)
                };
                let out = raise(&domain, &p);
                assert!(
                    out.height.samples().iter().all(|height| height.is_finite()),
                    "{area_exponent} {boundary:?} {border:?}"
                );
            }
        }
    }
}
