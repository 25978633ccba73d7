//! Roads whose surroundings keep their roughness, on hills.

use terrane_grid::{Domain, Heightmap, PlanarGraph, ScalarMap, Seed};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use super::tests::{crossing, steepest};
use super::*;
use crate::Silent;
use crate::path::{Costs, Prices, Search, Subdivide, Subdivision, Surround, subdivide};

/// Samples on each side of a map.
const SIDE: usize = 41;

/// Hills 4 m from sample to sample, and bounds of two roads whose surroundings keep their roughness. `unit`
/// is the length of a metre.
fn hills(seed: u64, unit: f64) -> (Heightmap, Subdivision) {
    let lattice = Seed(seed).lattice();
    let random = |number: i64| f64::from(lattice.unit(number, 77));
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: if seed.is_multiple_of(2) { Fractal::Fbm } else { Fractal::Ridged },
        octaves: 7,
        wavelength: 120.0 + 100.0 * random(1),
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let amplitude = (20.0 + 40.0 * random(2)) as f32;
    let drive = Drive { amplitude: ScalarMap::Constant(amplitude), ..Drive::default() };
    let domain = Domain::new(SIDE, SIDE).with_spacing(4.0);
    let metres = noise.heights(&domain, Seed(seed), &drive, &Silent).unwrap();
    let domain = Domain::new(SIDE, SIDE).with_spacing(4.0 * unit);
    let map = Heightmap::from_fn(domain, |x, y| (f64::from(metres[(x, y)]) * unit) as f32);
    let nodes = [(20.0, 30.0), (140.0, 60.0), (70.0, 140.0)].map(|(x, y)| (x * unit, y * unit));
    let graph = PlanarGraph { nodes: nodes.to_vec(), edges: vec![(0, 1), (1, 2)] };
    let parameters = Subdivide {
        search: Search::by(Costs::Builder(Prices { excess: None, side: 0.1 / unit })),
        width: 8.0 * unit,
        node_width: 8.0 * unit,
        border: 16.0 * unit,
        surround: Surround::Roughness,
        ..Subdivide::default()
    };
    let bounds = subdivide(&map, &graph, &parameters, &Silent).unwrap();
    (map, bounds)
}

/// What [`reshape`] makes of hills: the result, the ground in single precision, and the bounds that remain.
struct Built {
    out: Reshaped,
    map: Heightmap,
    bounds: Subdivision,
    /// Violated bounds by kind, as a report counts them.
    missed: Vec<(BoundKind, usize)>,
}

impl Built {
    fn new(
        (map, bounds): &(Heightmap, Subdivision),
        given: &Given<'_>,
        loosens: bool,
        solver: Solver,
    ) -> Self {
        let (before, mut bounds) = (Field::new(map), bounds.clone());
        let mut field = before.clone();
        let parameters = Relaxation { solver, ..Relaxation::default() };
        let out = reshape(&mut field, &mut bounds, given, loosens, &parameters, &Silent).unwrap();
        let map = map.with_grid(field.grid());
        let given = Given { change: Some(&out.change), widening: &out.widening, ..*given };
        let (surveys, _) = survey(&super::bounds(&before, &bounds, &given), &Field::new(&map), &map);
        let missed = surveys.iter().map(|survey| (survey.kind, survey.missed)).collect();
        Self { out, map, bounds, missed }
    }

    fn missed(&self, rough: bool) -> usize {
        let kinds = self.missed.iter().filter(|(kind, _)| (*kind == BoundKind::Roughness) == rough);
        kinds.map(|(_, missed)| missed).sum()
    }
}

#[test]
fn twenty_roads_in_hills_can_be_walked_and_keep_the_roughness_beside_them() {
    let (mut steep, mut most_off) = (0, 0.0f64);
    for seed in 0..20 {
        let hills = hills(seed, 1.0);
        steep += usize::from(steepest(&hills.0, &hills.1) > 0.3);
        for solver in [Solver::Reference, Solver::NearOptimal] {
            let built = Built::new(&hills, &Given::default(), false, solver);
            assert_eq!(
                (&built.out.relaxed.outcome, built.missed(false)),
                (&Outcome::Met, 0),
                "{seed} {solver:?}"
            );
            assert_eq!(built.missed(true), 0, "{seed} {solver:?}");
            assert!(steepest(&built.map, &built.bounds) <= 1e-5, "{seed} {solver:?}");
            most_off = most_off.max(median_off(&hills, &built.map).abs());
        }
    }
    assert!(steep >= 10, "most paths are too steep at the start: {steep}");
    assert!(most_off < 0.25, "roughness beside paths changes by {most_off} in the median");
}

/// The median of the relative change of roughness where it is kept.
fn median_off((before, bounds): &(Heightmap, Subdivision), after: &Heightmap) -> f64 {
    let shape = Field::new(before).shape();
    let kept = (0..bounds.roughness.len()).filter(|&at| !bounds.roughness[at].is_nan());
    let off = kept.map(|at| f64::from(after.roughness_at(shape, at) / bounds.roughness[at]) - 1.0);
    let mut off: Vec<f64> = off.collect();
    off.sort_by(f64::total_cmp);
    off[off.len() / 2]
}

