//! Banks: invariants of every solver on any hills, and positions of banks on ground that can be computed by
//! hand.

use proptest::prelude::*;
use terrane_grid::{Domain, Heightmap, PlanarGraph, Seed};

use super::tests::parameters;
use super::*;
use crate::Silent;
use crate::path::{Borders, Costs, Details, Prices, Search, Subdivide, Subdivision, Surround, subdivide};
use crate::planar::check_graph;
use terrane_grid::ScalarMap;
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::transport::earth_movers_distance;

/// The maximum excess of slopes over their bounds.
const TOLERANCE: f64 = 1e-5;

/// A road over a hill.
#[derive(Clone, Debug)]
pub struct Road {
    pub map: BriefMap,
    pub graph: PlanarGraph,
    pub width: f64,
    pub border: f64,
    pub max_slope: f64,
    pub slope_gain: f64,
    pub bank_slope: f64,
}

/// A map that a failed test does not print height by height.
#[derive(Clone)]
pub struct BriefMap(pub Heightmap);

impl std::fmt::Debug for BriefMap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let field = Field::new(self);
        write!(f, "{:?} of heights {:?}", self.0.domain(), range(&field.heights))
    }
}

impl std::ops::Deref for BriefMap {
    type Target = Heightmap;

    fn deref(&self) -> &Heightmap {
        &self.0
    }
}

impl Road {
    pub fn subdivision(&self) -> Subdivision {
        let parameters = Subdivide {
            search: Search::by(Costs::Builder(Prices { excess: None, side: 0.1 })),
            width: self.width,
            node_width: self.width,
            border: self.border,
            max_slope: self.max_slope,
            edge_slopes: &[],
            slope_gain: self.slope_gain,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details: Details::default(),
        };
        subdivide(&self.map, &self.graph, &parameters, &Silent).unwrap()
    }

    pub fn given(&self) -> Given<'static> {
        Given {
            border: None,
            slope_tolerance: TOLERANCE,
            roughness_tolerance: Some(0.04),
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: false,
            bank_slope: Some(self.bank_slope),
        }
    }

    /// The heights from a solver that meets all bounds.
    pub fn built(&self, s: &Subdivision, solver: Solver) -> Field {
        let mut field = Field::new(&self.map);
        let constraints = bounds_to_round(&field, s, &self.given());
        // Most roads take some thousand sweeps; Parallel takes more than a million for a wide and almost
        // level one.
        let out = relax(&mut field, &constraints, &parameters(solver, 10_000_000), &Silent).unwrap();
        assert_eq!((&out.outcome, out.missed), (&Outcome::Met, 0), "{solver:?}: {:?}", out.conflict);
        field
    }

    pub fn optimum(&self, s: &Subdivision, tolerance: f64, creation_cost: Option<f64>) -> Optimum {
        let allowed = Allowed {
            border: None,
            slope_tolerance: tolerance,
            bank_slope: Some(self.bank_slope),
            creation_cost: creation_cost.unwrap_or(self.sigma()),
            balanced: creation_cost.is_some(),
        };
        optimum(&self.map, s, &allowed, &Silent).unwrap()
    }

    fn sigma(&self) -> f64 {
        2.0 * self.map.width() as f64 * self.map.spacing()
    }

    /// The amount of earth times the distance that it moves from the ground to a field.
    pub fn moved(&self, field: &Field) -> f64 {
        earth_movers_distance(&self.map, &self.map.with_grid(field.grid()), self.sigma(), &Silent)
            .unwrap()
            .distance
    }
}

