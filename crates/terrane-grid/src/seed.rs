//! Randomness by position.
//!
//! A value depends only on the seed and on integer lattice coordinates, so any window of an infinite world
//! can be computed alone and agrees with its neighbours, on any number of threads.

/// A 64-bit seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(pub u64);

/// Weyl constant and finaliser multipliers of SplitMix64 (Steele, Lea, Flood 2014).
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64: every input bit changes every output bit with probability near one half.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Seed {
    /// A separate seed for part `index` of a computation, such as an octave, a level or a channel.
    #[must_use]
    #[inline]
    pub const fn part(self, index: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN.wrapping_mul(index.wrapping_add(1)))))
    }

    /// This seed mixed with another, such as a node's seed with its graph's.
    #[must_use]
    #[inline]
    pub const fn mixed(self, other: u64) -> Self {
        Self(mix(mix(self.0).wrapping_add(GOLDEN).wrapping_add(other.wrapping_mul(0xD6E8_FEB8_6659_FD93))))
    }

    /// Random bits per lattice point.
    #[must_use]
    #[inline]
    pub const fn lattice(self) -> Lattice {
        Lattice(mix(self.0.wrapping_add(GOLDEN)))
    }
}

/// Random bits for the points of an integer lattice: a pure function of seed and point.
#[derive(Clone, Copy, Debug)]
pub struct Lattice(u64);

impl Lattice {
    /// 64 random bits for the point (x, y).
    #[must_use]
    #[inline]
    pub const fn bits(self, x: i64, y: i64) -> u64 {
        let row = mix(self.0 ^ (y as u64).wrapping_mul(0xA24B_AED4_963E_E407));
        mix(row.wrapping_add((x as u64).wrapping_mul(GOLDEN)))
    }

    /// Uniform in [0, 1) for the point (x, y), a multiple of 2⁻²⁴.
    #[must_use]
    #[inline]
    pub const fn unit(self, x: i64, y: i64) -> f32 {
        unit_f32(self.bits(x, y))
    }
}

/// Uniform in [0, 1) from random bits: the top 24 of them, so the value is exact in f32.
#[must_use]
#[inline]
pub const fn unit_f32(bits: u64) -> f32 {
    (bits >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
}

/// Uniform in [0, 1) from random bits: the top 53 of them, so the value is exact in f64.
#[must_use]
#[inline]
pub const fn unit_f64(bits: u64) -> f64 {
    (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_uniform() {
        let lattice = Seed(7).lattice();
        let mut counts = [0u32; 16];
        for y in -128..128 {
            for x in -128..128 {
                counts[(lattice.unit(x, y) * 16.0) as usize] += 1;
            }
        }
        // 65,536 draws in 16 bins: a standard deviation of 62; the limit is 5 of them.
        assert!(counts.iter().all(|&c| c.abs_diff(4096) < 310), "{counts:?}");
    }

    #[test]
    fn neighbours_and_seeds_are_uncorrelated() {
        let a = Seed(1).lattice();
        for other in [
            |x, y| Seed(1).lattice().unit(x + 1, y),
            |x, y| Seed(1).lattice().unit(x, y + 1),
            |x, y| Seed(2).lattice().unit(x, y),
        ] {
            let mut sum = 0.0;
            for y in 0..256i64 {
                for x in 0..256i64 {
                    sum += (f64::from(a.unit(x, y)) - 0.5) * (f64::from(other(x, y)) - 0.5);
                }
            }
            let correlation = sum / 65536.0 * 12.0;
            assert!(correlation.abs() < 5.0 / 256.0, "{correlation}");
        }
    }

    #[test]
    fn values_never_change() {
        assert_eq!(Seed(42).lattice().bits(0, 0), Seed(42).lattice().bits(0, 0));
        assert_ne!(Seed(42).lattice().bits(0, 1), Seed(42).lattice().bits(1, 0));
        assert_ne!(Seed(42).part(0), Seed(42).part(1));
        assert_ne!(Seed(42).mixed(0), Seed(0).mixed(42));
    }
}
