//! Noise over windows: comparisons with slow references, and checks that the bits do not depend on how noise
//! is computed.

use fearless_simd::{Fallback, prelude::*, u32x4};
use proptest::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

use super::hash::{Direction, LatticeHash, Uniform};
use super::*;
use crate::simd;
use crate::{ScalarMap, Silent};
use terrane_compute::Stop;

const BASES: [Basis; 8] = [
    Basis::Perlin(Smoothstep::CUBIC),
    Basis::Perlin(Smoothstep::QUINTIC),
    Basis::OpenSimplex,
    Basis::ZeroGradient(Smoothstep::CUBIC),
    Basis::Value(Smoothstep::of_order(3)),
    Basis::D2M1N3 { gradient_weight: 0.5 },
    Basis::Hermite { gradient_weight: 2.0 },
    Basis::D2M2 { gradient_weight: 1.0 },
];

const FRACTALS: [Fractal; 4] = [Fractal::Fbm, Fractal::Ridged, Fractal::Billow, Fractal::Turbulence];

const ONE: Fallback = Fallback::new();

fn word(bits: u32) -> u32x4<Fallback> {
    u32x4::splat(ONE, bits)
}

/// The random bits of a lattice point.
fn point(hash: LatticeHash, x: u32, y: u32) -> u32x4<Fallback> {
    hash.point(ONE, hash.column(ONE, word(x)), hash.row(ONE, word(y)))
}

/// The direction that bits encode.
fn direction(bits: u32x4<Fallback>) -> (f64, f64) {
    let (f, g) = Direction::of_length(1.0).of(ONE, bits);
    (f64::from(f[0]), f64::from(g[0]))
}

/// The number in [−1, 1] that bits encode.
fn unit(bits: u32x4<Fallback>) -> f64 {
    f64::from(Uniform::within(1.0).of(ONE, bits)[0])
}

fn noise(basis: Basis, fractal: Fractal) -> Noise {
    Noise { basis, fractal, octaves: 5, wavelength: 37.5, lacunarity: 2.0, layout: Layout::Straight }
}

fn heights(noise: &Noise, domain: &Domain, drive: &Drive<'_>) -> Heightmap {
    noise.heights(domain, Seed(9), drive, &Silent).unwrap()
}

fn plain(noise: &Noise, domain: &Domain) -> Heightmap {
    heights(noise, domain, &Drive::default())
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.samples().iter().map(|h| h.to_bits()).collect()
}

/// One sample, computed directly from the definitions, in double precision.
fn slow(noise: &Noise, x: f64, y: f64, persistence: f64) -> f64 {
    let (mut sum, mut total, mut amplitude, mut weight) = (0.0, 0.0, 1.0, 1.0f64);
    let mut cell = noise.wavelength;
    for octave in 0..noise.octaves {
        let hash = LatticeHash::new(Seed(9).part(u64::from(octave)));
        let n = match noise.basis {
            Basis::OpenSimplex => slow_simplex(hash, x / cell, y / cell),
            basis => slow_lattice(basis, hash, x / cell, y / cell),
        };
        let ridge = (1.0 - n.abs()) * (1.0 - n.abs());
        sum += amplitude
            * match noise.fractal {
                Fractal::Fbm => n,
                Fractal::Turbulence => n.abs(),
                Fractal::Billow => 1.0 - ridge,
                Fractal::Ridged => {
                    let signal = ridge * weight;
                    weight = (2.0 * signal).min(1.0);
                    signal
                }
            };
        total += amplitude;
        amplitude *= persistence;
        cell /= noise.lacunarity;
    }
    if noise.fractal == Fractal::Fbm { 0.5 + 0.5 * sum / total } else { sum / total }
}

