//! Random heights and derivatives at the corners, joined along both axes by Hermite polynomials.

use super::super::real::Real;
use super::{Corners, Draws, MOST_TERMS, Model, none};

/// The bicubic through the corners' heights, slopes and mixed derivatives: 16 constraints, the Bogner-Fox-Schmit
/// rectangle. Its slope is continuous everywhere, whatever the corners hold.
#[derive(Clone, Copy, Debug)]
pub struct BicubicHermite(Draws);

impl BicubicHermite {
    /// With derivatives, per cell side, up to `weight` times the greatest height; in all filling [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.0, 0.5625))
    }
}

/// Height, slopes and mixed derivative of a corner, per cell side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twisted {
    /// Height.
    pub h: f32,
    /// Slope along u.
    pub f: f32,
    /// Slope along v.
    pub g: f32,
    /// Mixed derivative.
    pub fg: f32,
}

/// Cubic Hermite factors at t: of the rise from the first end to the second, of the first slope, of the second.
#[inline(always)]
fn cubic<T: Real>(t: T) -> [T; 3] {
    let (one, rest) = (T::constant(1.0), T::constant(1.0) - t);
    let square = t * t;
    [square * (T::constant(3.0) - T::constant(2.0) * t), t * rest * rest, square * (t - one)]
}

impl Model for BicubicHermite {
    type Corner = Twisted;
    const TERMS: usize = 4;

    #[inline(always)]
    fn corner(self, bits: u32) -> Twisted {
        let [f, g, fg] = self.0.derivatives(bits);
        Twisted { h: self.0.height(bits), f, g, fg }
    }

    /// Heights of both edges along u, then their slopes along v.
    #[inline(always)]
    fn column<T: Real>(self, [[a, b], [c, d]]: Corners<Twisted>, u: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second] = cubic(u);
        let k = T::constant;
        let along =
            |h0: f32, h1: f32, f0: f32, f1: f32| k(h0) + rise * k(h1 - h0) + first * k(f0) + second * k(f1);
        let (upper, lower) = (along(a.h, b.h, a.f, b.f), along(c.h, d.h, c.f, d.f));
        let (upper_slope, lower_slope) = (along(a.g, b.g, a.fg, b.fg), along(c.g, d.g, c.fg, d.fg));
        [upper, lower - upper, upper_slope, lower_slope, none(), none()]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second] = cubic(v);
        [T::constant(1.0), rise, first, second, none(), none()]
    }
}

/// D2M2: second derivatives are given too. Degree 5 is the lowest that satisfies it: on an edge alone there are six
/// constraints, so the paper's D2M2N4 has no solution in general. Of the solutions of degree 5 this is the one whose
/// higher mixed derivatives (uuv, uvv, uuvv) vanish at the corners: slopes and second derivatives are continuous everywhere.
#[derive(Clone, Copy, Debug)]
pub struct BiquinticHermite(Draws);

impl BiquinticHermite {
    /// With derivatives, per cell side, up to `weight` times the greatest height; in all filling [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.0, 0.785_157))
    }
}

/// Height and derivatives up to the second of a corner, per cell side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Curved {
    /// Height.
    pub h: f32,
    /// Slopes along u and v.
    pub slopes: [f32; 2],
    /// Second derivatives uu, uv, vv.
    pub curvatures: [f32; 3],
}

/// Quintic Hermite factors at t: of the rise, of both slopes, of both second derivatives.
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

impl Model for BiquinticHermite {
    type Corner = Curved;
    const TERMS: usize = 6;

    #[inline(always)]
    fn corner(self, bits: u32) -> Curved {
        let [f, g, uu, uv, vv] = self.0.derivatives(bits);
        Curved { h: self.0.height(bits), slopes: [f, g], curvatures: [uu, uv, vv] }
    }

    /// Heights of both edges along u, then their slopes along v, then their second derivatives along v.
    #[inline(always)]
    fn column<T: Real>(self, [[a, b], [c, d]]: Corners<Curved>, u: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second, first_curve, second_curve] = quintic(u);
        let k = T::constant;
        let height = |a: Curved, b: Curved| {
            k(a.h)
                + rise * k(b.h - a.h)
                + first * k(a.slopes[0])
                + second * k(b.slopes[0])
                + first_curve * k(a.curvatures[0])
                + second_curve * k(b.curvatures[0])
        };
        let slope = |a: Curved, b: Curved| {
            k(a.slopes[1])
                + rise * k(b.slopes[1] - a.slopes[1])
                + first * k(a.curvatures[1])
                + second * k(b.curvatures[1])
        };
        let curve = |a: Curved, b: Curved| k(a.curvatures[2]) + rise * k(b.curvatures[2] - a.curvatures[2]);
        let (upper, lower) = (height(a, b), height(c, d));
        [upper, lower - upper, slope(a, b), slope(c, d), curve(a, b), curve(c, d)]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, _: T) -> [T; MOST_TERMS] {
        let [rise, first, second, first_curve, second_curve] = quintic(v);
        [T::constant(1.0), rise, first, second, first_curve, second_curve]
    }
}
