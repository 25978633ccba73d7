//! Random heights at the corners, with zero slopes there.

use super::super::hash::Uniform;
use super::super::real::Real;
use super::model::{Corners, MOST_TERMS, Model, none};
use crate::simd::Floats;

/// D2M1N3 with zero slopes at the corners (Thorimbert & Chopard 2018, section 3.3, equation 19 with its last
/// sign corrected): h₀₀ + S(u)Δu + S(v)Δv + A·(S(u)v + S(v)u − uv).
///
/// Continuous. Across an edge its slope jumps by ΔA·(S(v) − v), where ΔA is the difference between both
/// cells' A: at most 0.0963 ΔA with the cubic smoothstep.
#[derive(Clone, Copy, Debug)]
pub struct ZeroGradient {
    height: Uniform,
}

impl ZeroGradient {
    /// Maximum magnitude for corners within [−1, 1], by the smoothstep's order: just over 1, since near a
    /// corner the opposite one has a small negative share.
    const BOUNDS: [f32; 7] = [1.0, 1.009_766, 1.033_825, 1.056_53, 1.076_103, 1.092_923, 1.107_522];

    /// Heights scaled so that noise with a smoothstep of that order fills [−1, 1].
    pub fn new(order: usize) -> Self {
        Self { height: Uniform::within(1.0 / Self::BOUNDS[order]) }
    }
}

/// Value noise: heights joined by the smoothstep along both axes. With the cubic its slope is continuous.
#[derive(Clone, Copy, Debug)]
pub struct Value;

/// h₁₀ − h₀₀, h₀₁ − h₀₀ and h₀₀ + h₁₁ − h₁₀ − h₀₁.
#[inline(always)]
fn differences<T: Real>([[h00, h10], [h01, h11]]: Corners<T::Lanes>) -> (T, T, T) {
    let (dx, dy) = (h10 - h00, h01 - h00);
    (T::given(dx), T::given(dy), T::given((h11 - h01) - dx))
}

impl Model for ZeroGradient {
    type Corner<F: Floats> = F;
    const TERMS: usize = 3;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<F: Floats>(self, bits: F::Bits) -> F {
        self.height.of(bits)
    }

    /// [h₀₀ + S(u)Δu] + S(v)·[Δv + Au] + v·[A(S(u) − u)].
    #[inline(always)]
    fn column<T: Real>(self, corners: Corners<T::Lanes>, u: T, su: T) -> [T; MOST_TERMS] {
        let (h, (dx, dy, a)) = (T::given(corners[0][0]), differences(corners));
        [h + su * dx, dy + a * u, a * (su - u), none(), none(), none()]
    }

    #[inline(always)]
    fn row<T: Real>(self, v: T, sv: T) -> [T; MOST_TERMS] {
        [T::constant(1.0), sv, v, none(), none(), none()]
    }
}

impl Model for Value {
    type Corner<F: Floats> = F;
    const TERMS: usize = 2;
    const SMOOTHED: bool = true;

    #[inline(always)]
    fn corner<F: Floats>(self, bits: F::Bits) -> F {
        const { Uniform::within(1.0) }.of(bits)
    }

    /// [h₀₀ + S(u)Δu] + S(v)·[Δv + S(u)A].
    #[inline(always)]
    fn column<T: Real>(self, corners: Corners<T::Lanes>, _: T, su: T) -> [T; MOST_TERMS] {
        let (h, (dx, dy, a)) = (T::given(corners[0][0]), differences(corners));
        [h + su * dx, dy + su * a, none(), none(), none(), none()]
    }

    #[inline(always)]
    fn row<T: Real>(self, _: T, sv: T) -> [T; MOST_TERMS] {
        [T::constant(1.0), sv, none(), none(), none(), none()]
    }
}
