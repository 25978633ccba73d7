//! Perlin's noise in space.

use fearless_simd::prelude::*;

use super::super::hash::next;
use super::super::lattice::exponential_length;
use super::super::real::Real;
use super::super::smoothstep::Smoothstep;
use super::cube::{CubeModel, across, between};
use crate::simd::{number, times};

/// Scales the blend of planes with slopes of ±1 along two of the axes to [−1, 1], for every smoothstep.
pub const SCALE: f32 = 1.0 / 1.0452;

/// Random slopes at the corners: ±1 along two of the three axes, pointing to the middles of a cube's edges
/// (Perlin 2002).
#[derive(Clone, Copy)]
pub struct Perlin {
    pub smoothstep: Smoothstep,
    /// Whether lengths of slopes differ, as in the plane.
    pub exponential: bool,
}

/// The dot product of a random slope and an offset. It is the sum of two of the three coordinates, each with
/// a random sign. The upper bits choose the coordinates and the signs.
#[inline(always)]
pub fn slope<S: Simd, T: Real<S>>(simd: S, bits: S::u32s, [x, y, z]: [T; 3]) -> T {
    let twice = times(simd, bits, S::u32s::splat(simd, 2));
    let four_times = times(simd, bits, S::u32s::splat(simd, 4));
    let third = S::f32s::splat(simd, 16384.0 / 3.0);
    // Bits 31 and 30 are signs. The fourteen bits below choose one of three pairs of coordinates.
    let first = number(simd, bits).simd_ge(0.0);
    let second = number(simd, twice).simd_ge(0.0);
    let choice = number(simd, four_times >> 18);
    let a = y.select(choice.simd_ge(third + third), x);
    let b = y.select(third.simd_gt(choice), z);
    let none = T::constant(simd, 0.0);
    a.select(first, none - a) + b.select(second, none - b)
}

impl Perlin {
    #[inline(always)]
    fn plane<S: Simd, T: Real<S>>(self, simd: S, bits: S::u32s, way: [T; 3]) -> T {
        let plane = slope(simd, bits, way);
        if self.exponential { plane * T::given(exponential_length(simd, next(simd, bits))) } else { plane }
    }
}

impl CubeModel for Perlin {
    #[inline(always)]
    fn at<S: Simd, T: Real<S>>(self, simd: S, c: [S::u32s; 8], [x, y, z]: [T; 3]) -> T {
        let one = T::constant(simd, 1.0);
        let (far_x, far_y, far_z) = (x - one, y - one, z - one);
        let step = self.smoothstep;
        let sx = step.at(x);
        let edges = [
            between(self.plane(simd, c[0], [x, y, z]), self.plane(simd, c[1], [far_x, y, z]), sx),
            between(self.plane(simd, c[2], [x, far_y, z]), self.plane(simd, c[3], [far_x, far_y, z]), sx),
            between(self.plane(simd, c[4], [x, y, far_z]), self.plane(simd, c[5], [far_x, y, far_z]), sx),
            between(
                self.plane(simd, c[6], [x, far_y, far_z]),
                self.plane(simd, c[7], [far_x, far_y, far_z]),
                sx,
            ),
        ];
        across(edges, step.at(y), step.at(z)) * T::constant(simd, SCALE)
    }
}
