//! Noise with random heights and zero slopes at the corners of cells.

use fearless_simd::prelude::*;

use super::super::hash::Uniform;
use super::super::real::Real;
use super::model::{Corners, MOST_TERMS, Model, terms};

/// D2M1N3 with zero slopes at the corners (Thorimbert & Chopard 2018, section 3.3, equation 19 with its last
/// sign corrected).
///
/// Let S be the smoothstep, Δu = h₁₀ − h₀₀, Δv = h₀₁ − h₀₀ and A = h₀₀ + h₁₁ − h₁₀ − h₀₁ for the heights h at
/// the corners. The noise at (u, v) is h₀₀ + S(u)Δu + S(v)Δv + A·(S(u)v + S(v)u − uv).
///
/// The noise is continuous. Across an edge along v its slope jumps by ΔA·(S(v) − v), where ΔA is the
/// difference of A between both cells. With the cubic smoothstep the jump is at most 0.0963 ΔA.
#[derive(Clone, Copy, Debug)]
pub struct ZeroGradient {
    height: Uniform,
}

impl ZeroGradient {
    /// Maximum magnitude of the noise for corners within [−1, 1], for each order of the smoothstep. It is
    /// just over 1, since near a corner the opposite corner has a small negative share.
    const BOUNDS: [f32; 7] = [1.0, 1.009_766, 1.033_825, 1.056_53, 1.076_103, 1.092_923, 1.107_522];

    /// Scales heights so that noise with a smoothstep of this order fills [−1, 1].
    pub fn new(order: usize) -> Self {
        Self { height: Uniform::within(1.0 / Self::BOUNDS[order]) }
    }
}

/// Value noise: heights joined by the smoothstep along both axes. With the cubic smoothstep the noise's slope
/// is continuous.
#[derive(Clone, Copy, Debug)]
pub struct Value;

/// Δu = h₁₀ − h₀₀, Δv = h₀₁ − h₀₀ and A = h₀₀ + h₁₁ − h₁₀ − h₀₁.
#[inline(always)]
fn differences<S: Simd, T: Real<S>>([[h00, h10], [h01, h11]]: Corners<S::f32s>) -> (T, T, T) {
    let (dx, dy) = (h10 - h00, h01 - h00);
    (T::given(dx), T::given(dy), T::given((h11 - h01) - dx))
}

impl Model for ZeroGradient {
    type Corner<S: Simd> = S::f32s;
    const TERMS: usize = 3;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> S::f32s {
        self.height.of(simd, bits)
    }

    /// The value is [h₀₀ + S(u)Δu] + S(v)·[Δv + Au] + v·[A(S(u) − u)]. Brackets enclose the factors at u.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(self, corners: Corners<S::f32s>, u: T, su: T) -> [T; MOST_TERMS] {
        let (h, (dx, dy, a)) = (T::given(corners[0][0]), differences(corners));
        terms([h + su * dx, dy + a * u, a * (su - u)])
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, v: T, sv: T) -> [T; MOST_TERMS] {
        terms([T::constant(sv.simd(), 1.0), sv, v])
    }
}

impl Model for Value {
    type Corner<S: Simd> = S::f32s;
    const TERMS: usize = 2;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<S: Simd>(self, simd: S, bits: S::u32s) -> S::f32s {
        const { Uniform::within(1.0) }.of(simd, bits)
    }

    /// The value is [h₀₀ + S(u)Δu] + S(v)·[Δv + S(u)A]. Brackets enclose the factors at u.
    #[inline(always)]
    fn column<S: Simd, T: Real<S>>(self, corners: Corners<S::f32s>, _: T, su: T) -> [T; MOST_TERMS] {
        let (h, (dx, dy, a)) = (T::given(corners[0][0]), differences(corners));
        terms([h + su * dx, dy + su * a])
    }

    #[inline(always)]
    fn row<S: Simd, T: Real<S>>(self, _: T, sv: T) -> [T; MOST_TERMS] {
        terms([T::constant(sv.simd(), 1.0), sv])
    }
}