/// The thesis's tolerance is far too small for hills in metres.
#[test]
fn with_too_small_a_tolerance_paths_can_be_walked_and_few_bounds_are_dropped() {
    let given = Given { roughness_tolerance: Some(0.04), ..Given::default() };
    for seed in [0, 13] {
        let hills = hills(seed, 1.0);
        let bound = hills.1.roughness.iter().filter(|roughness| !roughness.is_nan()).count();
        let reported = Built::new(&hills, &given, false, Solver::Draft);
        assert!(matches!(reported.out.relaxed.outcome, Outcome::Stuck { .. }), "{seed}");
        assert!(reported.missed(true) > 0, "{seed}: what is missed is reported");
        assert_eq!((reported.missed(false), reported.out.widened, reported.out.dropped), (0, 0, 0), "{seed}");
        assert!(steepest(&reported.map, &reported.bounds) <= 1e-5, "{seed}");
        let loosened = Built::new(&hills, &given, true, Solver::Draft);
        assert_eq!(
            (&loosened.out.relaxed.outcome, loosened.missed(true) + loosened.missed(false)),
            (&Outcome::Met, 0)
        );
        assert!(steepest(&loosened.map, &loosened.bounds) <= 1e-5, "{seed}");
        assert!(loosened.out.widened > 0, "{seed}");
        assert!(loosened.out.dropped * 10 <= bound, "{seed}: {} of {bound}", loosened.out.dropped);
    }
}

#[test]
fn the_unit_of_length_makes_no_difference() {
    for seed in [1, 6] {
        let [metres, millimetres] = [1.0, 1000.0]
            .map(|unit| Built::new(&hills(seed, unit), &Given::default(), false, Solver::NearOptimal));
        assert_eq!(metres.missed, millimetres.missed);
        assert!(metres.out.change.iter().any(|by| by.abs() > 0.5), "{seed}: paths move");
        let off = metres.map.samples().iter().zip(millimetres.map.samples());
        let off = off.map(|(a, b)| (a - b / 1000.0).abs()).fold(0.0, f32::max);
        assert!(off < 1e-3, "{seed}: heights differ by {off} m");
    }
}

#[test]
fn roads_in_hills_have_the_same_bits_on_any_number_of_threads() {
    let hills = hills(1, 1.0);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let built = pool.install(|| Built::new(&hills, &Given::default(), false, Solver::NearOptimal));
        built.map.samples().iter().map(|height| height.to_bits()).collect::<Vec<_>>()
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

/// Heights along the border rise by twice what the slope of a path across it allows. There is no roughness to
/// give way.
#[test]
fn fixed_heights_near_slopes_that_conflict_with_them_are_released() {
    let (rough, mut bounds) = crossing(33, 1);
    let fixed: Vec<usize> = (0..33 * 33).filter(|&at| !bounds.given[at].is_nan()).collect();
    fixed.iter().for_each(|&at| bounds.given[at] = (at % 33) as f32 / 32.0);
    let given = Given { bank_slope: None, ..Given::default() };
    let ground = (rough, bounds);
    let reported = Built::new(&ground, &given, false, Solver::Draft);
    assert!(matches!(reported.out.relaxed.outcome, Outcome::Stuck { .. }));
    let loosened = Built::new(&ground, &given, true, Solver::Draft);
    assert_eq!((&loosened.out.relaxed.outcome, loosened.missed(false)), (&Outcome::Met, 0));
    assert_eq!(loosened.out.widened, 0);
    let kept = fixed.iter().filter(|&&at| !loosened.bounds.given[at].is_nan()).count();
    assert_eq!(loosened.out.dropped, fixed.len() - kept);
    assert!(kept > 0 && loosened.out.dropped > 0, "{kept} of {} are kept", fixed.len());
}

/// A row of three heights 0, 1.15 and 2.85, whose roughness should be 1 everywhere, within 0.1. It is 1.15,
/// 2.05 and 1.7, so that the violations are 1.5, 10.5 and 7 times the tolerance. The two worst give way
/// together, until the first is at least half as bad as the second.
#[test]
fn the_worst_violations_give_way_first() {
    let map = Heightmap::from_fn(Domain::new(3, 1), |x, _| [0.0, 1.15, 2.85][x]);
    let (field, mut bounds) = (Field::new(&map), hills(0, 1.0).1);
    bounds.domain = map.domain();
    bounds.roughness = vec![1.0; 3];
    let tolerance = Given { roughness_tolerance: Some(0.1), ..Given::default() };
    let mut widening = vec![0; 3];
    for expected in [[0, 1, 1], [0, 2, 2], [1, 3, 3], [1, 4, 3]] {
        let before = widening.clone();
        let given = Given { widening: &before, ..tolerance };
        let gave_way = loosen::give_way(&field, &field, &mut bounds, &given, &mut widening);
        let changed = before.iter().zip(&widening).filter(|(a, b)| a != b).count();
        assert_eq!((&widening[..], gave_way), (&expected[..], (changed, 0)));
    }
    let before = widening.clone();
    let given = Given { widening: &before, ..tolerance };
    assert_eq!(loosen::give_way(&field, &field, &mut bounds, &given, &mut widening), (0, 0), "all are met");
    // No tolerance, however often it is doubled, accepts the change: the bounds are dropped.
    let none = Given { roughness_tolerance: Some(0.0), widening: &[6, 5, 6], ..tolerance };
    let mut widening = vec![6, 5, 6];
    assert_eq!(loosen::give_way(&field, &field, &mut bounds, &none, &mut widening), (3, 2));
    assert_eq!(widening, [6, 6, 6]);
    assert_eq!(bounds.roughness.iter().map(|kept| kept.is_nan()).collect::<Vec<_>>(), [true, false, true]);
}
