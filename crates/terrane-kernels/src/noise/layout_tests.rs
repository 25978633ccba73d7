//! Noise that tiles, and noise with rotated lattices.

use proptest::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

use super::hash::LatticeHash;
use super::layout::turn;
use super::*;
use crate::simd;
use crate::{ScalarMap, Silent};

const BASES: [Basis; 9] = [
    Basis::Perlin(Smoothstep::CUBIC),
    Basis::Perlin(Smoothstep::QUINTIC),
    Basis::OpenSimplex,
    Basis::ZeroGradient(Smoothstep::CUBIC),
    Basis::ZeroGradient(Smoothstep::QUINTIC),
    Basis::Value(Smoothstep::of_order(3)),
    Basis::D2M1N3 { gradient_weight: 0.5 },
    Basis::Hermite { gradient_weight: 2.0 },
    Basis::D2M2 { gradient_weight: 1.0 },
];

const FRACTALS: [Fractal; 4] = [Fractal::Fbm, Fractal::Ridged, Fractal::Billow, Fractal::Turbulence];

fn noise(basis: Basis, fractal: Fractal, layout: Layout) -> Noise {
    Noise { basis, fractal, octaves: 5, wavelength: 37.5, lacunarity: 1.9, layout }
}

fn sloped(noise: &Noise, domain: &Domain, drive: &Drive<'_>) -> Sloped {
    noise.sloped(domain, Seed(9), drive, &Silent).unwrap()
}

fn bits(map: &Heightmap) -> Vec<u32> {
    map.samples().iter().map(|h| h.to_bits()).collect()
}

/// The map, shifted cyclically by some columns and rows.
fn rolled(map: &Heightmap, by: (usize, usize)) -> Heightmap {
    let (w, h) = map.domain().size;
    Heightmap::from_fn(map.domain(), |x, y| map[((x + by.0) % w, (y + by.1) % h)])
}

/// The maximum second differences along both axes: between samples inside, and across the seam.
fn bends(map: &Heightmap) -> (f32, f32) {
    let (w, h) = map.domain().size;
    let (mut inside, mut seam) = (0.0f32, 0.0f32);
    for y in 0..h {
        for x in 0..w {
            let at = |x: usize, y: usize| map[(x % w, y % h)];
            for (ends, at) in [
                (x + 2 >= w, at(x, y) - 2.0 * at(x + 1, y) + at(x + 2, y)),
                (y + 2 >= h, at(x, y) - 2.0 * at(x, y + 1) + at(x, y + 2)),
            ] {
                let most = if ends { &mut seam } else { &mut inside };
                *most = most.max(at.abs());
            }
        }
    }
    (inside, seam)
}

/// Square and oblong windows, some of odd sizes, one smaller than a cell.
fn windows() -> [Domain; 4] {
    [
        Domain::new(128, 128),
        Domain::new(201, 77).with_spacing(0.75).with_origin(-41.0, 17.5),
        Domain::new(63, 181).with_spacing(2.5).with_origin(1.0e6, -3.0),
        Domain::new(49, 33).with_spacing(0.5),
    ]
}

/// The sums of [`bends`] over some seeds: for the map, and for the map rolled by half its size. A seam has
/// fewer samples than the inside, so the seam's maximum tends to be smaller.
fn bends_of(domain: &Domain, map: impl Fn(Seed) -> Heightmap) -> [(f32, f32); 2] {
    let mut sums = [(0.0, 0.0); 2];
    for map in (0..4).map(|seed| map(Seed(seed))) {
        let half = rolled(&map, (domain.width() / 2, domain.height() / 2));
        for (sum, (inside, seam)) in sums.iter_mut().zip([bends(&map), bends(&half)]) {
            *sum = (sum.0 + inside, sum.1 + seam);
        }
    }
    sums
}

