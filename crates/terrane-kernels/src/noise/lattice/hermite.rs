//! Noise with random heights and derivatives at the corners of cells, joined along both axes by Hermite
//! polynomials.

use fearless_simd::prelude::*;

use super::super::real::Real;
use super::draws::Draws;
use super::model::{Corners, MOST_TERMS, Model, terms};

/// The bicubic polynomial through the corners' heights, slopes and mixed derivatives (16 constraints), known
/// as the Bogner-Fox-Schmit rectangle. The noise's slope is continuous everywhere, for any values at the
/// corners.
#[derive(Clone, Copy, Debug)]
pub struct BicubicHermite(Draws);

impl BicubicHermite {
    /// Noise whose derivatives per cell side are up to `weight` times the maximum height. Heights and
    /// derivatives are scaled so that the noise fills [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.0, 0.5625))
    }
}

/// Height of a corner, and its slopes and mixed derivative per cell side.
#[derive(Clone, Copy)]
pub struct Twisted<F> {
    /// Height.
    pub h: F,
    /// Slope along u.
    pub f: F,
    /// Slope along v.
    pub g: F,
    /// Mixed derivative.
    pub fg: F,
}

/// Cubic Hermite factors at t: of the rise from the first end to the second, of the slope at the first end,
/// and of the slope at the second end.
#[inline(always)]
fn cubic<S: Simd, T: Real<S>>(t: T) -> [T; 3] {
    let (k, simd) = (T::constant, t.simd());
    let (one, rest) = (k(simd, 1.0), k(simd, 1.0) - t);
    let square = t * t;
    [square * (k(simd, 3.0) - k(simd, 2.0) * t), t * rest * rest, square * (t - one)]
}

/// The value at u between two heights with their slopes.
#[inline(always)]
fn along<S: Simd, T: Real<S>>(
    [rise, first, second]: [T; 3],
    h0: S::f32s,
    h1: S::f32s,
    [f0, f1]: [S::f32s; 2],
) -> T {
    T::given(h0) + rise * T::given(h1 - h0) + first * T::given(f0) + second * T::given(f1)
}

impl Model for BicubicHermite {
    type Corner<S: Simd> = Twisted<S::f32s>;
    const TERMS: usize = 4;
    const SMOOTHED: bool = false;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> Twisted<S::f32s> {
        let [f, g, fg] = self.0.derivatives(simd, bits);
        Twisted { h: self.0.height(simd, bits), f, g, fg }
    }

    /// At u: the upper edge's height, the rise from the upper to the lower edge, and both edges' slopes along
    /// v.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(
        self,
        [[a, b], [c, d]]: Corners<Twisted<S::f32s>>,
        u: T,
        _: T,
    ) -> [T; MOST_TERMS] {
        let factors = cubic(u);
        let (upper, lower) = (along(factors, a.h, b.h, [a.f, b.f]), along(factors, c.h, d.h, [c.f, d.f]));
        let upper_slope = along(factors, a.g, b.g, [a.fg, b.fg]);
        let lower_slope = along(factors, c.g, d.g, [c.fg, d.fg]);
        terms([upper, lower - upper, upper_slope, lower_slope])
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second] = cubic(v);
        terms([T::constant(v.simd(), 1.0), rise, first, second])
    }
}

/// D2M2: the corners also have second derivatives. A single edge already has six constraints, so the lowest
/// degree that suffices is 5. The paper's D2M2N4, of degree 4, has no solution in general.
///
/// Of the solutions of degree 5, this is the one whose higher mixed derivatives (uuv, uvv, uuvv) vanish at
/// the corners. Its slopes and second derivatives are continuous everywhere.
#[derive(Clone, Copy, Debug)]
pub struct BiquinticHermite(Draws);

impl BiquinticHermite {
    /// Noise whose derivatives per cell side are up to `weight` times the maximum height. Heights and
    /// derivatives are scaled so that the noise fills [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.0, 0.785_157))
    }
}

/// Height of a corner, and its first and second derivatives per cell side.
#[derive(Clone, Copy)]
pub struct Curved<F> {
    /// Height.
    pub h: F,
    /// Slopes along u and v.
    pub slopes: [F; 2],
    /// Second derivatives uu, uv, vv.
    pub curvatures: [F; 3],
}

/// Quintic Hermite factors at t: of the rise, of the slopes at both ends, and of the second derivatives at
/// both ends.
#[inline(always)]
fn quintic<S: Simd, T: Real<S>>(t: T) -> [T; 5] {
    let (k, simd) = (T::constant, t.simd());
    let cube = t * t * t;
    [
        cube * (k(simd, 10.0) + t * (k(simd, 6.0) * t - k(simd, 15.0))),
        t + cube * (t * (k(simd, 8.0) - k(simd, 3.0) * t) - k(simd, 6.0)),
        cube * (t * (k(simd, 7.0) - k(simd, 3.0) * t) - k(simd, 4.0)),
        k(simd, 0.5) * (t * t + cube * (t * (k(simd, 3.0) - t) - k(simd, 3.0))),
        k(simd, 0.5) * (cube * (k(simd, 1.0) + t * (t - k(simd, 2.0)))),
    ]
}

/// An edge's height at u.
#[inline(always)]
fn height<S: Simd, T: Real<S>>(factors: [T; 5], a: Curved<S::f32s>, b: Curved<S::f32s>) -> T {
    let [rise, first, second, first_curve, second_curve] = factors;
    along([rise, first, second], a.h, b.h, [a.slopes[0], b.slopes[0]])
        + first_curve * T::given(a.curvatures[0])
        + second_curve * T::given(b.curvatures[0])
}

/// An edge's slope along v, at u.
#[inline(always)]
fn slope<S: Simd, T: Real<S>>(factors: [T; 3], a: Curved<S::f32s>, b: Curved<S::f32s>) -> T {
    along(factors, a.slopes[1], b.slopes[1], [a.curvatures[1], b.curvatures[1]])
}

/// An edge's second derivative along v, at u.
#[inline(always)]
fn curve<S: Simd, T: Real<S>>(rise: T, a: Curved<S::f32s>, b: Curved<S::f32s>) -> T {
    T::given(a.curvatures[2]) + rise * T::given(b.curvatures[2] - a.curvatures[2])
}

impl Model for BiquinticHermite {
    type Corner<S: Simd> = Curved<S::f32s>;
    const TERMS: usize = 6;
    const SMOOTHED: bool = false;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> Curved<S::f32s> {
        let [f, g, uu, uv, vv] = self.0.derivatives(simd, bits);
        Curved { h: self.0.height(simd, bits), slopes: [f, g], curvatures: [uu, uv, vv] }
    }

    /// At u: the upper edge's height, the rise from the upper to the lower edge, both edges' slopes along v,
    /// and both edges' second derivatives along v.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(
        self,
        [[a, b], [c, d]]: Corners<Curved<S::f32s>>,
        u: T,
        _: T,
    ) -> [T; MOST_TERMS] {
        let factors = quintic(u);
        let [rise, first, second, ..] = factors;
        let (upper, lower) = (height(factors, a, b), height(factors, c, d));
        let (upper_slope, lower_slope) =
            (slope([rise, first, second], a, b), slope([rise, first, second], c, d));
        [upper, lower - upper, upper_slope, lower_slope, curve(rise, a, b), curve(rise, c, d)]
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second, first_curve, second_curve] = quintic(v);
        [T::constant(v.simd(), 1.0), rise, first, second, first_curve, second_curve]
    }
}
