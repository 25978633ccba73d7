use proptest::prelude::*;

use super::*;
use crate::{ScalarMap, Silent};

fn parameters(boundary: Boundary) -> Midpoint<'static> {
    let roughness = ScalarMap::Constant(1.0);
    let distribution = Distribution::Uniform;
    Midpoint { persistence: 0.5, roughness, distribution, smoothed: false, boundary, lattice: 3 }
}

fn make(domain: &Domain, p: &Midpoint) -> Heightmap {
    midpoint_displacement(domain, Seed(5), p, &Silent).unwrap()
}

/// Where roughness is 0 a midpoint is the mean of its neighbours; where it is 1 the map is as without
/// roughness.
#[test]
fn roughness_multiplies_the_range_of_each_offset() {
    let domain = Domain::new(129, 129);
    let plain = make(&domain, &parameters(Boundary::Open));
    let ones = Heightmap::constant(domain, 1.0);
    fn with(map: &Heightmap) -> Midpoint<'_> {
        Midpoint { roughness: ScalarMap::Map(map), ..parameters(Boundary::Open) }
    }
    assert_eq!(make(&domain, &with(&ones)), plain);
    let half = Midpoint { roughness: ScalarMap::Constant(0.5), ..parameters(Boundary::Open) };
    assert_eq!(make(&domain, &half), make(&domain, &with(&Heightmap::constant(domain, 0.5))));
    // Smooth to the left, rough to the right.
    let side = Heightmap::from_fn(domain, |x, _| if x < 64 { 0.0 } else { 1.0 });
    let map = make(&domain, &with(&side));
    let bend = |x: usize, y: usize| (map[(x - 1, y)] - 2.0 * map[(x, y)] + map[(x + 1, y)]).abs();
    let mean = |from: usize, to: usize| {
        (1..128).flat_map(|y| (from..to).map(move |x| (x, y))).map(|(x, y)| bend(x, y)).sum::<f32>()
            / (127 * (to - from)) as f32
    };
    assert!(mean(2, 60) < 0.1 * mean(68, 127), "{} {}", mean(2, 60), mean(68, 127));
    // A midpoint of the last level, between four of the level before, where nothing is offset.
    let around = [(40, 40), (42, 40), (40, 42), (42, 42)].map(|position| map[position]);
    assert!((map[(41, 41)] - around.iter().sum::<f32>() / 4.0).abs() < 1e-6);
    // A map with half the samples has every second one.
    let coarse = Domain::new(65, 65).with_spacing(2.0);
    let coarse_side = Heightmap::from_fn(coarse, |x, _| if x < 32 { 0.0 } else { 1.0 });
    let small = make(&coarse, &with(&coarse_side));
    assert!((0..65).all(|y| (0..65).all(|x| small[(x, y)] == map[(2 * x, 2 * y)])));
    let wrong = Heightmap::constant(Domain::new(9, 7), 1.0);
    let refused = midpoint_displacement(&domain, Seed(5), &with(&wrong), &Silent);
    assert_eq!(refused, Err(MidpointError::Roughness(9, 7)));
    let gaps = Heightmap::constant(domain, f32::NAN);
    assert!(make(&domain, &with(&gaps)).samples().iter().all(|h| h.is_finite()));
}

#[test]
fn seamless_neighbours_share_their_border_to_the_bit() {
    let p = parameters(Boundary::Seamless);
    for origin in
        [(0.0, 0.0), (-64.0, -64.0), (-640.0, 1280.0), (64.0e7, -64.0e7), (2147483648.0 - 32.0, 0.0)]
    {
        let here = Domain::new(129, 129).with_spacing(0.5).with_origin(origin.0, origin.1);
        let (east, south) =
            (here.with_origin(here.x(128), origin.1), here.with_origin(origin.0, here.y(128)));
        let (a, b, c) = (make(&here, &p), make(&east, &p), make(&south, &p));
        for i in 0..129 {
            assert_eq!(a[(128, i)].to_bits(), b[(0, i)].to_bits());
            assert_eq!(a[(i, 128)].to_bits(), c[(i, 0)].to_bits());
        }
        assert_ne!(a.samples(), b.samples());
    }
}

#[test]
fn half_the_samples_are_every_second_one() {
    for boundary in [Boundary::Open, Boundary::Seamless, Boundary::Wrap] {
        let n = if boundary == Boundary::Wrap { 128 } else { 129 };
        let p = parameters(boundary);
        let p = Midpoint { lattice: if boundary == Boundary::Wrap { 4 } else { 3 }, ..p };
        let fine = make(&Domain::new(n, n), &p);
        let coarse = make(&Domain::new(n.div_ceil(2), n.div_ceil(2)).with_spacing(2.0), &p);
        for row in 0..coarse.height() {
            for column in 0..coarse.width() {
                assert_eq!(
                    coarse[(column, row)].to_bits(),
                    fine[(2 * column, 2 * row)].to_bits(),
                    "{boundary:?}"
                );
            }
        }
    }
}

