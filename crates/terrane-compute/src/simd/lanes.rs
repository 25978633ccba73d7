//! Vectors of numbers, as one type for every SIMD level.
//!
//! They serve loops that the compiler does not vectorise well: a kernel is written once over [`Floats`], and
//! [`run_lanes`] calls it with the machine's vectors. Every operation returns the same bits at every level.

use std::ops::{Add, BitXor, Div, Mul, Sub};

/// A vector of 32-bit floats.
pub trait Floats:
    Copy + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A vector of the same number of 32-bit words.
    type Bits: Bits<Floats = Self>;

    /// A boolean per lane.
    type Mask: Copy;

    /// The number of lanes.
    const LANES: usize;

    /// The same number in all lanes.
    fn splat(value: f32) -> Self;

    /// Loads the first [`Floats::LANES`] numbers.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(from: &[f32]) -> Self;

    /// Stores to the first [`Floats::LANES`] elements.
    ///
    /// # Panics
    /// If there are fewer.
    fn store(self, to: &mut [f32]);

    /// The minimum; `other` if either is not-a-number.
    fn lesser(self, other: Self) -> Self;

    /// The maximum; `other` if either is not-a-number.
    fn greater(self, other: Self) -> Self;

    /// The absolute value.
    fn magnitude(self) -> Self;

    /// The floor as a signed integer, and the fraction above it, rounded, in [0, 1]. Beyond 2³¹, and for
    /// not-a-number, the minimum integer and 0.
    fn split(self) -> (Self::Bits, Self);

    /// The lanes in which this is at least `other`.
    fn at_least(self, other: Self) -> Self::Mask;

    /// The lanes in which this is greater than `other`.
    fn above(self, other: Self) -> Self::Mask;

    /// The lanes in which this equals `other`; false if either is not-a-number.
    fn equal(self, other: Self) -> Self::Mask;

    /// Whether the mask holds in all lanes.
    fn all(mask: Self::Mask) -> bool;

    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Runs a part of a loop in a separate function, which is compiled once for all loops that contain this
    /// part.
    fn by_itself<W: LaneWork>(work: W);
}

/// A vector of 32-bit words. Sums and products are modulo 2³².
pub trait Bits: Copy + Send + Sync + BitXor<Output = Self> {
    /// A vector of the same number of floats.
    type Floats: Floats<Bits = Self>;

    /// The same word in all lanes.
    fn splat(bits: u32) -> Self;

    /// Loads the first [`Floats::LANES`] words.
    ///
    /// # Panics
    /// If there are fewer.
    fn load(from: &[u32]) -> Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// The product.
    fn times(self, other: Self) -> Self;

    /// Logical shift to the right.
    fn right(self, by: u32) -> Self;

    /// Converts from signed integers, rounding.
    fn number(self) -> Self::Floats;

    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: <Self::Floats as Floats>::Mask, yes: Self, no: Self) -> Self;

    /// One of eight directions, selected by the upper three bits. It is `(long, short)`, swapped if bit 29 is
    /// set. Then the first number is negated if bit 31 is set, and the second if bit 30 is set.
    fn octant(self, long: f32, short: f32) -> (Self::Floats, Self::Floats);
}

/// The result of [`Bits::octant`] for the upper three bits `index`.
pub(super) const fn octant(index: usize, long: f32, short: f32) -> (f32, f32) {
    let (x, y) = if index & 1 == 0 { (long, short) } else { (short, long) };
    (if index & 4 == 0 { x } else { -x }, if index & 2 == 0 { y } else { -y })
}

/// A loop over vectors. Its `run` and all that it calls must be `#[inline(always)]`, except closures (which
/// cannot be), so that they are compiled for each level.
pub trait LaneWork {
    /// Runs the loop with vectors of this type.
    fn run<F: Floats>(self);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every operation on 16 numbers and words, as bits.
    struct All<'a> {
        floats: [&'a [f32; 16]; 2],
        words: [&'a [u32; 16]; 2],
        found: &'a mut Vec<Vec<u32>>,
    }

    impl LaneWork for All<'_> {
        fn run<F: Floats>(self) {
            let mut results = vec![Vec::new(); 18];
            for at in (0..16).step_by(F::LANES) {
                let [a, b] = self.floats.map(|from| F::load(&from[at..]));
                let [m, n] = self.words.map(|from| F::Bits::load(&from[at..]));
                let (whole, above) = a.split();
                let (x, y) = m.octant(3.0, 1.5);
                let one = F::splat(1.0);
                let none = F::Bits::splat(0);
                let numbers = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    a.lesser(b),
                    a.greater(b),
                    a.magnitude(),
                    above,
                    F::select(a.at_least(b), a, one),
                    F::select(a.above(b), one, b),
                    F::select(a.equal(b), one, a),
                    x,
                    y,
                    m.number(),
                ];
                // Words are checked as numbers: 16-bit halves, which floats hold exactly.
                let words =
                    [whole, m.plus(n), m.times(n), m ^ n.right(15), F::Bits::select(a.above(b), m, none)];
                let all = numbers.into_iter().chain(words.map(|word| word.right(16).number()));
                for (number, result) in all.zip(&mut results) {
                    let mut lanes = [0.0; 16];
                    number.store(&mut lanes);
                    // Normalises not-a-number, which has many representations.
                    result
                        .extend(lanes[..F::LANES].iter().map(|&x| if x.is_nan() { 1 } else { x.to_bits() }));
                }
            }
            // One result for all sixteen, whatever the number of lanes.
            let all = |with: [&[f32; 16]; 2]| {
                (0..16)
                    .step_by(F::LANES)
                    .all(|at| F::all(F::load(&with[0][at..]).equal(F::load(&with[1][at..]))))
            };
            results.push(vec![u32::from(all(self.floats)), u32::from(all([self.floats[0]; 2]))]);
            *self.found = results;
        }
    }

    fn number() -> impl Strategy<Value = f32> {
        let odd =
            [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 8_388_608.5, 2.147_483_6e9, 4.0e9, -2.147_483_6e9, -4.0e9];
        let odder = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e-40, -1.0e-40, f32::MAX, -0.999_999_94];
        prop_oneof![any::<f32>(), -1.0e5f32..1.0e5, prop::sample::select([&odd[..], &odder].concat())]
    }

    proptest! {
        #[test]
        fn levels_agree(
            a in prop::array::uniform16(number()), b in prop::array::uniform16(number()), m: [u32; 16],
            n: [u32; 16],
        ) {
            let run = |level: Option<super::super::Level>| {
                let mut found = Vec::new();
                let all = All { floats: [&a, &b], words: [&m, &n], found: &mut found };
                match level {
                    None => all.run::<f32>(),
                    Some(level) => super::super::run_lanes_at(level, all),
                }
                found
            };
            let scalar = run(None);
            for level in super::super::Level::available() {
                prop_assert_eq!(&run(Some(level)), &scalar, "{:?}", level);
            }
        }
    }
}
