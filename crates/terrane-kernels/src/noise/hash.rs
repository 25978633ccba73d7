//! Random bits for lattice points, in a few 32-bit operations that every vector unit has.
//!
//! The seed is two numbers, one for columns and one for rows. A column's index is folded (combined with its
//! own upper bits), combined with the seed, multiplied and folded again. The same happens to a row's index,
//! with another factor. No power of two is then a period, and no line of the lattice correlates with another
//! line. The results for a column and a row are combined and multiplied once more. The upper bits of this
//! product depend on all its inputs, so use the upper bits.
//!
//! Indices are numbered modulo 2³²: the plane repeats after 2³² cells along each axis.

use fearless_simd::prelude::*;
use terrane_grid::{Seed, unit_f64};

use crate::simd::{number, octant, times};

/// The hash of one seed.
#[derive(Clone, Copy, Debug)]
pub struct LatticeHash {
    seed: [u32; 2],
    /// The number 1, opaque to the compiler. Otherwise the compiler would subtract −1 instead of adding 1. It
    /// would load −1 into a 512-bit register in each iteration, by an instruction that waits for the
    /// register's previous value.
    one: u32,
    /// Shift of the lattice along x and y, in cells. Without shifts, the lattice points of octaves would
    /// coincide and show streaks.
    pub shift: [f64; 2],
}

impl LatticeHash {
    /// The hash of a seed.
    pub fn new(seed: Seed) -> Self {
        let bits = seed.part(0).0;
        let shift = [1, 2].map(|part| unit_f64(seed.part(part).0));
        Self { seed: [bits as u32, (bits >> 32) as u32], one: 1, shift }
    }

    /// An index, and the index after it.
    #[inline(always)]
    pub fn pair<S: Simd>(self, index: S::u32s) -> [S::u32s; 2] {
        [index, index + self.one]
    }

    /// A column's contribution, from its index.
    #[inline(always)]
    pub fn column<S: Simd>(self, simd: S, x: S::u32s) -> S::u32s {
        let x = times(simd, x ^ (x >> 15) ^ self.seed[0], S::u32s::splat(simd, 0x9E37_79B1));
        x ^ (x >> 16)
    }

    /// A row's contribution, from its index.
    #[inline(always)]
    pub fn row<S: Simd>(self, simd: S, y: S::u32s) -> S::u32s {
        let y = times(simd, y ^ (y >> 15) ^ self.seed[1], S::u32s::splat(simd, 0x85EB_CA6B));
        y ^ (y >> 15)
    }

    /// In space, a layer's contribution, from its index. It is combined with the column's contribution.
    #[inline(always)]
    pub fn layer<S: Simd>(self, simd: S, z: S::u32s) -> S::u32s {
        let z = times(simd, z ^ (z >> 15) ^ self.seed[1], S::u32s::splat(simd, 0xC2B2_AE35));
        z ^ (z >> 17)
    }

    /// Random bits for the lattice point at a column and a row. The upper bits are the best.
    #[inline(always)]
    pub fn point<S: Simd>(self, simd: S, column: S::u32s, row: S::u32s) -> S::u32s {
        times(simd, column ^ row, S::u32s::splat(simd, 0x2C1B_3C6D))
    }

    /// Random bits for the four points of two rows and two columns.
    #[inline(always)]
    pub fn points<S: Simd>(
        self,
        simd: S,
        [left, right]: [S::u32s; 2],
        [upper, lower]: [S::u32s; 2],
    ) -> [[S::u32s; 2]; 2] {
        [
            [self.point(simd, left, upper), self.point(simd, right, upper)],
            [self.point(simd, left, lower), self.point(simd, right, lower)],
        ]
    }
}

/// The next random bits in a sequence.
#[inline(always)]
pub fn next<S: Simd>(simd: S, bits: S::u32s) -> S::u32s {
    times(simd, bits ^ (bits >> 14), S::u32s::splat(simd, 0x3C6E_F372 | 1))
}

/// Uniform random numbers in [−most, most].
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    step: f32,
}

impl Uniform {
    /// Numbers up to this magnitude.
    pub const fn within(most: f32) -> Self {
        Self { step: most / (1u32 << 31) as f32 }
    }

    /// The number that these bits encode.
    #[inline(always)]
    pub fn of<S: Simd>(self, simd: S, bits: S::u32s) -> S::f32s {
        number(simd, bits) * self.step
    }
}

/// One of eight directions of a given length. They are 45° apart, and the first is at 22.5°, so that none
/// lies along an axis or a diagonal.
///
/// Eight directions are as good as all directions: the spectrum depends only on the directions' second
/// moments, which equal those of a circle.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    long: f32,
    short: f32,
}

impl Direction {
    /// Directions of this length.
    pub const fn of_length(length: f32) -> Self {
        // Cosine and sine of 22.5°.
        Self { long: 0.923_879_5 * length, short: 0.382_683_43 * length }
    }

    /// The direction that these bits encode.
    #[inline(always)]
    pub fn of<S: Simd>(self, simd: S, bits: S::u32s) -> (S::f32s, S::f32s) {
        octant(simd, bits, self.long, self.short)
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Fallback, u32x4};

    use super::*;

    const ONE: Fallback = Fallback::new();

    fn word(index: u32) -> u32x4<Fallback> {
        u32x4::splat(ONE, index)
    }

    fn point(hash: LatticeHash, x: u32, y: u32) -> u32 {
        hash.point(ONE, hash.column(ONE, word(x)), hash.row(ONE, word(y)))[0]
    }

    fn after(bits: u32) -> u32 {
        next(ONE, word(bits))[0]
    }

