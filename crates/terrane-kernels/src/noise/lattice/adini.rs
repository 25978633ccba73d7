//! Noise with random heights and slopes at the corners of cells.

use fearless_simd::prelude::*;

use super::super::real::Real;
use super::draws::Draws;
use super::model::{Corners, MOST_TERMS, Model, terms};

/// Height of a corner, and its slopes per cell side.
#[derive(Clone, Copy)]
pub struct Sloped<F> {
    /// Height.
    pub h: F,
    /// Slope along u.
    pub f: F,
    /// Slope along v.
    pub g: F,
}

/// D2M1N3: the cubic through the corners' heights and slopes (Thorimbert & Chopard 2018, equations 8 to
/// 15), known in finite elements as Adini's rectangle.
///
/// The noise is continuous. Along an edge it is the Hermite cubic of the edge's corners. Across an edge its
/// slope jumps.
#[derive(Clone, Copy, Debug)]
pub struct Adini(Draws);

impl Adini {
    /// Noise whose slopes per cell side are up to `weight` times the maximum height. Heights and slopes are
    /// scaled so that the noise fills [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.009_766, 0.5))
    }
}

/// The quadratic and cubic coefficients of the Hermite cubic with these heights and slopes at its ends.
#[inline(always)]
fn rest<S: Simd>(_: S, [h0, h1]: [S::f32s; 2], [f0, f1]: [S::f32s; 2]) -> (S::f32s, S::f32s) {
    let rise = h1 - h0;
    (rise * 3.0 - f0 * 2.0 - f1, f1 + f0 - rise * 2.0)
}

/// The polynomial with these coefficients of u⁰, u¹, ….
#[inline(always)]
fn polynomial<S: Simd, T: Real<S>, const N: usize>(factors: [S::f32s; N], u: T) -> T {
    let mut sum = T::given(factors[N - 1]);
    for k in (0..N - 1).rev() {
        sum = T::given(factors[k]) + u * sum;
    }
    sum
}

impl Model for Adini {
    type Corner<S: Simd> = Sloped<S::f32s>;
    const TERMS: usize = 4;
    const SMOOTHED: bool = false;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> Sloped<S::f32s> {
        let [f, g] = self.0.derivatives(simd, bits);
        Sloped { h: self.0.height(simd, bits), f, g }
    }

    /// The coefficients of v⁰ to v³ at u.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(
        self,
        [[a, b], [c, d]]: Corners<Sloped<S::f32s>>,
        u: T,
        _: T,
    ) -> [T; MOST_TERMS] {
        let simd = u.simd();
        // c20, c30, c02, c03 and c11 are the paper's c_ij, the coefficients of uⁱvʲ. c21, c31, c12 and c13
        // belong to the opposite edge: the paper's coefficients are c21 − c20 and so on. The formula of c_ji
        // is that of c_ij with the axes exchanged, and with them f and g.
        let (c20, c30) = rest(simd, [a.h, b.h], [a.f, b.f]);
        let (c21, c31) = rest(simd, [c.h, d.h], [c.f, d.f]);
        let (c02, c03) = rest(simd, [a.h, c.h], [a.g, c.g]);
        let (c12, c13) = rest(simd, [b.h, d.h], [b.g, d.g]);
        let c11 = c.h + b.h - a.h - d.h + c.f + b.g - a.g - a.f;
        terms([
            polynomial([a.h, a.f, c20, c30], u),
            polynomial([a.g, c11, c21 - c20, c31 - c30], u),
            polynomial([c02, c12 - c02], u),
            polynomial([c03, c13 - c03], u),
        ])
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, _: T) -> [T; MOST_TERMS] {
        terms([T::constant(v.simd(), 1.0), v, v * v, v * v * v])
    }
}