#[test]
fn seams_of_wrapped_noise_bend_no_more_than_the_inside() {
    for basis in BASES {
        for fractal in FRACTALS {
            for domain in windows() {
                let noise = Noise { octaves: 4, ..noise(basis, fractal, Layout::Wrapped) };
                let map = |seed| noise.heights(&domain, seed, &Drive::default(), &Silent).unwrap();
                for (inside, seam) in bends_of(&domain, map) {
                    assert!(seam <= inside, "{noise:?} {domain:?}: {seam} across the seam, {inside} inside");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_window_that_is_moved_is_the_torus_rolled(
        basis in prop::sample::select(&BASES[..]), x in 0usize..90, y in 0usize..70, turns in -3i32..3,
        moved: bool, wavelength in prop::sample::select(vec![0.7, 13.0, 37.5, 400.0, 1.0e6]),
    ) {
        let noise = Noise { wavelength, ..noise(basis, Fractal::Ridged, Layout::Wrapped) };
        let whole = Domain::new(90, 70).with_spacing(0.5);
        let turns = f64::from(turns);
        let part = whole.with_origin(whole.x(x) + turns * 45.0, whole.y(y) - turns * 35.0);
        let by = Heightmap::from_fn(whole, |x, y| ((x * 7 + y * 3) % 101) as f32 - 50.0);
        let there = rolled(&by, (x, y));
        let drive = |by| Drive {
            warp: moved.then_some([ScalarMap::Map(by), ScalarMap::Constant(-7.5)]), ..Drive::default()
        };
        let (a, b) = (sloped(&noise, &whole, &drive(&by)), sloped(&noise, &part, &drive(&there)));
        for (a, b) in [(a.height, b.height), (a.along_x, b.along_x), (a.along_y, b.along_y)] {
            prop_assert_eq!(bits(&rolled(&a, (x, y))), bits(&b));
        }
    }

    #[test]
    fn a_window_of_turned_noise_is_a_crop_of_the_plane(
        x in 0usize..300, y in 0usize..60, w in 1usize..200, h in 1usize..40,
        basis in prop::sample::select(&BASES[..]), far in prop::sample::select(vec![0.0, -3.0e5, 1.0e9]),
        moved: bool,
    ) {
        let noise = noise(basis, Fractal::Billow, Layout::Turned);
        let whole = Domain::new(500, 100).with_spacing(0.5).with_origin(far, -far);
        let part = Domain::new(w, h).with_spacing(0.5).with_origin(whole.x(x), whole.y(y));
        let drive = Drive {
            warp: moved.then_some([ScalarMap::Constant(3.25), ScalarMap::Constant(-41.5)]),
            ..Drive::default()
        };
        let (a, b) = (sloped(&noise, &whole, &drive), sloped(&noise, &part, &drive));
        for (a, b) in [(&a.height, &b.height), (&a.along_x, &b.along_x), (&a.along_y, &b.along_y)] {
            for row in 0..h {
                for column in 0..w {
                    prop_assert_eq!(a[(x + column, y + row)].to_bits(), b[(column, row)].to_bits());
                }
            }
        }
    }
}

#[test]
fn moves_by_whole_turns_of_the_torus_move_nothing() {
    let domain = Domain::new(128, 64).with_spacing(0.5);
    for basis in BASES {
        let noise = noise(basis, Fractal::Fbm, Layout::Wrapped);
        let still = noise.heights(&domain, Seed(9), &Drive::default(), &Silent).unwrap();
        for (x, y) in [(0.0, 0.0), (64.0, -32.0), (-640.0, 3200.0)] {
            let drive =
                Drive { warp: Some([ScalarMap::Constant(x), ScalarMap::Constant(y)]), ..Drive::default() };
            let moved = noise.heights(&domain, Seed(9), &drive, &Silent).unwrap();
            // Moves are single-precision numbers, so long moves are less precise: 3,200 units are 1,100 cells
            // of the finest octave.
            let most =
                still.samples().iter().zip(moved.samples()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(most < 2.0e-4, "{basis:?} {x} {y}: {most}");
        }
    }
}

#[test]
fn an_octave_holds_the_nearest_whole_number_of_cells() {
    // A window of 100 x 40 units holds three by one cells of about 37.5 units. Perlin's noise is 0 at lattice
    // points.
    let noise =
        Noise { octaves: 1, ..noise(Basis::Perlin(Smoothstep::CUBIC), Fractal::Fbm, Layout::Wrapped) };
    let [x, y] = LatticeHash::new(Seed(9).part(0)).shift;
    let cell = (100.0 / 3.0, 40.0);
    for (i, j) in (0..3).flat_map(|i| (0..2).map(move |j| (f64::from(i), f64::from(j)))) {
        // Sample (0, 0) of a window of that extent.
        let at =
            Domain::new(300, 120).with_spacing(1.0 / 3.0).with_origin((i - x) * cell.0, (j - y) * cell.1);
        let height = noise.heights(&at, Seed(9), &Drive::default(), &Silent).unwrap()[(0, 0)];
        assert!((height - 0.5).abs() < 1e-6, "{i} {j}: {height}");
    }
}

/// The number of samples whose slopes agree with differences over `step`, and the number of samples compared.
fn close(sloped: &Sloped, step: f64) -> (usize, usize) {
    let (w, h) = sloped.height.domain().size;
    let (mut close, mut all) = (0, 0);
    for row in 1..h - 1 {
        for column in 1..w - 1 {
            let h = |dx: usize, dy: usize| f64::from(sloped.height[(column + dx - 1, row + dy - 1)]);
            let found = [(h(2, 1) - h(0, 1)) / (2.0 * step), (h(1, 2) - h(1, 0)) / (2.0 * step)];
            let slopes = [sloped.along_x[(column, row)], sloped.along_y[(column, row)]];
            all += 1;
            close += usize::from(found.iter().zip(slopes).all(|(a, b)| (a - f64::from(b)).abs() < 0.01));
        }
    }
    (close, all)
}

#[test]
fn slopes_of_rotated_and_stretched_lattices_match_differences() {
    let step = 0.125;
    for layout in [Layout::Turned, Layout::Wrapped] {
        for basis in BASES {
            for fractal in FRACTALS {
                let noise = Noise { octaves: 2, wavelength: 40.0, ..noise(basis, fractal, layout) };
                // The window has 25 x 60 units. With `Wrapped`, square cells become 25 x 30 units in the
                // first octave and 25 x 20 units in the second.
                let domain = Domain::new(200, 480).with_spacing(step).with_origin(7.0, 5.0);
                let drive = Drive { amplitude: ScalarMap::Constant(10.0), ..Drive::default() };
                let (close, all) = close(&sloped(&noise, &domain, &drive), step);
                // Slopes may disagree at creases, since differences reach across them.
                assert!(close * 100 > all * 90, "{noise:?}: {close} of {all}");
            }
        }
    }
}

#[test]
fn a_turned_octave_is_the_straight_one_turned() {
    for (basis, times) in
        [(Basis::Perlin(Smoothstep::CUBIC), 4.0), (BASES[3], 4.0), (BASES[7], 4.0), (Basis::OpenSimplex, 6.0)]
    {
        let octave = |layout| Noise { octaves: 1, ..noise(basis, Fractal::Fbm, layout) };
        let window = Domain::new(60, 40).with_origin(-31.0, 17.0);
        let turned = sloped(&octave(Layout::Turned), &window, &Drive::default());
        let [[a, b], [c, d]] = turn(0, times);
        for (row, column) in (0..40).flat_map(|row| (0..60).map(move |column| (row, column))) {
            let (x, y) = (window.x(column), window.y(row));
            let window = Domain::new(1, 1).with_origin(a * x + b * y, c * x + d * y);
            let straight = sloped(&octave(Layout::Straight), &window, &Drive::default());
            let slope = [&straight.along_x, &straight.along_y].map(|map| f64::from(map[(0, 0)]));
            let expected = [
                f64::from(straight.height[(0, 0)]),
                slope[0] * a + slope[1] * c,
                slope[0] * b + slope[1] * d,
            ];
            let found =
                [&turned.height, &turned.along_x, &turned.along_y].map(|map| f64::from(map[(column, row)]));
            for (expected, found) in expected.iter().zip(found) {
                assert!((expected - found).abs() < 1e-5, "{basis:?} {column} {row}: {found} {expected}");
            }
        }
    }
}

#[test]
fn the_same_bits_at_every_level_on_every_number_of_threads() {
    let domain = Domain::new(331, 150).with_spacing(0.75).with_origin(1.0e6, -3.0);
    let by = Heightmap::from_fn(domain, |x, y| ((x * 7 + y * 3) % 101) as f32 - 50.0);
    for (basis, layout) in
        BASES.into_iter().flat_map(|basis| [(basis, Layout::Turned), (basis, Layout::Wrapped)])
    {
        let noise = noise(basis, Fractal::Billow, layout);
        let moved = Drive {
            warp: Some([ScalarMap::Map(&by), ScalarMap::Constant(-7.5)]),
            normalise: true,
            ..Drive::default()
        };
        for drive in [&Drive::default(), &moved] {
            let run = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    let sloped = sloped(&noise, &domain, drive);
                    let heights = noise.heights(&domain, Seed(9), drive, &Silent).unwrap();
                    assert_eq!(bits(&sloped.height), bits(&heights), "slopes change no height");
                    [bits(&sloped.height), bits(&sloped.along_x), bits(&sloped.along_y)]
                })
            };
            let expected = run(1);
            simd::at_each_level(|level| assert!(run(3) == expected, "{noise:?} {level:?}"));
        }
    }
}

#[test]
fn normalised_noise_fills_its_range_and_keeps_its_shape() {
    let domain = Domain::new(150, 90);
    let amplitude = Heightmap::from_fn(domain, |x, _| x as f32);
    for (basis, fractal) in BASES.into_iter().zip(FRACTALS.into_iter().cycle()) {
        let noise = noise(basis, fractal, Layout::Straight);
        let plain = sloped(&noise, &domain, &Drive::default());
        let drive = Drive {
            amplitude: ScalarMap::Constant(120.0),
            offset: -20.0,
            normalise: true,
            ..Drive::default()
        };
        let found = sloped(&noise, &domain, &drive);
        let ends = |map: &Heightmap| {
            map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
        };
        assert_eq!(ends(&found.height), (-20.0, 100.0), "{noise:?}");
        let (low, high) = ends(&plain.height);
        let by_map = Drive { amplitude: ScalarMap::Map(&amplitude), normalise: true, ..Drive::default() };
        let mapped = sloped(&noise, &domain, &by_map);
        for at in 0..domain.len() {
            let unit = (plain.height.samples()[at] - low) / (high - low);
            assert!((found.height.samples()[at] - (unit * 120.0 - 20.0)).abs() < 1e-4);
            assert!((mapped.height.samples()[at] - unit * amplitude.samples()[at]).abs() < 1e-4);
            let steeper = plain.along_x.samples()[at] / (high - low) * 120.0;
            assert!((found.along_x.samples()[at] - steeper).abs() < 1e-3, "{noise:?}");
        }
    }
}

#[test]
fn odd_windows_and_moves_have_a_meaning_or_an_error() {
    let parameter = |domain: &Domain| {
        let noise = noise(BASES[0], Fractal::Fbm, Layout::Wrapped);
        noise.heights(domain, Seed(1), &Drive::default(), &Silent).unwrap_err()
    };
    let expected = NoiseError::Parameter("a window that wraps needs a finite extent greater than 0");
    for spacing in [0.0, f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(parameter(&Domain::new(3, 3).with_spacing(spacing)), expected);
    }
    for basis in BASES {
        for layout in [Layout::Turned, Layout::Wrapped] {
            for (wavelength, lacunarity, by) in [
                (1e-300, 2.0, f32::NAN),
                (1e300, 2.0, 1e12),
                (1e-3, 1e6, f32::INFINITY),
                (256.0, 1e-6, f32::MIN),
            ] {
                let noise =
                    Noise { octaves: 32, wavelength, lacunarity, ..noise(basis, Fractal::Fbm, layout) };
                let drive =
                    Drive { warp: Some([ScalarMap::Constant(by); 2]), normalise: true, ..Drive::default() };
                for domain in [Domain::new(1, 1), Domain::new(30, 2).with_origin(1e300, -1e300)] {
                    let map = noise.heights(&domain, Seed(1), &drive, &Silent).unwrap();
                    assert!(map.samples().iter().all(|h| h.is_finite()), "{noise:?} {domain:?}");
                }
            }
        }
    }
}

#[test]
fn wrapped_spectral_synthesis_tiles() {
    for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
        for domain in windows() {
            for wavelength in [13.0, 37.5, 1000.0] {
                let spectral = Spectral {
                    octaves: 4,
                    wavelength,
                    persistence: 0.5,
                    interpolation,
                    layout: Layout::Wrapped,
                };
                let map =
                    |domain: &Domain, seed| spectral_synthesis(domain, seed, &spectral, &Silent).unwrap();
                for (inside, seam) in bends_of(&domain, |seed| map(&domain, seed)) {
                    assert!(
                        seam <= inside,
                        "{spectral:?} {domain:?}: {seam} across the seam, {inside} inside"
                    );
                }
                let here = map(&domain, Seed(9));
                let there = map(&domain.with_origin(domain.x(20), domain.y(10)), Seed(9));
                let rolled = rolled(&here, (20, 10));
                let most = rolled
                    .samples()
                    .iter()
                    .zip(there.samples())
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f32::max);
                assert!(most < 1e-5, "{spectral:?} {domain:?}: {most}");
            }
        }
    }
}
