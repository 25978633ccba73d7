//! Polynomials that rise from 0 to 1 and are flat at both ends.

use fearless_simd::{Fallback, prelude::*};

use super::real::{Dual, Real};

/// The maximum number of derivatives that may vanish at the ends.
const MOST: usize = 6;

/// The polynomial of degree 2n + 1 from 0 to 1 whose first n derivatives vanish at both ends, for n from 0
/// to 6: tⁿ⁺¹ · Σₖ C(n + k, k) · C(2n + 1, n − k) · (−t)ᵏ.
///
/// n = 1 yields Perlin's cubic 3t² − 2t³, n = 2 Perlin's quintic 6t⁵ − 15t⁴ + 10t³ ("Improving noise", 2002).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smoothstep {
    /// Number of derivatives that vanish.
    order: usize,
    /// Coefficients of tⁿ⁺¹, tⁿ⁺², ….
    factors: [f32; MOST + 1],
}

impl Smoothstep {
    /// 3t² − 2t³.
    pub const CUBIC: Self = Self::of_order(1);

    /// 6t⁵ − 15t⁴ + 10t³.
    pub const QUINTIC: Self = Self::of_order(2);

    /// The smoothstep with `order` vanishing derivatives.
    ///
    /// # Panics
    /// If `order` is more than 6.
    #[must_use]
    pub const fn of_order(order: usize) -> Self {
        assert!(order <= MOST, "a smoothstep has at most 6 vanishing derivatives");
        let mut factors = [0.0; MOST + 1];
        let mut k = 0;
        while k <= order {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            // Integers below 2²⁴ are exact.
            factors[k] = sign * (binomial(order + k, k) * binomial(2 * order + 1, order - k)) as f32;
            k += 1;
        }
        Self { order, factors }
    }

    /// The number of derivatives that vanish at the ends.
    #[must_use]
    pub const fn order(&self) -> usize {
        self.order
    }

    /// The value at `t` in [0, 1].
    #[inline(always)]
    pub(super) fn at<S: Simd, T: Real<S>>(&self, t: T) -> T {
        self.with_order(self.order, t)
    }

    /// The value at a single position.
    pub(super) fn at_one(&self, t: f32) -> f32 {
        self.at(Dual::<0, _>::constant(Fallback::new(), t)).value[0]
    }

    /// The value at `t` for an order known at compile time, so that loops over terms unroll.
    #[inline(always)]
    pub(super) fn with_order<S: Simd, T: Real<S>>(&self, order: usize, t: T) -> T {
        let mut sum = T::constant(t.simd(), self.factors[order]);
        for k in (0..order).rev() {
            sum = sum * t + T::constant(t.simd(), self.factors[k]);
        }
        for _ in 0..=order {
            sum = sum * t;
        }
        sum
    }
}

const fn binomial(n: usize, k: usize) -> u32 {
    let (mut result, mut i) = (1u64, 0);
    while i < k {
        result = result * (n - i) as u64 / (i + 1) as u64;
        i += 1;
    }
    result as u32
}

#[cfg(test)]
mod tests {
    use fearless_simd::f32x4;

    use super::super::real::{Group, Stored};
    use super::*;

    impl Smoothstep {
        /// The slope at a single position.
        fn slope(&self, t: f32) -> f32 {
            let t = f32x4::splat(Fallback::new(), t);
            Group::first(self.at(Dual::<1, Fallback>::along(0, t))).1[0]
        }
    }

    #[test]
    fn the_known_ones() {
        for i in 0..=16 {
            let t = i as f32 / 16.0;
            assert!((Smoothstep::CUBIC.at_one(t) - t * t * (3.0 - 2.0 * t)).abs() < 1e-6);
            let quintic = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
            assert!((Smoothstep::QUINTIC.at_one(t) - quintic).abs() < 1e-6);
            assert_eq!(Smoothstep::of_order(0).at_one(t), t);
        }
    }

    #[test]
    fn ends_are_met_and_flat_and_halves_mirror() {
        for order in 1..=MOST {
            let s = Smoothstep::of_order(order);
            for (t, value) in [(0.0, 0.0), (1.0, 1.0), (0.5, 0.5)] {
                assert!((s.at_one(t) - value).abs() < 2e-4, "{order} {t}: {}", s.at_one(t));
            }
            assert!(s.slope(0.0).abs() < 1e-6);
            assert!(s.slope(1.0).abs() < 2e-2, "{order}");
            for i in 0..32 {
                let t = i as f32 / 32.0;
                assert!((s.at_one(t) + s.at_one(1.0 - t) - 1.0).abs() < 2e-3);
                assert!(s.at_one(t) <= s.at_one(t + 1.0 / 32.0) + 2e-3);
            }
        }
    }
}
