//! Noise with random heights, and perhaps slopes, at the corners of cubes (Thorimbert & Chopard 2018, section
//! 3.4).

use fearless_simd::prelude::*;

use super::super::lattice::Draws;
use super::super::real::Real;
use super::super::smoothstep::Smoothstep;
use super::cube::{CubeModel, across, between};

/// Maximum magnitudes of D3M1N3: with heights within [−1, 1] alone, and with slopes within [−1, 1] alone.
pub const BOUNDS: (f32, f32) = (1.0225, 0.75);

/// Maximum magnitudes with heights within [−1, 1] and slopes of 0, for smoothsteps of order 1 to 6.
pub const LEVEL_BOUNDS: [f32; 6] = [1.0226, 1.071, 1.1125, 1.1462, 1.1735, 1.1963];

/// D3M1N3: the polynomial of minimum degree through heights and slopes.
#[derive(Clone, Copy)]
pub struct Adini {
    draws: Draws,
}

impl Adini {
    /// Noise whose slopes per cell side are up to `gradient_weight` times the maximum height.
    pub fn new(gradient_weight: f32) -> Self {
        Self { draws: Draws::new(gradient_weight, BOUNDS.0, BOUNDS.1) }
    }
}

/// The cubic through heights and slopes at both ends of an edge.
#[inline(always)]
fn cubic<S: Simd, T: Real<S>>([a, b]: [T; 2], [f, g]: [T; 2], t: T) -> T {
    let rise = b - a;
    let (two, three) = (T::constant(t.simd(), 2.0), T::constant(t.simd(), 3.0));
    a + t * (f + t * ((three * rise - two * f - g) + t * (f + g - two * rise)))
}

impl CubeModel for Adini {
    /// For each axis, the cubics along the four edges parallel to the axis are blended linearly along the
    /// other two axes. The sum over all axes contains the trilinear blend of heights three times. Two of
    /// these are subtracted.
    #[inline(always)]
    fn at<S: Simd, T: Real<S>>(self, simd: S, corners: [S::u32s; 8], [x, y, z]: [T; 3]) -> T {
        let zero = T::constant(simd, 0.0);
        let (mut h, mut s) = ([zero; 8], [[zero; 3]; 8]);
        for corner in 0..8 {
            h[corner] = T::given(self.draws.height(simd, corners[corner]));
            let slopes: [S::f32s; 3] = self.draws.derivatives(simd, corners[corner]);
            s[corner] = [T::given(slopes[0]), T::given(slopes[1]), T::given(slopes[2])];
        }
        let [mut along_x, mut along_y, mut along_z, mut straight] = [[zero; 4]; 4];
        for edge in 0..4 {
            // Edges lead from corner a to a + 1 along x, to a + 2 along y and to a + 4 along z.
            let a = 2 * edge;
            along_x[edge] = cubic([h[a], h[a + 1]], [s[a][0], s[a + 1][0]], x);
            straight[edge] = between(h[a], h[a + 1], x);
            let a = edge + edge / 2 * 2;
            along_y[edge] = cubic([h[a], h[a + 2]], [s[a][1], s[a + 2][1]], y);
            let a = edge;
            along_z[edge] = cubic([h[a], h[a + 4]], [s[a][2], s[a + 4][2]], z);
        }
        let all = across(along_x, y, z) + across(along_y, x, z) + across(along_z, x, y);
        all - T::constant(simd, 2.0) * across(straight, y, z)
    }
}

/// D3M1N3 with slopes of 0.
#[derive(Clone, Copy)]
pub struct ZeroGradient {
    smoothstep: Smoothstep,
    draws: Draws,
}

impl ZeroGradient {
    /// Heights joined by this smoothstep.
    pub fn new(smoothstep: Smoothstep) -> Self {
        let order = smoothstep.order().clamp(1, LEVEL_BOUNDS.len());
        Self { smoothstep, draws: Draws::level(LEVEL_BOUNDS[order - 1]) }
    }
}

impl CubeModel for ZeroGradient {
    /// Like [`Adini`], with the smoothstep S in place of cubics. The part that is linear along an axis and
    /// the part that follows S are computed side by side, so that each edge is processed once.
    #[inline(always)]
    fn at<S: Simd, T: Real<S>>(self, simd: S, corners: [S::u32s; 8], [x, y, z]: [T; 3]) -> T {
        let Self { smoothstep: step, draws } = self;
        let (sx, sy, sz) = (step.at(x), step.at(y), step.at(z));
        let zero = T::constant(simd, 0.0);
        let (mut line, mut rest) = ([zero; 4], [zero; 4]);
        for edge in 0..4 {
            let from = T::given(draws.height(simd, corners[2 * edge]));
            let rise = T::given(draws.height(simd, corners[2 * edge + 1])) - from;
            line[edge] = from + x * rise;
            // The part that follows S, minus twice the linear part.
            rest[edge] = (sx - x) * rise - line[edge];
        }
        let (mut straight, mut other) = ([zero; 2], [zero; 2]);
        for side in 0..2 {
            let (from, rise) = (line[2 * side], line[2 * side + 1] - line[2 * side]);
            straight[side] = from + y * rise;
            other[side] = between(rest[2 * side], rest[2 * side + 1], y) + (from + sy * rise);
        }
        between(other[0], other[1], z) + between(straight[0], straight[1], sz)
    }
}

/// Heights joined by the smoothstep along the three axes.
#[derive(Clone, Copy)]
pub struct Value {
    pub smoothstep: Smoothstep,
}

impl CubeModel for Value {
    #[inline(always)]
    fn at<S: Simd, T: Real<S>>(self, simd: S, corners: [S::u32s; 8], [x, y, z]: [T; 3]) -> T {
        let draws = const { Draws::level(1.0) };
        let step = self.smoothstep;
        let sx = step.at(x);
        let mut edges = [T::constant(simd, 0.0); 4];
        for edge in 0..4 {
            let [a, b] = [corners[2 * edge], corners[2 * edge + 1]];
            edges[edge] = between(T::given(draws.height(simd, a)), T::given(draws.height(simd, b)), sx);
        }
        across(edges, step.at(y), step.at(z))
    }
}
