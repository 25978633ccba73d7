//! What holds over the steps of a run, and over runs that continue each other.

use super::*;
use crate::erosion::talus::Slopes;

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
        let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
        let shape = Shape { width: side, height: side + 3, wrap };
        let slopes = Slopes { shape, spacing: 2.0, talus: |_| talus, sea_level: f32::NEG_INFINITY };
        for at in (0..side * (side + 3)).filter(|&at| !is_held(&out, at)) {
            let [before, after] = [&map, &out.height].map(|map| slopes.steepness(map.samples(), at));
            prop_assert!(after <= before, "{at}: {before} {after}");
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
        widths in proptest::option::of(0.5f64..4.0),
        jitter in 0.0f32..1.0,
        slope_exponent in prop_oneof![Just(1.0f32), 0.5f32..2.0],
        talus in proptest::option::of(0.1f32..1.5),
        uplift in prop_oneof![Just(0.0f32), Just(5.0e-4f32), Just(-1.0e-4f32)],
        floor in proptest::option::of(-5.0f32..30.0),
    ) {
        let map = given.then(|| rough(seed, side));
        let floor = floor.map(|floor| Heightmap::constant(rough(seed, side).domain(), floor));
        let domain = rough(seed, side).domain();
        let p = Uplift {
            uplift: ScalarMap::Constant(uplift),
            talus: talus.map(ScalarMap::Constant),
            slope_exponent,
            jitter,
            valley_width: widths.map(|widths| widths * domain.spacing),
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
                let start = start.or(map.as_ref().map(|map| Start { floor: floor.as_ref(), ..map.into() }));
                last = Some(uplift_erosion(&domain, start, &p, Seed(7), &Silent, None).unwrap());
            }
            last.unwrap()
        };
        let whole = runs(12);
        prop_assert!(runs(3) == whole && runs(1) == whole);
    }
}

/// Whether no step lowers a sample: it is an outlet, or at its floor.
fn is_held(out: &Mountains, at: usize) -> bool {
    out.receivers.samples()[at] == 0.0 || out.height.samples()[at] == out.floor.samples()[at]
}

/// However many steps there are, and however high the ground is.
#[test]
fn short_steps_do_not_steepen_the_talus() {
    let map = Heightmap::from_fn(Domain::new(21, 17), |x, y| 3000.0 + 0.01 * ((x * 7 + y * 5) % 11) as f32);
    let p = Uplift {
        uplift: ScalarMap::Constant(0.01),
        time_step: 1.0,
        erodibility: ScalarMap::Constant(1.0e-7),
        talus: Some(ScalarMap::Constant(0.5)),
        border: Sides::all(Base::Fixed),
        ..parameters(2000)
    };
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
    let shape = Shape { width: 21, height: 17, wrap: false };
    let slopes = Slopes { shape, spacing: 1.0, talus: |_| 0.5, sea_level: f32::NEG_INFINITY };
    for at in (0..21 * 17).filter(|&at| !is_held(&out, at)) {
        assert_eq!(slopes.steepness(out.height.samples(), at), 0.5);
    }
    assert!(out.height[(10, 8)] > 3002.0);
}

/// The ground beside a side that falls to the sea becomes a slope, not a cliff.
#[test]
fn the_sea_beside_given_ground_leaves_no_cliff() {
    let map = rough(4, 20);
    let high = Heightmap::from_fn(map.domain(), |x, y| 500.0 + 0.02 * map[(x, y)]);
    let p = Uplift { talus: Some(ScalarMap::Constant(1.0)), ..worn_down(1, 2, false) };
    let out = uplift_erosion(&high.domain(), Some((&high).into()), &p, Seed(1), &Silent, None).unwrap();
    let shape = Shape { width: 20, height: 23, wrap: false };
    let slopes = Slopes { shape, spacing: 2.0, talus: |_| 1.0, sea_level: f32::NEG_INFINITY };
    assert_eq!((0..20 * 23).find(|&at| slopes.steepness(out.height.samples(), at) > 1.0), None);
}

/// Where water can leave nowhere, it ends in the lowest sample of the start, which keeps its height, also if
/// there is a floor.
#[test]
fn closed_ground_keeps_its_lowest_height() {
    let map = rough(5, 12);
    let high =
        Heightmap::from_fn(map.domain(), |x, y| if (x, y) == (7, 4) { 1990.0 } else { 2000.0 + map[(x, y)] });
    for (border, wrap) in [(0, false), (0, true)] {
        for floor in [None, Some(Heightmap::constant(map.domain(), -500.0))] {
            let p = worn_down(5, border, wrap);
            let start = Start { floor: floor.as_ref(), ..(&high).into() };
            let out = uplift_erosion(&high.domain(), Some(start), &p, Seed(1), &Silent, None).unwrap();
            assert_eq!(out.height[(7, 4)], 1990.0);
            assert!(out.height.samples().iter().all(|&height| height >= 1990.0));
        }
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

/// With `drain` nearly all water leaves ground with hollows, and only channels through fixed sides change
/// samples on the border. Without it and without uplift, no sample is raised.
#[test]
fn hollows_are_removed_before_the_first_step() {
    for seed in 0..20 {
        let lattice = Seed(seed).lattice();
        let map = Heightmap::from_fn(domain(60), |x, y| 3000.0 * lattice.unit(x as i64 / 4, y as i64 / 4));
        let p = Uplift { uplift: ScalarMap::Constant(0.0), time_step: 20_000.0, ..parameters(5) };
        let run = |drain| {
            let start = Some(Start::from(&map));
            uplift_erosion(&map.domain(), start, &Uplift { drain, ..p }, Seed(1), &Silent, None).unwrap()
        };
        let (kept, drained) = (run(false), run(true));
        assert!(kept.hollows.share > 0.05, "{seed}: {:?}", kept.hollows);
        assert!(drained.hollows.share <= 0.006, "{seed}: {:?}", drained.hollows);
        let is_raised = |(new, old): (&f32, &f32)| new > old;
        // A run that continues another does not drain its start again.
        let half = Uplift { drain: true, iterations: 2, deposition: 1.0, ..p };
        let first =
            uplift_erosion(&map.domain(), Some(Start::from(&map)), &half, Seed(1), &Silent, None).unwrap();
        let start =
            Start { height: &first.height, remainder: Some(&first.remainder), floor: Some(&first.floor) };
        let second = uplift_erosion(&map.domain(), Some(start), &half, Seed(1), &Silent, None).unwrap();
        let whole = Uplift { iterations: 4, ..half };
        let whole =
            uplift_erosion(&map.domain(), Some(Start::from(&map)), &whole, Seed(1), &Silent, None).unwrap();
        assert_eq!(
            (second.height, second.remainder, second.flux),
            (whole.height, whole.remainder, whole.flux)
        );
        assert!(!kept.height.samples().iter().zip(map.samples()).any(is_raised), "{seed}");
    }
}