/// The steepest gradient of the quadrants around a sample that have both neighbours, by the definition.
fn gradient(heights: &[f64], domain: Domain, at: usize) -> f64 {
    let (width, height) = domain.size;
    let (x, y) = (at % width, at / width);
    let mut most = 0.0f64;
    for (dx, dy) in [(1, 1), (-1, 1), (1, -1), (-1, -1)] {
        let (Some(u), Some(v)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else { continue };
        if u < width && v < height {
            let (gx, gy) = (heights[y * width + u] - heights[at], heights[v * width + x] - heights[at]);
            most = most.max((gx * gx + gy * gy).sqrt() / domain.spacing);
        }
    }
    most
}

/// The steepest step along a row or column.
fn step(heights: &[f64], domain: Domain) -> f64 {
    let width = domain.width();
    let rows = heights.chunks(width).flat_map(|row| row.windows(2).map(|pair| (pair[1] - pair[0]).abs()));
    let columns = heights.iter().zip(&heights[width..]).map(|(above, below)| (below - above).abs());
    rows.chain(columns).fold(0.0, f64::max) / domain.spacing
}

fn range(heights: &[f64]) -> (f64, f64) {
    heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &h| (low.min(h), high.max(h)))
}

fn hills(side: usize, seed: u64, wavelength: f64, amplitude: f64) -> BriefMap {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 5,
        wavelength,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let drive = Drive { amplitude: ScalarMap::Constant(amplitude as f32), ..Drive::default() };
    let domain = Domain::new(side, side).with_spacing(2.0);
    BriefMap(noise.heights(&domain, Seed(seed), &drive, &Silent).unwrap())
}

