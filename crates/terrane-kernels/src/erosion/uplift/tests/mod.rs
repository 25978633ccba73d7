//! Steps, lakes, borders and parameters.

mod deposit;
mod diffuse;
mod law;
mod runs;

use proptest::prelude::*;

use super::*;
use crate::erosion::{Neighbourhood, Sides};
use crate::{Boundary, ScalarMap, Silent};
use terrane_compute::Stop;
use terrane_grid::Shape;

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
    let wide = Some(2.5 * domain(90).spacing);
    for (boundary, valley_width) in [(Boundary::Open, None), (Boundary::Wrap, None), (Boundary::Open, wide)] {
        let p = Uplift { boundary, valley_width, jitter: 1.0, ..parameters(8) };
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
    // Water leaves nowhere, so it ends in the lowest sample, as on a torus.
    let none = run(wall, None);
    assert!(none.basins.samples().iter().all(|&basin| basin == 1.0));
    let lowest = |map: &Heightmap| map.samples().iter().copied().fold(f32::INFINITY, f32::min);
    assert_eq!(lowest(&none.height), lowest(&map));
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
