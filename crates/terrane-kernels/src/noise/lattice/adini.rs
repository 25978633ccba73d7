//! Random heights and slopes at the corners.

use super::super::real::Real;
use super::{Corners, Draws, MOST_TERMS, Model, none};

/// Height and slopes of a corner, per cell side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sloped {
    /// Height.
    pub h: f32,
    /// Slope along u.
    pub f: f32,
    /// Slope along v.
    pub g: f32,
}

/// D2M1N3: the cubic through the corners' heights and slopes (Thorimbert & Chopard 2018, equations 8 to 15), which finite
/// elements know as Adini's rectangle.
///
/// Continuous; along an edge it is the Hermite cubic of that edge's corners; across an edge its slope jumps.
#[derive(Clone, Copy, Debug)]
pub struct Adini(Draws);

impl Adini {
    /// With slopes, per cell side, up to `weight` times the greatest height; in all filling [−1, 1].
    pub fn new(weight: f32) -> Self {
        Self(Draws::new(weight, 1.009_766, 0.5))
    }
}

impl Model for Adini {
    type Corner = Sloped;
    const TERMS: usize = 4;

    #[inline(always)]
    fn corner(self, bits: u32) -> Sloped {
        let [f, g] = self.0.derivatives(bits);
        Sloped { h: self.0.height(bits), f, g }
    }

    /// The factors of v⁰ to v³.
    #[inline(always)]
    fn column<T: Real>(self, [[a, b], [c, d]]: Corners<Sloped>, u: T, _: T) -> [T; MOST_TERMS] {
        let k = T::constant;
        // Names are the paper's c_ij, the factor of uⁱvʲ; those mirrored exchange the axes and f with g.
        let c20 = 3.0 * (b.h - a.h) - 2.0 * a.f - b.f;
        let c30 = b.f + a.f - 2.0 * (b.h - a.h);
        let c21 = 3.0 * (d.h - c.h) - 2.0 * c.f - d.f - c20;
        let c31 = d.f + c.f - 2.0 * (d.h - c.h) - c30;
        let c02 = 3.0 * (c.h - a.h) - 2.0 * a.g - c.g;
        let c03 = c.g + a.g - 2.0 * (c.h - a.h);
        let c12 = 3.0 * (d.h - b.h) - 2.0 * b.g - d.g - c02;
        let c13 = d.g + b.g - 2.0 * (d.h - b.h) - c03;
        let c11 = c.h + b.h - a.h - d.h + c.f + b.g - a.g - a.f;
        let cubic = |c0: f32, c1: f32, c2: f32, c3: f32| k(c0) + u * (k(c1) + u * (k(c2) + u * k(c3)));
        let line = |c0: f32, c1: f32| k(c0) + u * k(c1);
        [cubic(a.h, a.f, c20, c30), cubic(a.g, c11, c21, c31), line(c02, c12), line(c03, c13), none(), none()]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, _: T) -> [T; MOST_TERMS] {
        [T::constant(1.0), v, v * v, v * v * v, none(), none()]
    }
}
