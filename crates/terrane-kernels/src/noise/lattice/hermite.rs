//! Noise with random heights and derivatives at the corners of cells, joined along both axes by Hermite
//! polynomials.

use super::super::real::Real;
use super::draws::Draws;
use super::model::{Corners, MOST_TERMS, Model, none};
use crate::simd::Floats;

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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twisted<F = f32> {
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
fn cubic<T: Real>(t: T) -> [T; 3] {
    let (one, rest) = (T::constant(1.0), T::constant(1.0) - t);
    let square = t * t;
    [square * (T::constant(3.0) - T::constant(2.0) * t), t * rest * rest, square * (t - one)]
}

/// The value at u between two heights with their slopes.
#[inline(always)]
fn along<T: Real>([rise, first, second]: [T; 3], h0: T::Lanes, h1: T::Lanes, [f0, f1]: [T::Lanes; 2]) -> T {
    T::given(h0) + rise * T::given(h1 - h0) + first * T::given(f0) + second * T::given(f1)
}

impl Model for BicubicHermite {
    type Corner<F: Floats> = Twisted<F>;
    const TERMS: usize = 4;
    const SMOOTHED: bool = false;

    #[inline(always)]
    fn corner<F: Floats>(self, bits: F::Bits) -> Twisted<F> {
        let [f, g, fg] = self.0.derivatives(bits);
        Twisted { h: self.0.height(bits), f, g, fg }
    }

    /// At u: the upper edge's height, the rise from the upper to the lower edge, and both edges' slopes along
    /// v.
    #[inline(always)]
    fn column<T: Real>(self, [[a, b], [c, d]]: Corners<Twisted<T::Lanes>>, u: T, _: T) -> [T; MOST_TERMS] {
        let factors = cubic(u);
        let (upper, lower) = (along(factors, a.h, b.h, [a.f, b.f]), along(factors, c.h, d.h, [c.f, d.f]));
        let upper_slope = along(factors, a.g, b.g, [a.fg, b.fg]);
        let lower_slope = along(factors, c.g, d.g, [c.fg, d.fg]);
        [upper, lower - upper, upper_slope, lower_slope, none(), none()]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second] = cubic(v);
        [T::constant(1.0), rise, first, second, none(), none()]
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curved<F = f32> {
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
fn quintic<T: Real>(t: T) -> [T; 5] {
    let k = T::constant;
    let cube = t * t * t;
    [
        cube * (k(10.0) + t * (k(6.0) * t - k(15.0))),
        t + cube * (t * (k(8.0) - k(3.0) * t) - k(6.0)),
        cube * (t * (k(7.0) - k(3.0) * t) - k(4.0)),
        k(0.5) * (t * t + cube * (t * (k(3.0) - t) - k(3.0))),
        k(0.5) * (cube * (k(1.0) + t * (t - k(2.0)))),
    ]
}

/// An edge's height at u.
#[inline(always)]
fn height<T: Real>(factors: [T; 5], a: Curved<T::Lanes>, b: Curved<T::Lanes>) -> T {
    let [rise, first, second, first_curve, second_curve] = factors;
    along([rise, first, second], a.h, b.h, [a.slopes[0], b.slopes[0]])
        + first_curve * T::given(a.curvatures[0])
        + second_curve * T::given(b.curvatures[0])
}

/// An edge's slope along v, at u.
#[inline(always)]
fn slope<T: Real>(factors: [T; 3], a: Curved<T::Lanes>, b: Curved<T::Lanes>) -> T {
    along(factors, a.slopes[1], b.slopes[1], [a.curvatures[1], b.curvatures[1]])
}

/// An edge's second derivative along v, at u.
#[inline(always)]
fn curve<T: Real>(rise: T, a: Curved<T::Lanes>, b: Curved<T::Lanes>) -> T {
    T::given(a.curvatures[2]) + rise * T::given(b.curvatures[2] - a.curvatures[2])
}

impl Model for BiquinticHermite {
    type Corner<F: Floats> = Curved<F>;
    const TERMS: usize = 6;
    const SMOOTHED: bool = false;

    #[inline(always)]
    fn corner<F: Floats>(self, bits: F::Bits) -> Curved<F> {
        let [f, g, uu, uv, vv] = self.0.derivatives(bits);
        Curved { h: self.0.height(bits), slopes: [f, g], curvatures: [uu, uv, vv] }
    }

    /// At u: the upper edge's height, the rise from the upper to the lower edge, both edges' slopes along v,
    /// and both edges' second derivatives along v.
    #[inline(always)]
    fn column<T: Real>(self, [[a, b], [c, d]]: Corners<Curved<T::Lanes>>, u: T, _: T) -> [T; MOST_TERMS] {
        let factors = quintic(u);
        let [rise, first, second, ..] = factors;
        let (upper, lower) = (height(factors, a, b), height(factors, c, d));
        let (upper_slope, lower_slope) =
            (slope([rise, first, second], a, b), slope([rise, first, second], c, d));
        [upper, lower - upper, upper_slope, lower_slope, curve(rise, a, b), curve(rise, c, d)]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second, first_curve, second_curve] = quintic(v);
        [T::constant(1.0), rise, first, second, first_curve, second_curve]
    }
}