fn slow_lattice(basis: Basis, hash: LatticeHash, x: f64, y: f64) -> f64 {
    let (x, y) = (x + hash.shift[0], y + hash.shift[1]);
    let (u, v) = (x - x.floor(), y - y.floor());
    let at_corner = |i: i64, j: i64| {
        let at = |a: f64, by: i64| (a.floor() as i64 + by) as u32;
        point(hash, at(x, i), at(y, j))
    };
    let s = |step: Smoothstep, t: f64| match step.order() {
        1 => t * t * (3.0 - 2.0 * t),
        2 => t * t * t * (t * (6.0 * t - 15.0) + 10.0),
        _ => t * t * t * t * (35.0 + t * (-84.0 + t * (70.0 - 20.0 * t))),
    };
    let blend = |su: f64, sv: f64, [a, b, c, d]: [f64; 4]| {
        let (upper, lower) = (a + su * (b - a), c + su * (d - c));
        upper + sv * (lower - upper)
    };
    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
    match basis {
        Basis::Perlin(step) => blend(
            s(step, u),
            s(step, v),
            corners.map(|(i, j)| {
                let (f, g) = direction(at_corner(i, j));
                (f * (u - i as f64) + g * (v - j as f64)) * std::f64::consts::SQRT_2
            }),
        ),
        Basis::Value(step) => {
            let h = corners.map(|(i, j)| unit(at_corner(i, j)));
            blend(s(step, u), s(step, v), h)
        }
        Basis::ZeroGradient(step) => {
            let [a, b, c, d] = corners.map(|(i, j)| unit(at_corner(i, j)));
            let (su, sv, cross) = (s(step, u), s(step, v), d + a - b - c);
            (a + su * (b - a) + sv * (c - a) + cross * (su * v + sv * u - u * v)) / 1.009_766
        }
        _ => unreachable!("compared with the construction instead"),
    }
}

fn slow_simplex(hash: LatticeHash, x: f64, y: f64) -> f64 {
    let (skew, unskew) = ((3.0f64.sqrt() - 1.0) / 2.0, (3.0 - 3.0f64.sqrt()) / 6.0);
    // The shift is applied in the skewed lattice.
    let back = (hash.shift[0] + hash.shift[1]) * unskew;
    let (x, y) = (x + hash.shift[0] - back, y + hash.shift[1] - back);
    let (i, j) = ((x + (x + y) * skew).floor() as i64, (y + (x + y) * skew).floor() as i64);
    let mut sum = 0.0;
    // Adds up all points nearby, not only the triangle's three corners. The bells of all others are 0 here.
    for (a, b) in (-1..=2).flat_map(|a| (-1..=2).map(move |b| (i + a, j + b))) {
        let back = (a + b) as f64 * unskew;
        let (dx, dy) = (x - (a as f64 - back), y - (b as f64 - back));
        let (f, g) = direction(point(hash, a as u32, b as u32));
        let bell = (0.5 - dx * dx - dy * dy).max(0.0);
        sum += bell * bell * bell * bell * (f * dx + g * dy);
    }
    sum * f64::from(simplex::SCALE)
}