/// A long map computes only what it needs, with the same bits as in the whole square.
#[test]
fn a_strip_is_a_part_of_the_square() {
    // The same number of starting cells covers both.
    for (lattice, heights) in [(2, [1, 2, 7, 60]), (3, [130, 140, 161, 256]), (5, [194, 195, 200, 250])] {
        let p = Midpoint { lattice, ..parameters(Boundary::Open) };
        let whole = make(&Domain::new(257, 257), &p);
        for height in heights {
            for width in [257, 240] {
                let strip = make(&Domain::new(width, height), &p);
                for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
                    let (found, expected) = (strip[(column, row)], whole[(column, row)]);
                    assert_eq!(
                        found.to_bits(),
                        expected.to_bits(),
                        "{lattice} {width} {height} {column} {row}"
                    );
                }
            }
        }
    }
    // The square around it would need 16 GB.
    assert_eq!(make(&Domain::new(65_540, 1), &parameters(Boundary::Open)).width(), 65_540);
}

#[test]
fn a_wrapping_map_has_no_seam() {
    let p = Midpoint { lattice: 4, ..parameters(Boundary::Wrap) };
    let map = make(&Domain::new(256, 256), &p);
    let step = |a: f32, b: f32| f64::from((a - b).abs());
    let across: f64 = (0..256).map(|row| step(map[(255, row)], map[(0, row)])).sum();
    let inside: f64 = (0..256).map(|row| step(map[(127, row)], map[(128, row)])).sum();
    assert!(across < 1.5 * inside && inside < 1.5 * across, "{across} {inside}");
}

#[test]
fn sizes_that_do_not_fit_suggest_one_that_does() {
    let error =
        midpoint_displacement(&Domain::new(100, 100), Seed(1), &parameters(Boundary::Seamless), &Silent);
    let text = error.unwrap_err().to_string();
    assert!(text.contains("multiples of 64, a cell's side, plus 1") && text.contains("129 x 129"), "{text}");
    let wrap = midpoint_displacement(&Domain::new(65, 64), Seed(1), &parameters(Boundary::Wrap), &Silent);
    assert!(wrap.is_err());
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| make(&Domain::new(300, 200), &parameters(Boundary::Open)))
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn gaussian_offsets_have_a_quarter_of_the_range_as_spread() {
    let spread = |distribution| {
        let p = Midpoint { distribution, lattice: 257, persistence: 1.0, ..parameters(Boundary::Open) };
        let domain = Domain::new(513, 513);
        let map = make(&domain, &p);
        // Diamonds of the only level: an offset from the mean of four known points.
        let mut sum = 0.0;
        for row in (1..513).step_by(2) {
            for column in (1..513).step_by(2) {
                let mean = (map[(column - 1, row - 1)]
                    + map[(column + 1, row - 1)]
                    + map[(column - 1, row + 1)]
                    + map[(column + 1, row + 1)])
                    / 4.0;
                sum += f64::from(map[(column, row)] - mean) * f64::from(map[(column, row)] - mean);
            }
        }
        (sum / (256.0 * 256.0)).sqrt()
    };
    // Uniform over a range of 1: 1/√12; the mean of four: half of that. Five standard errors.
    assert!((spread(Distribution::Uniform) - 0.2887).abs() < 0.004);
    assert!((spread(Distribution::Gaussian) - 0.1443).abs() < 0.002);
}

/// How much higher the steps beside starting points are than those beside other points, over twenty seeds.
fn steepness_of_starts(persistence: f32, roughness: f32) -> f32 {
    let p = Midpoint {
        persistence,
        roughness: ScalarMap::Constant(roughness),
        lattice: 5,
        ..parameters(Boundary::Open)
    };
    let (mut starts, mut others) = ((0.0, 0.0), (0.0, 0.0));
    for seed in 0..20 {
        let map = midpoint_displacement(&Domain::new(257, 257), Seed(seed), &p, &Silent).unwrap();
        for row in 0..256 {
            for column in 0..256 {
                let step = (map[(column, row)] - map[(column + 1, row)]).abs();
                let is_start = row % 64 == 0 && column % 64 == 0;
                let (sum, count) = if is_start { &mut starts } else { &mut others };
                *sum += step;
                *count += 1.0;
            }
        }
    }
    (starts.0 / starts.1) / (others.0 / others.1)
}

#[test]
fn starting_points_stand_out_less_with_persistence_or_roughness() {
    let plain = steepness_of_starts(0.5, 1.0);
    assert!(plain > 1.5, "{plain}");
    let persistent = steepness_of_starts(0.6, 1.0);
    assert!(persistent < 0.8 * plain, "{persistent} {plain}");
    let rough = steepness_of_starts(0.5, 2.0);
    assert!(rough < 0.8 * plain, "{rough} {plain}");
}

mod plane;
mod through;

proptest! {
    #[test]
    fn any_size_is_finite_and_within_bounds(
        w in 1usize..70, h in 1usize..70, lattice in 2u32..6, smoothed: bool, gaussian: bool,
    ) {
        let distribution = if gaussian { Distribution::Gaussian } else { Distribution::Uniform };
        let p = Midpoint { lattice, smoothed, distribution, ..parameters(Boundary::Open) };
        let map = make(&Domain::new(w, h), &p);
        prop_assert_eq!(map.domain().size, (w, h));
        prop_assert!(map.samples().iter().all(|&v| (-1.0..=2.0).contains(&v)));
    }
}
