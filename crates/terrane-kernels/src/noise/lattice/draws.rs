//! Random values of a corner.

use fearless_simd::prelude::*;

use crate::noise::hash::{Uniform, next};

/// Random heights and derivatives of corners.
#[derive(Clone, Copy, Debug)]
pub struct Draws {
    height: Uniform,
    derivative: Uniform,
}

impl Draws {
    /// Draws heights and derivatives such that the noise fills [−1, 1]. Derivatives per cell side are up to
    /// `weight` times the maximum height. `heights` is the maximum of noise whose heights lie within [−1, 1]
    /// and whose derivatives are 0. `derivatives` is the maximum of noise whose heights are 0 and whose
    /// derivatives lie within [−1, 1].
    pub fn new(weight: f32, heights: f32, derivatives: f32) -> Self {
        let bound = heights + derivatives * weight;
        Self { height: Uniform::within(1.0 / bound), derivative: Uniform::within(weight / bound) }
    }

    /// Draws heights alone, such that the noise fills [−1, 1]. `heights` is the maximum of noise whose
    /// heights lie within [−1, 1].
    pub const fn level(heights: f32) -> Self {
        Self { height: Uniform::within(1.0 / heights), derivative: Uniform::within(0.0) }
    }

    /// The height that these bits encode.
    #[inline(always)]
    pub fn height<S: Simd>(self, simd: S, bits: S::u32s) -> S::f32s {
        self.height.of(simd, bits)
    }

    /// The derivatives, from the random numbers that follow these bits.
    #[inline(always)]
    pub fn derivatives<const N: usize, S: Simd>(self, simd: S, mut bits: S::u32s) -> [S::f32s; N] {
        let mut derivatives = [S::f32s::splat(simd, 0.0); N];
        for derivative in &mut derivatives {
            bits = next(simd, bits);
            *derivative = self.derivative.of(simd, bits);
        }
        derivatives
    }
}