/// Roads over gentle and steep hills, between points in parts of the map.
fn roads(sides: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Road> {
    let ground = (sides, any::<u64>(), 20.0..120.0f64, 1.0..60.0f64);
    let places = proptest::collection::vec((0.02..0.98f64, 0.02..0.98f64), 2..5);
    let joined = proptest::collection::vec((0..4u32, 0..4u32), 1..5);
    let asked = (0.0..12.0f64, 0.0..20.0f64, 0.02..0.4f64, 0.0..0.5f64, 0.2..1.5f64);
    (ground, places, joined, asked).prop_filter_map("no edge", |(ground, places, joined, asked)| {
        let (side, seed, wavelength, amplitude) = ground;
        let extent = 2.0 * (side - 1) as f64;
        let mut graph = PlanarGraph::default();
        for (x, y) in places.into_iter().map(|(x, y)| (x * extent, y * extent)) {
            if graph.nodes.iter().all(|&(u, v)| (x - u).abs().max((y - v).abs()) > 5.0) {
                graph.nodes.push((x, y));
            }
        }
        for (a, b) in joined {
            let known = graph.edges.contains(&(a, b)) || graph.edges.contains(&(b, a));
            if a == b || known || a.max(b) as usize >= graph.nodes.len() {
                continue;
            }
            graph.edges.push((a, b));
            if check_graph(&graph).is_err() {
                graph.edges.pop();
            }
        }
        let (width, border, max_slope, slope_gain, bank_slope) = asked;
        let map = hills(side, seed, wavelength, amplitude);
        let is_road = !graph.edges.is_empty();
        is_road.then_some(Road { map, graph, width, border, max_slope, slope_gain, bank_slope })
    })
}

/// Checks the invariants of every solver.
pub fn check(road: &Road, s: &Subdivision, solver: Solver) -> Field {
    let before = Field::new(&road.map);
    let after = road.built(s, solver);
    let domain = road.map.domain();
    let ((low, high), (lowest, highest)) = (range(&before.heights), range(&after.heights));
    let beyond = 1e-9 * (high - low);
    assert!(lowest >= low - beyond && highest <= high + beyond, "{solver:?}: range {lowest} to {highest}");
    let (was, is) = (step(&before.heights, domain), step(&after.heights, domain));
    assert!(is <= 2.0 * was.max(1.0), "{solver:?}: a step of {is} where none was above {was}");
    let mass = |field: &Field| field.heights.iter().sum::<f64>();
    let all: f64 = before.heights.iter().map(|height| height.abs()).sum();
    assert!((mass(&after) - mass(&before)).abs() <= 1e-9 * all, "{solver:?}: mass");
    for at in (0..domain.len()).filter(|&at| s.slope[at].is_infinite()) {
        let allowed = road.bank_slope.max(gradient(&before.heights, domain, at)) + BANK_TOLERANCE + TOLERANCE;
        let is = gradient(&after.heights, domain, at);
        assert!(is <= allowed + 1e-12, "{solver:?}: a bank of {is} at {at} where {allowed} is allowed");
    }
    let written = Field::new(&road.map.with_grid(after.grid()));
    let (surveys, _) = survey(&bounds(&before, s, &road.given()), &written, &road.map);
    assert!(surveys.iter().all(|survey| survey.missed == 0), "{solver:?}: as written: {surveys:?}");
    after
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn fast_solvers_meet_all_bounds_without_walls(road in roads(17..=41)) {
        let s = road.subdivision();
        let on = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let draft = check(&road, &s, Solver::Draft);
        check(&road, &s, Solver::NearOptimal);
        for threads in [1, 2] {
            prop_assert_eq!(
                &on(threads).install(|| road.built(&s, Solver::Draft)),
                &draft,
                "on {} threads",
                threads
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10))]

    #[test]
    fn sweeps_meet_all_bounds_without_walls(road in roads(17..=25)) {
        let s = road.subdivision();
        check(&road, &s, Solver::Reference);
        check(&road, &s, Solver::Parallel);
    }

    #[test]
    fn the_optimum_is_never_dearer(road in roads(17..=25)) {
        let s = road.subdivision();
        // The optimum for bounds as loose as those that Draft meets: banks have a tolerance in addition.
        let loose = road.optimum(&s, TOLERANCE + BANK_TOLERANCE, None);
        let draft = road.moved(&road.built(&s, Solver::Draft));
        prop_assert!(loose.cost <= draft * (1.0 + 1e-4) + 1e-3, "{} against Draft's {draft}", loose.cost);
        let (conserved, balanced) =
            (road.optimum(&s, TOLERANCE, None), road.optimum(&s, TOLERANCE, Some(3.0)));
        prop_assert!(
            balanced.cost <= conserved.cost * (1.0 + 1e-6) + 1e-6,
            "{} {}",
            balanced.cost,
            conserved.cost
        );
    }
}

#[test]
fn near_optimal_moves_at_most_a_tenth_more_than_the_optimum() {
    for (seed, amplitude, max_slope, bank_slope) in
        [(1, 20.0, 0.1, 0.7), (2, 40.0, 0.1, 0.7), (3, 40.0, 0.2, 1.0), (4, 60.0, 0.15, 0.5)]
    {
        let road = Road {
            map: hills(33, seed, 50.0, amplitude),
            graph: PlanarGraph {
                nodes: vec![(6.0, 10.0), (58.0, 20.0), (30.0, 56.0)],
                edges: vec![(0, 1), (1, 2)],
            },
            width: 6.0,
            border: 8.0,
            max_slope,
            slope_gain: 0.3,
            bank_slope,
        };
        let s = road.subdivision();
        let (best, near) =
            (road.optimum(&s, TOLERANCE, None).cost, road.moved(&road.built(&s, Solver::NearOptimal)));
        assert!(best > 1.0 && near <= 1.1 * best, "seed {seed}: {near} against {best}");
    }
}

/// A cliff of 6 metres that a road of slope 0.2 crosses: below it the road lies on an embankment, above it in
/// a cut of the same shape.
#[test]
fn banks_across_a_cliff_meet_the_ground_where_their_slope_does() {
    let (side, bank) = (65usize, 0.5);
    let map = BriefMap(Heightmap::from_fn(Domain::new(side, side), |x, _| if x < 32 { 0.0 } else { 6.0 }));
    let road = Road {
        map,
        graph: PlanarGraph { nodes: vec![(4.0, 32.0), (60.0, 32.0)], edges: vec![(0, 1)] },
        width: 4.0,
        border: 0.0,
        max_slope: 0.2,
        slope_gain: 0.0,
        bank_slope: bank,
    };
    let s = road.subdivision();
    assert!(s.paths[0].iter().all(|&at| at as usize / side == 32), "straight across");
    let best = road.optimum(&s, TOLERANCE, None).heights;
    let near = road.built(&s, Solver::NearOptimal).heights;
    // The bank rises along with the road, so across the road it falls by a fixed height per sample. It begins
    // one sample beyond the road's last one.
    let fall = (bank * bank - 0.2f64 * 0.2).sqrt();
    for (name, heights) in [("optimum", best), ("NearOptimal", near)] {
        for (x, y) in (20..30usize).flat_map(|x| (32..64usize).map(move |y| (x, y))) {
            let road = 3.0 + 0.2 * (x as f64 - 31.5);
            let expected = (road - fall * y.saturating_sub(35) as f64).max(0.0);
            // Heights are within a seventh of the bank's fall per sample of the expected ones. So the foot of
            // the bank is within a sample of the expected position.
            let near = |height: f64| (height - expected).abs() <= fall / 7.0;
            let (low, high) = (heights[y * side + x], 6.0 - heights[y * side + 63 - x]);
            assert!(near(low) && near(high), "{name}: {low} and {high} at ({x}, {y}), expected {expected}");
        }
    }
}

/// Four roads that meet in a valley among hills, where the minimum of earthworks without banks had walls of
/// slope 75.
#[test]
fn a_junction_among_hills_has_no_walls() {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 8,
        wavelength: 160.0,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let drive = Drive { amplitude: ScalarMap::Constant(60.0), ..Drive::default() };
    let domain = Domain::new(129, 129).with_spacing(2.0);
    let road = Road {
        map: BriefMap(noise.heights(&domain, Seed(4), &drive, &Silent).unwrap()),
        graph: PlanarGraph {
            nodes: vec![(20.0, 40.0), (220.0, 30.0), (120.0, 220.0), (240.0, 240.0), (128.0, 128.0)],
            edges: vec![(0, 4), (1, 4), (2, 4), (3, 4)],
        },
        width: 6.0,
        border: 8.0,
        max_slope: 0.1,
        slope_gain: 0.3,
        bank_slope: 0.7,
    };
    let s = road.subdivision();
    for solver in [Solver::Draft, Solver::NearOptimal] {
        check(&road, &s, solver);
    }
}

/// A loop of roads, partly near the border, with and without prescribed heights there: prescribed heights
/// must not make ground move that would not move without them.
#[test]
fn prescribed_heights_do_not_change_the_ground_beside_roads() {
    for seed in 0..4 {
        let road = Road {
            map: hills(65, seed, 80.0, 20.0),
            graph: PlanarGraph {
                nodes: vec![(24.0, 26.0), (100.0, 22.0), (104.0, 102.0), (22.0, 98.0)],
                edges: vec![(0, 1), (1, 2), (2, 3), (3, 0)],
            },
            width: 6.0,
            border: 8.0,
            max_slope: 0.1,
            slope_gain: 0.3,
            bank_slope: 0.7,
        };
        let mut s = road.subdivision();
        let volume = |s: &Subdivision| {
            let field = road.built(s, Solver::Draft);
            let before = Field::new(&road.map).heights;
            field.heights.iter().zip(before).map(|(now, then)| (now - then).abs()).sum::<f64>()
        };
        let free = volume(&s);
        for at in 0..65 * 65 {
            let (x, y) = (at % 65, at / 65);
            if x == 0 || y == 0 || x == 64 || y == 64 {
                s.given[at] = road.map.samples()[at];
            }
        }
        let given = volume(&s);
        assert!(
            free > 100.0 && given < 1.25 * free,
            "seed {seed}: {given} with prescribed heights, {free} without"
        );
    }
}
