//! Perlin's noise in space.

use super::super::hash::next;
use super::super::lattice::exponential_length;
use super::super::real::Real;
use super::super::smoothstep::Smoothstep;
use super::cube::{Corners, CubeModel, across, between};
use crate::simd::{Bits, Floats};

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
pub fn slope<T: Real>(bits: <T::Lanes as Floats>::Bits, [x, y, z]: [T; 3]) -> T {
    let (zero, third) = (T::Lanes::splat(0.0), T::Lanes::splat(16384.0 / 3.0));
    // Bits 31 and 30 are signs. The fourteen bits below choose one of three pairs of coordinates.
    let first = bits.number().at_least(zero);
    let second = bits.times(Bits::splat(2)).number().at_least(zero);
    let choice = bits.times(Bits::splat(4)).right(18).number();
    let a = y.select(choice.at_least(third + third), x);
    let b = y.select(third.above(choice), z);
    let none = T::constant(0.0);
    a.select(first, none - a) + b.select(second, none - b)
}

impl Perlin {
    #[inline(always)]
    fn plane<T: Real>(self, bits: <T::Lanes as Floats>::Bits, way: [T; 3]) -> T {
        let plane = slope(bits, way);
        if self.exponential { plane * T::given(exponential_length(next(bits))) } else { plane }
    }
}

impl CubeModel for Perlin {
    #[inline(always)]
    fn at<T: Real>(self, c: Corners<T>, [x, y, z]: [T; 3]) -> T {
        let one = T::constant(1.0);
        let (far_x, far_y, far_z) = (x - one, y - one, z - one);
        let step = self.smoothstep;
        let sx = step.at(x);
        let edges = [
            between(self.plane(c[0], [x, y, z]), self.plane(c[1], [far_x, y, z]), sx),
            between(self.plane(c[2], [x, far_y, z]), self.plane(c[3], [far_x, far_y, z]), sx),
            between(self.plane(c[4], [x, y, far_z]), self.plane(c[5], [far_x, y, far_z]), sx),
            between(self.plane(c[6], [x, far_y, far_z]), self.plane(c[7], [far_x, far_y, far_z]), sx),
        ];
        across(edges, step.at(y), step.at(z)) * T::constant(SCALE)
    }
}