    #[test]
    fn directions_are_eight_of_length_one_and_as_frequent() {
        let hash = LatticeHash::new(Seed(5));
        let mut counts = [0u32; 8];
        for y in 0..256 {
            for x in 0..256 {
                let (dx, dy) = Direction::of_length(1.0).of(ONE, word(point(hash, x, y)));
                let (dx, dy) = (dx[0], dy[0]);
                assert!((dx * dx + dy * dy - 1.0).abs() < 1e-6);
                let angle = libm::atan2f(dy, dx).to_degrees().rem_euclid(360.0);
                let index = ((angle - 22.5) / 45.0).round();
                assert!((angle - 22.5 - 45.0 * index).abs() < 1e-3, "{angle}");
                counts[index as usize % 8] += 1;
            }
        }
        // With 65,536 draws in 8 bins, the standard deviation is 85. The limit is five standard deviations.
        assert!(counts.iter().all(|&count| count.abs_diff(8192) < 425), "{counts:?}");
    }

    fn unit(bits: u32) -> f32 {
        Uniform::within(1.0).of(ONE, word(bits))[0]
    }

    /// The correlation between random numbers of two seeds, the second shifted by `by`.
    fn correlation(seeds: (u64, u64), by: (u32, u32), draw: impl Fn(u32) -> f32) -> f64 {
        let (a, b) = (LatticeHash::new(Seed(seeds.0)), LatticeHash::new(Seed(seeds.1)));
        let (mut sum, mut squares) = (0.0, 0.0);
        for y in 0..256u32 {
            for x in 0..256u32 {
                let first = f64::from(draw(point(a, x, y)));
                let (x, y) = (x.wrapping_add(by.0), y.wrapping_add(by.1));
                sum += first * f64::from(draw(point(b, x, y)));
                squares += first * first;
            }
        }
        sum / squares
    }

    #[test]
    fn neighbours_shifts_seeds_and_draws_are_uncorrelated() {
        // With 65,536 pairs, the standard deviation is 1/256. The limit is five standard deviations.
        let limit = 5.0 / 256.0;
        let mut moves: Vec<(u32, u32)> = vec![(1, 0), (0, 1), (1, 1), (1, u32::MAX), (2, 0), (0, 2), (3, 5)];
        // Powers of two, after which weak hashes repeat, must not be periods.
        for bit in 8..32 {
            moves.extend([(1 << bit, 0), (0, 1 << bit), (1 << bit, 1 << bit)]);
        }
        for by in moves {
            let found = correlation((1, 1), by, unit);
            assert!(found.abs() < limit, "{by:?}: {found}");
        }
        for seeds in [(1, 2), (1, 1 << 32), (0, u64::MAX)] {
            assert!(correlation(seeds, (0, 0), unit).abs() < limit);
        }
        let hash = LatticeHash::new(Seed(3));
        let mut sum = 0.0;
        for i in 0..65_536u32 {
            let bits = point(hash, i & 255, i >> 8);
            sum += f64::from(unit(bits)) * f64::from(unit(after(bits)));
        }
        assert!((sum / 65_536.0 * 3.0).abs() < limit);
    }

    #[test]
    fn along_no_line_is_there_a_pattern() {
        // Checks rows, columns and diagonals separately. Numbers that are uncorrelated over the whole plane
        // may still form streaks.
        const LENGTH: u32 = 512;
        let sign = |bit: u32| move |bits: u32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let even = |bits: u32| unit(bits) * 3.0f32.sqrt();
        let draws: [(&str, &dyn Fn(u32) -> f32); 5] = [
            ("unit", &even),
            ("bit 30", &sign(30)),
            ("bit 29", &sign(29)),
            ("next", &|bits| even(after(bits))),
            ("third", &|bits| even(after(after(bits)))),
        ];
        for (name, draw) in draws {
            let (mut worst, mut squares, mut count) = (0.0f64, 0.0, 0.0);
            for (seed, line, way) in (0..5 * 40 * 3).map(|i| (i % 5, i / 5 % 40, i / 200)) {
                let hash = LatticeHash::new(Seed(u64::from(seed)));
                let at = |i: u32| {
                    let (x, y) = [(i, line), (line, i), (i, i + line)][way as usize];
                    f64::from(draw(point(hash, x, y)))
                };
                let values: Vec<f64> = (0..LENGTH).map(at).collect();
                for lag in 1..24 {
                    let pairs = values.iter().zip(&values[lag..]);
                    // For uncorrelated numbers with a standard deviation of 1, `found` is distributed
                    // normally, with a standard deviation of 1.
                    let found =
                        pairs.map(|(a, b)| a * b).sum::<f64>() / ((LENGTH as usize - lag) as f64).sqrt();
                    worst = worst.max(found.abs());
                    squares += found * found;
                    count += 1.0;
                }
            }
            // With 13,800 draws, the mean square has a standard deviation of 0.012. The limit is five
            // standard deviations. Fewer than one draw in 10⁸ lies beyond 6.
            assert!(
                (squares / count - 1.0).abs() < 0.06 && worst < 6.0,
                "{name}: {} {worst}",
                squares / count
            );
        }
    }

    #[test]
    fn units_fill_their_range_evenly() {
        let hash = LatticeHash::new(Seed(9));
        let mut counts = [0u32; 16];
        for y in 0..256 {
            for x in 0..256 {
                let unit = unit(point(hash, x, y));
                assert!((-1.0..=1.0).contains(&unit));
                counts[(((unit + 1.0) * 8.0) as usize).min(15)] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count.abs_diff(4096) < 310), "{counts:?}");
    }
}