#[test]
fn agrees_with_the_definitions() {
    let domain = Domain::new(83, 71).with_spacing(1.25).with_origin(-41.0, 17.5);
    for basis in &BASES[..5] {
        for fractal in FRACTALS {
            let noise = Noise { lacunarity: 1.9, ..noise(*basis, fractal) };
            let map = plain(&noise, &domain);
            for row in 0..71 {
                for column in 0..83 {
                    let expected = slow(&noise, domain.x(column), domain.y(row), 0.5);
                    let found = f64::from(map[(column, row)]);
                    assert!((found - expected).abs() < 1e-5, "{noise:?} {column} {row}: {found} {expected}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_window_is_a_crop_of_the_plane(
        x in 0usize..300, y in 0usize..60, w in 1usize..200, h in 1usize..40,
        basis in prop::sample::select(&BASES[..]), far in prop::sample::select(vec![0.0, -3.0e5, 1.0e9]),
        wavelength in prop::sample::select(vec![0.7, 37.5, 1.0e6]), moved: bool,
    ) {
        let noise = Noise { wavelength, ..noise(basis, Fractal::Ridged) };
        let whole = Domain::new(500, 100).with_spacing(0.5).with_origin(far, -far);
        let part = Domain::new(w, h).with_spacing(0.5).with_origin(whole.x(x), whole.y(y));
        let drive = Drive {
            warp: moved.then_some([ScalarMap::Constant(3.25), ScalarMap::Constant(-41.5)]),
            ..Drive::default()
        };
        let (a, b) = (heights(&noise, &whole, &drive), heights(&noise, &part, &drive));
        for row in 0..h {
            for column in 0..w {
                prop_assert_eq!(a[(x + column, y + row)].to_bits(), b[(column, row)].to_bits());
            }
        }
    }

    #[test]
    fn heights_stay_within_their_range(
        basis in prop::sample::select(&BASES[..]), fractal in prop::sample::select(&FRACTALS[..]), seed: u64,
        persistence in 0.0f32..=1.5, wavelength in 0.5f64..200.0,
    ) {
        let noise = Noise { wavelength, ..noise(basis, fractal) };
        let drive = Drive { persistence: ScalarMap::Constant(persistence), ..Drive::default() };
        let map = noise.heights(&Domain::new(150, 40), Seed(seed), &drive, &Silent).unwrap();
        prop_assert!(map.samples().iter().all(|h| (-1e-6..=1.0 + 1e-6).contains(h)));
    }
}

#[test]
fn the_same_bits_at_every_level_on_every_number_of_threads() {
    let domain = Domain::new(331, 150).with_spacing(0.75).with_origin(1.0e6, -3.0);
    let by = Heightmap::from_fn(domain, |x, y| ((x * 7 + y * 3) % 101) as f32 - 50.0);
    for basis in BASES {
        let noise = noise(basis, Fractal::Billow);
        let moved = Drive {
            persistence: ScalarMap::Map(&by),
            amplitude: ScalarMap::Map(&by),
            offset: 2.0,
            warp: Some([ScalarMap::Map(&by), ScalarMap::Constant(-7.5)]),
            ..Drive::default()
        };
        let run = |threads: usize, drive: &Drive<'_>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let sloped = noise.sloped(&domain, Seed(9), drive, &Silent).unwrap();
                let heights = noise.heights(&domain, Seed(9), drive, &Silent).unwrap();
                assert_eq!(bits(&sloped.height), bits(&heights), "slopes change no height");
                [bits(&heights), bits(&sloped.along_x), bits(&sloped.along_y)]
            })
        };
        for drive in [&Drive::default(), &moved] {
            let expected = run(1, drive);
            simd::at_each_level(|level| assert!(run(3, drive) == expected, "{basis:?} {level:?}"));
        }
    }
}

#[test]
fn no_shift_gives_the_same_bits_as_none() {
    let domain = Domain::new(150, 60).with_origin(-1.0e9, 1.0e9).with_spacing(0.3);
    let nothing = Heightmap::constant(domain, 0.0);
    for basis in BASES {
        let drive =
            Drive { warp: Some([ScalarMap::Map(&nothing), ScalarMap::Constant(0.0)]), ..Drive::default() };
        let noise = noise(basis, Fractal::Fbm);
        assert_eq!(bits(&plain(&noise, &domain)), bits(&heights(&noise, &domain, &drive)), "{basis:?}");
    }
}

#[test]
fn a_shift_moves_the_plane() {
    let domain = Domain::new(60, 60);
    let drive =
        Drive { warp: Some([ScalarMap::Constant(20.0), ScalarMap::Constant(-300.0)]), ..Drive::default() };
    for basis in BASES {
        let noise = noise(basis, Fractal::Fbm);
        let (there, moved) =
            (plain(&noise, &domain.with_origin(20.0, -300.0)), heights(&noise, &domain, &drive));
        for (a, b) in there.samples().iter().zip(moved.samples()) {
            assert!((a - b).abs() < 2e-5, "{basis:?}: {a} {b}");
        }
    }
}

#[test]
fn a_number_drives_as_a_map_of_it_does() {
    let domain = Domain::new(150, 20);
    let [half, ten] = [0.5, 10.0].map(|value| Heightmap::constant(domain, value));
    for (basis, fractal) in BASES.into_iter().zip(FRACTALS.into_iter().cycle()) {
        let noise = noise(basis, fractal);
        let numbers = Drive {
            persistence: ScalarMap::Constant(0.5),
            amplitude: ScalarMap::Constant(10.0),
            offset: -3.0,
            ..Drive::default()
        };
        let maps = Drive { persistence: ScalarMap::Map(&half), amplitude: ScalarMap::Map(&ten), ..numbers };
        assert_eq!(bits(&heights(&noise, &domain, &numbers)), bits(&heights(&noise, &domain, &maps)));
    }
}

#[test]
fn persistence_may_differ_from_sample_to_sample() {
    let domain = Domain::new(40, 8);
    let persistence = Heightmap::from_fn(domain, |x, _| x as f32 / 40.0);
    let noise = noise(Basis::Perlin(Smoothstep::CUBIC), Fractal::Fbm);
    let drive = Drive { persistence: ScalarMap::Map(&persistence), ..Drive::default() };
    let map = heights(&noise, &domain, &drive);
    for column in 0..40 {
        let expected = slow(&noise, column as f64, 3.0, column as f64 / 40.0);
        assert!((f64::from(map[(column, 3)]) - expected).abs() < 1e-5);
    }
}

#[test]
fn slopes_match_differences() {
    // Compares with differences over 1/8 of a unit, in cells of 40 units.
    let step = 0.125;
    for basis in BASES {
        for fractal in FRACTALS {
            let noise = Noise { octaves: 2, wavelength: 40.0, ..noise(basis, fractal) };
            let drive = Drive { amplitude: ScalarMap::Constant(10.0), ..Drive::default() };
            let domain = Domain::new(200, 40).with_spacing(step).with_origin(7.0, 5.0);
            let sloped = noise.sloped(&domain, Seed(9), &drive, &Silent).unwrap();
            let (mut close, mut all) = (0, 0);
            for row in 1..39 {
                for column in 1..199 {
                    let h = |dx: usize, dy: usize| f64::from(sloped.height[(column + dx - 1, row + dy - 1)]);
                    let x = (h(2, 1) - h(0, 1)) / (2.0 * step);
                    let y = (h(1, 2) - h(1, 0)) / (2.0 * step);
                    all += 1;
                    let near = |a: f64, b: f32| (a - f64::from(b)).abs() < 0.01;
                    close += usize::from(
                        near(x, sloped.along_x[(column, row)]) && near(y, sloped.along_y[(column, row)]),
                    );
                }
            }
            // Slopes may disagree at creases, since differences reach across them.
            assert!(close * 100 > all * 90, "{basis:?} {fractal:?}: {close} of {all}");
        }
    }
}

#[test]
fn perlin_noise_is_zero_at_lattice_points() {
    // All samples lie at lattice points.
    let noise = Noise { octaves: 1, ..noise(Basis::Perlin(Smoothstep::QUINTIC), Fractal::Fbm) };
    let [x, y] = LatticeHash::new(Seed(9).part(0)).shift.map(|shift| -shift * 37.5);
    let map = plain(&noise, &Domain::new(20, 20).with_spacing(37.5).with_origin(x, y));
    assert!(map.samples().iter().all(|&h| (h - 0.5).abs() < 1e-6));
}

#[test]
fn detail_remains_far_away_and_at_fine_scales() {
    for origin in [1.0e9, -1.0e9] {
        let domain = Domain::new(256, 256).with_origin(origin, -origin).with_spacing(0.01);
        for basis in BASES {
            let noise = Noise { octaves: 1, wavelength: 0.25, ..noise(basis, Fractal::Fbm) };
            let (near, map) =
                (plain(&noise, &Domain::new(256, 256).with_spacing(0.01)), plain(&noise, &domain));
            let roughness = |map: &Heightmap| {
                map.samples().windows(2).map(|pair| f64::from((pair[1] - pair[0]).abs())).sum::<f64>()
            };
            // The noise is as rough as at the origin: there are neither stairs nor plateaus.
            let ratio = roughness(&map) / roughness(&near);
            assert!(ratio > 0.6 && ratio < 1.6, "{basis:?}");
            let distinct: std::collections::BTreeSet<u32> = bits(&map).into_iter().collect();
            assert!(distinct.len() > 50_000, "{basis:?}: {}", distinct.len());
        }
    }
}

#[test]
fn odd_parameters_have_a_meaning_or_an_error() {
    let domain = Domain::new(30, 30);
    let good = noise(BASES[0], Fractal::Fbm);
    let error = |noise: Noise| noise.heights(&domain, Seed(1), &Drive::default(), &Silent).unwrap_err();
    for octaves in [0, 33, 100] {
        assert_eq!(error(Noise { octaves, ..good }), NoiseError::Parameter("noise has 1 to 32 octaves"));
    }
    for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(error(Noise { wavelength: odd, ..good }), NoiseError::Parameter(_)));
        assert!(matches!(error(Noise { lacunarity: odd, ..good }), NoiseError::Parameter(_)));
    }
    for gradient_weight in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(
            error(Noise { basis: Basis::D2M2 { gradient_weight }, ..good }),
            NoiseError::Parameter(_)
        ));
    }
    let finite = |noise: Noise, drive: &Drive<'_>| {
        assert!(
            heights(&noise, &domain, drive).samples().iter().all(|h| h.is_finite()),
            "{noise:?} {drive:?}"
        );
    };
    for basis in BASES {
        let noise = noise(basis, Fractal::Fbm);
        for persistence in [0.0, -1.0, 1.0, 4.0, 1.0e30, f32::NAN, f32::INFINITY] {
            let drive = Drive { persistence: ScalarMap::Constant(persistence), ..Drive::default() };
            finite(Noise { octaves: 32, ..noise }, &drive);
        }
        for (wavelength, lacunarity) in [(1e-300, 2.0), (1e300, 2.0), (1e-3, 1e6), (256.0, 1e-6), (1.0, 1.0)]
        {
            finite(Noise { octaves: 32, wavelength, lacunarity, ..noise }, &Drive::default());
        }
        for by in [f32::NAN, f32::INFINITY, f32::MIN, 1e12] {
            finite(noise, &Drive { warp: Some([ScalarMap::Constant(by); 2]), ..Drive::default() });
        }
    }
    let small = Heightmap::constant(Domain::new(3, 3), 1.0);
    let drive = Drive { amplitude: ScalarMap::Map(&small), ..Drive::default() };
    assert_eq!(good.heights(&domain, Seed(1), &drive, &Silent), Err(NoiseError::Size("amplitude")));
}

#[test]
fn octaves_may_get_coarser() {
    let domain = Domain::new(50, 50);
    let [fine, coarse] = [2.0, 0.5].map(|lacunarity| Noise { lacunarity, ..noise(BASES[3], Fractal::Fbm) });
    let map = plain(&coarse, &domain);
    let expected = slow(&coarse, 20.0, 30.0, 0.5);
    assert!((f64::from(map[(20, 30)]) - expected).abs() < 1e-5);
    assert_ne!(plain(&fine, &domain), map);
}

#[test]
fn seeds_make_other_planes_and_high_bits_count() {
    let domain = Domain::new(40, 40);
    let noise = noise(BASES[3], Fractal::Fbm);
    let with = |seed| noise.heights(&domain, Seed(seed), &Drive::default(), &Silent).unwrap();
    assert_ne!(with(1), with(2));
    assert_ne!(with(1), with(1 | 1 << 40));
}

#[test]
fn stops_when_asked() {
    let noise = noise(BASES[0], Fractal::Fbm);
    let stopped = noise.heights(&Domain::new(9, 9), Seed(1), &Drive::default(), &Stop);
    assert_eq!(stopped, Err(NoiseError::Cancelled));
}
