use fearless_simd::{Fallback, prelude::*, u32x4};
use proptest::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

use super::super::axis::locate;
use super::super::cell::Cell3;
use super::super::hash::{LatticeHash, next};
use super::super::lattice::{Draws, exponential_length};
use super::super::{Basis, Drive, Fractal, Layout, Noise, NoiseError, Smoothstep};
use super::*;
use crate::{Silent, simd};
use terrane_compute::Stop;

const BASES: [Basis; 9] = [
    Basis::D2M1N3 { gradient_weight: 0.01 },
    Basis::D2M1N3 { gradient_weight: 2.0 },
    Basis::ZeroGradient(Smoothstep::CUBIC),
    Basis::ZeroGradient(Smoothstep::of_order(4)),
    Basis::Value(Smoothstep::QUINTIC),
    Basis::Perlin(Smoothstep::CUBIC),
    Basis::Perlin(Smoothstep::QUINTIC),
    Basis::ExponentialPerlin(Smoothstep::CUBIC),
    Basis::OpenSimplex,
];

fn noise(basis: Basis, octaves: u32) -> Noise {
    let (fractal, layout) = (Fractal::Fbm, Layout::Straight);
    Noise { basis, fractal, octaves, wavelength: 10.0, lacunarity: 2.0, layout }
}

