//! Noise with random slopes at the corners of cells, where the height is zero.

use fearless_simd::prelude::*;

use super::super::hash::{Direction, next};
use super::super::real::Real;
use super::model::{Corners, MOST_TERMS, Model, terms};
use crate::simd::{number, times};

/// Perlin's noise: planes through the corners, joined by the smoothstep along both axes (Thorimbert & Chopard
/// 2018, equations 16 to 18; Perlin 2002). The corners' slopes have eight directions. All have the length √2,
/// with which the noise fills [−1, 1].
///
/// With the cubic smoothstep the noise's slope is continuous. With the quintic smoothstep, so is its second
/// derivative.
#[derive(Clone, Copy, Debug)]
pub struct Perlin;

/// An edge's height at u, and its slope along v there.
#[inline(always)]
fn edge<S: Simd, T: Real<S>>([(f0, g0), (f1, g1)]: [(S::f32s, S::f32s); 2], u: T, su: T) -> (T, T) {
    let (left, right) = (T::given(f0) * u, T::given(f1) * (u - T::constant(u.simd(), 1.0)));
    (left + su * (right - left), T::given(g0) + su * T::given(g1 - g0))
}

impl Model for Perlin {
    type Corner<S: Simd> = (S::f32s, S::f32s);
    const TERMS: usize = 4;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> (S::f32s, S::f32s) {
        const { Direction::of_length(std::f32::consts::SQRT_2) }.of(simd, bits)
    }

    /// The smoothstep S(u) blends the planes of an edge's two corners. At u, the blend is a line along v,
    /// which has a value at v = 0 and a slope. S(v) then blends the line of the upper edge with that of the
    /// lower edge. The noise is P + v·Q + S(v)·R + v·S(v)·W. P and Q are the value and the slope of the upper
    /// edge's line. R and W are the value and the slope of the lower edge's line, minus P and Q.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(
        self,
        corners: Corners<(S::f32s, S::f32s)>,
        u: T,
        su: T,
    ) -> [T; MOST_TERMS] {
        let (upper, upper_slope) = edge(corners[0], u, su);
        let (lower, lower_slope) = edge(corners[1], u, su);
        // `lower` is the value of the lower edge's line at v = 1. At v = 0 the value is lower by the slope.
        terms([upper, upper_slope, lower - lower_slope - upper, lower_slope - upper_slope])
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, sv: T) -> [T; MOST_TERMS] {
        terms([T::constant(v.simd(), 1.0), v, sv, v * sv])
    }
}

/// Perlin's noise with slopes whose lengths are distributed exponentially, as in real terrain (Parberry 2015,
/// "Modeling real-world terrain with exponentially distributed noise"). There are 256 lengths; each is 1.02
/// times the next.
#[derive(Clone, Copy, Debug)]
pub struct ExponentialPerlin;

/// 1.02 to the power of −128, −64, … −1.
const SHORTER: [f32; 8] = {
    let (mut factors, mut factor, mut bit) = ([0.0; 8], 1.0 / 1.02f64, 8);
    while bit > 0 {
        bit -= 1;
        factors[bit] = factor as f32;
        factor *= factor;
    }
    factors
};

/// One of 256 lengths up to 1, chosen by the upper eight bits.
#[inline(always)]
pub fn exponential_length<S: Simd>(simd: S, bits: S::u32s) -> S::f32s {
    let mut length = S::f32s::splat(simd, 1.0);
    for (bit, shorter) in SHORTER.into_iter().enumerate() {
        // Whether the bit is 0, found by shifting it to the sign.
        let shifted = times(simd, bits, S::u32s::splat(simd, 1 << bit));
        length = number(simd, shifted).simd_ge(0.0).select(length, length * shorter);
    }
    length
}

impl Model for ExponentialPerlin {
    type Corner<S: Simd> = (S::f32s, S::f32s);
    const TERMS: usize = Perlin::TERMS;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> (S::f32s, S::f32s) {
        let (f, g) = Perlin.corner(simd, bits);
        let length = exponential_length(simd, next(simd, bits));
        (f * length, g * length)
    }

    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(
        self,
        corners: Corners<(S::f32s, S::f32s)>,
        u: T,
        su: T,
    ) -> [T; MOST_TERMS] {
        Perlin.column(corners, u, su)
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, sv: T) -> [T; MOST_TERMS] {
        Perlin.row(v, sv)
    }
}

#[cfg(test)]
mod tests {
    use fearless_simd::{Fallback, u32x4};

    use super::*;

    #[test]
    fn lengths_are_powers_of_one_number() {
        let one = Fallback::new();
        for index in 0..256u32 {
            let expected = libm::pow(1.02, -f64::from(index));
            let bits = u32x4::splat(one, index << 24 | 0x00AB_CDEF);
            let found = f64::from(exponential_length(one, bits)[0]);
            assert!((found / expected - 1.0).abs() < 1e-5, "{index}: {found} {expected}");
        }
    }
}