fn drive(z: ScalarMap<'_>) -> Drive<'_> {
    Drive { z: Some(z), ..Drive::default() }
}

fn made(noise: &Noise, domain: &Domain, z: ScalarMap<'_>, seed: u64) -> Heightmap {
    noise.heights(domain, Seed(seed), &drive(z), &Silent).unwrap()
}

/// One octave at a position, computed directly from the definitions, in [−1, 1].
fn slow(basis: Basis, position: [f64; 3], cell: f64, seed: Seed) -> f64 {
    let hash = LatticeHash::new(seed);
    let shifts = [hash.shift[0], hash.shift[1], hash.shift[1]];
    let one = Fallback::new();
    let word = |bits: u32| u32x4::splat(one, bits);
    let bits = |index: [u32; 3]| -> u32 {
        let [x, y, z] = index.map(word);
        hash.point(one, hash.column(one, x) ^ hash.layer(one, z), hash.row(one, y))[0]
    };
    let dot = |bits: u32, way: [f64; 3]| {
        let choice = f64::from(bits << 2 >> 18) * 3.0 / 16384.0;
        let (a, b) = [(0, 1), (0, 2), (1, 2)][choice as usize];
        let sign = |bit: u32| if bits >> bit & 1 == 0 { 1.0 } else { -1.0 };
        sign(31) * way[a] + sign(30) * way[b]
    };
    let located: [(u32, f32); 3] = std::array::from_fn(|axis| locate(position[axis], cell, shifts[axis]));
    let (index, inside) = (located.map(|(index, _)| index), located.map(|(_, inside)| inside));
    let corners: [u32; 8] = std::array::from_fn(|corner| {
        bits(std::array::from_fn(|axis| index[axis].wrapping_add((corner >> axis & 1) as u32)))
    });
    // A corner's weight by the smoothstep, and the position's offset from the corner.
    let corner = |number: usize, step: Smoothstep| {
        let (mut weight, mut way) = (1.0, [0.0; 3]);
        for axis in 0..3 {
            let far = number >> axis & 1 == 1;
            let s = f64::from(step.at_one(inside[axis]));
            weight *= if far { s } else { 1.0 - s };
            way[axis] = f64::from(inside[axis]) - if far { 1.0 } else { 0.0 };
        }
        (weight, way)
    };
    match basis {
        Basis::D2M1N3 { gradient_weight } => {
            let draws = Draws::new(gradient_weight, polynomial::BOUNDS.0, polynomial::BOUNDS.1);
            let heights = corners.map(|bits| draws.height(one, word(bits))[0]);
            let slopes = corners.map(|bits| draws.derivatives(one, word(bits)).map(|slope| slope[0]));
            f64::from(Cell3 { heights, slopes }.at(inside))
        }
        Basis::ZeroGradient(step) => {
            // For each axis, a blend by the smoothstep along this axis and linear along both other axes. The
            // value is the sum of these blends, minus twice the blend that is linear along all axes.
            let draws = Draws::level(polynomial::LEVEL_BOUNDS[step.order() - 1]);
            let mut sum = 0.0;
            for (number, bits) in corners.into_iter().enumerate() {
                let far = |axis: usize| number >> axis & 1 == 1;
                let part = |t: f64, axis: usize| if far(axis) { t } else { 1.0 - t };
                let line = |axis: usize| part(f64::from(inside[axis]), axis);
                let smooth = |axis: usize| part(f64::from(step.at_one(inside[axis])), axis);
                let share = smooth(0) * line(1) * line(2)
                    + line(0) * smooth(1) * line(2)
                    + line(0) * line(1) * smooth(2)
                    - 2.0 * line(0) * line(1) * line(2);
                sum += share * f64::from(draws.height(one, word(bits))[0]);
            }
            sum
        }
        Basis::Value(step) => {
            let draws = Draws::level(1.0);
            let share = |(number, bits)| corner(number, step).0 * f64::from(draws.height(one, word(bits))[0]);
            corners.into_iter().enumerate().map(share).sum()
        }
        Basis::Perlin(step) | Basis::ExponentialPerlin(step) => {
            let length = |bits: u32| {
                let differs = matches!(basis, Basis::ExponentialPerlin(_));
                if differs { f64::from(exponential_length(one, next(one, word(bits)))[0]) } else { 1.0 }
            };
            let share = |(number, bits)| {
                let (weight, way) = corner(number, step);
                weight * dot(bits, way) * length(bits)
            };
            corners.into_iter().enumerate().map(share).sum::<f64>() * f64::from(perlin::SCALE)
        }
        _ => {
            let scaled = position.map(|world| world / cell);
            let skew = scaled.iter().sum::<f64>() / 3.0;
            let skewed: [f64; 3] = std::array::from_fn(|axis| scaled[axis] + skew + shifts[axis]);
            // Adds up all nearby points of the lattice, not only the corners of the tetrahedron that holds
            // the position. All other points are too far away to contribute.
            let mut sum = 0.0;
            for near in 0..64 {
                let steps = [near & 3, near >> 2 & 3, near >> 4].map(|step| f64::from(step) - 1.0);
                let point: [f64; 3] = std::array::from_fn(|axis| skewed[axis].floor() + steps[axis]);
                let away: [f64; 3] = std::array::from_fn(|axis| skewed[axis] - point[axis]);
                let unskew = away.iter().sum::<f64>() / 6.0;
                let way = away.map(|away| away - unskew);
                let bell = (0.5 - way.iter().map(|way| way * way).sum::<f64>()).max(0.0);
                sum += bell * bell * bell * bell * dot(bits(point.map(|index| index as i64 as u32)), way);
            }
            sum * f64::from(simplex::SCALE)
        }
    }
}

#[test]
fn octaves_agree_with_their_definitions() {
    let domain = Domain::new(150, 9).with_spacing(0.7).with_origin(-40.0, 1000.0);
    let deep = Heightmap::from_fn(domain, |x, y| (x * 7 + y * 3) as f32 * 0.31 - 20.0);
    for basis in BASES {
        for z in [ScalarMap::Constant(-3.25), ScalarMap::Map(&deep)] {
            let map = made(&noise(basis, 1), &domain, z, 4);
            for row in 0..domain.height() {
                for column in 0..domain.width() {
                    let position =
                        [domain.x(column), domain.y(row), f64::from(z.at(row * domain.width() + column))];
                    let expected = 0.5 + 0.5 * slow(basis, position, 10.0, Seed(4).part(0));
                    let found = f64::from(map[(column, row)]);
                    assert!((found - expected).abs() < 2e-5, "{basis:?} {position:?} {found} {expected}");
                }
            }
        }
    }
}

/// In the worst case every corner contributes its maximum. The scaled sum of these maxima is at most 1, and
/// comes close to 1.
#[test]
fn scales_are_the_worst_case_of_corners() {
    let slopes = (0..12).map(|i| {
        let (a, b) = [(0, 1), (0, 2), (1, 2)][i / 4];
        let mut slope = [0.0f64; 3];
        slope[a] = if i & 1 == 0 { 1.0 } else { -1.0 };
        slope[b] = if i & 2 == 0 { 1.0 } else { -1.0 };
        slope
    });
    let slopes: Vec<[f64; 3]> = slopes.collect();
    let worst = |way: [f64; 3]| {
        slopes.iter().map(|s| s[0] * way[0] + s[1] * way[1] + s[2] * way[2]).fold(0.0, f64::max)
    };
    const STEPS: usize = 48;
    let positions = || {
        (0..=STEPS * STEPS * STEPS)
            .map(|i| [i % STEPS, i / STEPS % STEPS, i / STEPS / STEPS].map(|i| i as f64 / STEPS as f64))
    };
    for order in 1..=6 {
        let step = Smoothstep::of_order(order);
        let mut most = 0.0f64;
        for position in positions() {
            let s = position.map(|t| f64::from(step.at_one(t as f32)));
            let mut sum = 0.0;
            for corner in 0..8usize {
                let far = |axis: usize| corner >> axis & 1 == 1;
                let weight: f64 =
                    (0..3).map(|axis| if far(axis) { s[axis] } else { 1.0 - s[axis] }).product();
                let way = std::array::from_fn(|axis| position[axis] - if far(axis) { 1.0 } else { 0.0 });
                sum += weight * worst(way);
            }
            most = most.max(sum);
        }
        let scaled = most * f64::from(perlin::SCALE);
        assert!(scaled <= 1.0 && scaled > 0.9, "{order}: {most}");
    }
    let mut most = 0.0f64;
    for position in positions() {
        let mut sum = 0.0;
        for near in 0..64usize {
            let away: [f64; 3] =
                std::array::from_fn(|axis| position[axis] - ((near >> (2 * axis) & 3) as f64 - 1.0));
            let unskew = away.iter().sum::<f64>() / 6.0;
            let way = away.map(|away| away - unskew);
            let bell = (0.5 - way.iter().map(|way| way * way).sum::<f64>()).max(0.0);
            sum += bell * bell * bell * bell * worst(way);
        }
        most = most.max(sum);
    }
    let scaled = most * f64::from(simplex::SCALE);
    assert!(scaled <= 1.0 && scaled > 0.97, "{most}");
}

#[test]
fn no_corners_of_the_polynomial_go_beyond_the_bound() {
    let (mut most, mut steepest) = (0.0f32, 0.0f32);
    for at in 0..21 * 21 * 21 {
        let position = [at % 21, at / 21 % 21, at / 441].map(|i| i as f32 / 20.0);
        let share = |corner: usize, axis: Option<usize>| {
            let mut cell = Cell3 { heights: [0.0; 8], slopes: [[0.0; 3]; 8] };
            match axis {
                None => cell.heights[corner] = 1.0,
                Some(axis) => cell.slopes[corner][axis] = 1.0,
            }
            cell.at(position).abs()
        };
        most = most.max((0..8).map(|corner| share(corner, None)).sum());
        steepest = steepest.max((0..24).map(|i| share(i / 3, Some(i % 3))).sum());
    }
    let bounds = polynomial::BOUNDS;
    assert!(most <= bounds.0 && most > bounds.0 - 0.01, "{most}");
    assert!(steepest <= bounds.1 + 1e-6 && steepest > bounds.1 - 0.01, "{steepest}");
}

/// The maximum for heights with slopes of 0. In the worst case every corner adds the magnitude of its share.
#[test]
fn level_bounds_hold_for_every_smoothstep() {
    for order in 1..=6 {
        let step = Smoothstep::of_order(order);
        let mut most = 0.0f64;
        for at in 0..33 * 33 * 33 {
            let position = [at % 33, at / 33 % 33, at / 1089].map(|i| f64::from(i) / 32.0);
            let mut sum = 0.0;
            for number in 0..8usize {
                let part = |t: f64, axis: usize| if number >> axis & 1 == 1 { t } else { 1.0 - t };
                let line = |axis: usize| part(position[axis], axis);
                let smooth = |axis: usize| part(f64::from(step.at_one(position[axis] as f32)), axis);
                let share = smooth(0) * line(1) * line(2)
                    + line(0) * smooth(1) * line(2)
                    + line(0) * line(1) * smooth(2)
                    - 2.0 * line(0) * line(1) * line(2);
                sum += share.abs();
            }
            most = most.max(sum);
        }
        let bound = f64::from(polynomial::LEVEL_BOUNDS[order - 1]);
        assert!(most <= bound && most > bound - 0.02, "{order}: {most}");
    }
}

/// Slopes agree with differences of heights, also with rotated lattices and moved samples.
#[test]
fn slopes_are_differences() {
    let step = 1.0 / 64.0;
    let by = ScalarMap::Constant(2.5);
    for basis in BASES {
        for layout in [Layout::Straight, Layout::Turned] {
            let noise = Noise { layout, ..noise(basis, 2) };
            for warp in [None, Some([by, by])] {
                let drive = Drive { warp, ..drive(ScalarMap::Constant(4.2)) };
                let domain = Domain::new(30, 20).with_spacing(step).with_origin(3.0, 7.0);
                let found = noise.sloped(&domain, Seed(2), &drive, &Silent).unwrap();
                let heights = noise.heights(&domain, Seed(2), &drive, &Silent).unwrap();
                assert_eq!(found.height, heights);
                for (x, y) in (1..29).flat_map(|x| (1..19).map(move |y| (x, y))) {
                    let along_x = (heights[(x + 1, y)] - heights[(x - 1, y)]) / (2.0 * step as f32);
                    let along_y = (heights[(x, y + 1)] - heights[(x, y - 1)]) / (2.0 * step as f32);
                    // The polynomials' slopes jump at faces of cells, by a fraction of the maximum slope.
                    let apart =
                        (found.along_x[(x, y)] - along_x).abs().max((found.along_y[(x, y)] - along_y).abs());
                    assert!(apart < 0.02, "{basis:?} {layout:?} {x} {y} {apart}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn heights_stay_in_their_range_and_windows_agree(
        x in -1.0e9f64..1.0e9, y in -1.0e9f64..1.0e9, z in -1.0e6f32..1.0e6, seed: u64,
        basis in 0..BASES.len(),
        fractal in prop::sample::select(vec![
            Fractal::Fbm, Fractal::Ridged, Fractal::Billow, Fractal::Turbulence,
        ]),
    ) {
        let domain = Domain::new(7, 3).with_spacing(2.0).with_origin(x, y);
        let noise = Noise { fractal, ..noise(BASES[basis], 4) };
        let map = made(&noise, &domain, ScalarMap::Constant(z), seed);
        prop_assert!(map.samples().iter().all(|h| (0.0..=1.0).contains(h)), "{:?}", map.samples());
        let part = Domain::new(2, 1).with_spacing(2.0).with_origin(domain.x(3), domain.y(2));
        let window = made(&noise, &part, ScalarMap::Constant(z), seed);
        prop_assert_eq!([window[(0, 0)], window[(1, 0)]], [map[(3, 2)], map[(4, 2)]]);
    }

    #[test]
    fn it_is_continuous_along_each_axis(
        position in prop::array::uniform3(-50.0f64..50.0),
        basis in 0..BASES.len(),
    ) {
        let noise = noise(BASES[basis], 2);
        let at = |[x, y, z]: [f64; 3]| {
            made(&noise, &Domain::new(1, 1).with_origin(x, y), ScalarMap::Constant(z as f32), 2)[(0, 0)]
        };
        for axis in 0..3 {
            let mut beside = position;
            beside[axis] += 1.0e-3;
            // A thousandth of a unit is 2e-4 cells of the finer octave, whose slope is at most about 12 per
            // cell.
            prop_assert!((at(position) - at(beside)).abs() < 3.0e-3, "{:?} {axis}", BASES[basis]);
        }
    }
}

#[test]
fn layers_differ_and_axes_are_not_alike() {
    let domain = Domain::new(20, 20);
    for basis in BASES {
        let noise = noise(basis, 3);
        let level = made(&noise, &domain, ScalarMap::Constant(0.0), 4);
        let above = made(&noise, &domain, ScalarMap::Constant(20.0), 4);
        let near = made(&noise, &domain, ScalarMap::Constant(0.02), 4);
        let apart = |map: &Heightmap| {
            map.samples().iter().zip(level.samples()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
        };
        assert!(apart(&above) > 0.05 && apart(&near) < 0.05, "{basis:?} {} {}", apart(&above), apart(&near));
        let turned = Heightmap::from_fn(domain, |x, y| level[(y, x)]);
        assert_ne!(turned, level);
    }
}

#[test]
fn bits_depend_on_neither_threads_nor_vectors() {
    let domain = Domain::new(200, 30);
    for basis in BASES {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| made(&noise(basis, 5), &domain, ScalarMap::Constant(3.0), 1))
        };
        let one = run(1);
        assert_eq!(run(3), one);
        simd::at_each_level(|level| assert_eq!(run(2), one, "{basis:?} {level:?}"));
    }
}

#[test]
fn odd_drives_have_a_meaning_or_an_error() {
    let (domain, other) = (Domain::new(9, 4), Heightmap::constant(Domain::new(4, 9), 1.0));
    let noise = noise(Basis::OpenSimplex, 3);
    for (name, drive) in [
        ("z", drive(ScalarMap::Map(&other))),
        ("persistence", Drive { persistence: ScalarMap::Map(&other), ..drive(ScalarMap::Constant(0.0)) }),
        ("amplitude", Drive { amplitude: ScalarMap::Map(&other), ..drive(ScalarMap::Constant(0.0)) }),
    ] {
        assert_eq!(noise.heights(&domain, Seed(1), &drive, &Silent), Err(NoiseError::Size(name)));
    }
    for z in [f32::NAN, f32::INFINITY, 1.0e30] {
        let map = made(&noise, &domain, ScalarMap::Constant(z), 1);
        assert!(map.samples().iter().all(|h| (0.0..=1.0).contains(h)));
    }
    for wrong in [
        Noise { octaves: 0, ..noise },
        Noise { octaves: 33, ..noise },
        Noise { wavelength: 0.0, ..noise },
        Noise { lacunarity: f64::NAN, ..noise },
        Noise { basis: Basis::Hermite { gradient_weight: 0.1 }, ..noise },
        Noise { basis: Basis::D2M2 { gradient_weight: 0.1 }, ..noise },
        Noise { layout: Layout::Wrapped, ..noise },
    ] {
        let refused = wrong.heights(&domain, Seed(1), &drive(ScalarMap::Constant(0.0)), &Silent);
        assert!(matches!(refused, Err(NoiseError::Parameter(_))), "{wrong:?}");
    }
    let stopped = noise.heights(&domain, Seed(1), &drive(ScalarMap::Constant(0.0)), &Stop);
    assert_eq!(stopped, Err(NoiseError::Cancelled));
    let normalised = Drive { normalise: true, ..drive(ScalarMap::Constant(0.0)) };
    let map = noise.heights(&Domain::new(64, 64), Seed(1), &normalised, &Silent).unwrap();
    let range = map.samples().iter().fold((1.0f32, 0.0f32), |(l, h), &v| (l.min(v), h.max(v)));
    assert_eq!(range, (0.0, 1.0));
}
