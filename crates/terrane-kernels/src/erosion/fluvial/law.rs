//! The law of river erosion.

use fearless_simd::prelude::*;

use crate::erosion::powers::power;
use crate::simd::{load, store};

/// The law by which a river lowers a tile: by k_e · Dⁿ · sᵐ, where k_e is the erosion factor, D the drainage
/// and s the slope.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Exponent of drainage, n.
    pub drainage: f32,
    /// Exponent of slope, m.
    pub slope: f32,
}

/// Maximum number of steps of Newton's method. The method takes 3 to 8 steps.
const NEWTON: usize = 40;

impl Law {
    /// Whether the exponents are the paper's.
    fn is_the_papers(self) -> bool {
        self.drainage == 1.0 && self.slope == 2.0
    }

    /// `factor` · Dⁿ · sᵐ.
    #[inline(always)]
    pub fn of<S: Simd>(self, simd: S, factor: S::f32s, drainage: S::f32s, slope: S::f32s) -> S::f32s {
        if self.is_the_papers() {
            return factor * drainage * (slope * slope);
        }
        let (mut d, mut s) = ([0.0; 16], [0.0; 16]);
        store(simd, drainage, &mut d);
        store(simd, slope, &mut s);
        for lane in 0..S::f32s::LEN {
            d[lane] = libm::powf(d[lane], self.drainage) * libm::powf(s[lane], self.slope);
        }
        factor * load(simd, &d)
    }

    /// The drop x that remains of a drop `z` after a tile has lost c·xᵐ: the solution of x + c·xᵐ = z. Both
    /// arguments are at least 0.
    #[inline(always)]
    pub fn remaining_drop(self, z: f32, c: f32) -> f32 {
        // For m = 2 the equation is quadratic: this is its positive root, in a form without cancellation.
        if self.slope == 2.0 { 2.0 * z / (1.0 + (1.0 + 4.0 * c * z).sqrt()) } else { self.by_newton(z, c) }
    }

    /// Solves the same equation for any exponent. Each guess lies between the previous guess and the root.
    /// For m ≥ 1 the function x + c·xᵐ − z is convex, and the first guess is above the root. For m < 1 the
    /// function is concave, and the first guess is below the root.
    #[inline(never)]
    fn by_newton(self, z: f32, c: f32) -> f32 {
        let (m, z, c) = (f64::from(self.slope), f64::from(z), f64::from(c));
        if !(c > 0.0 && z > 0.0) {
            return z as f32;
        }
        if m == 0.0 {
            return (z - c).max(0.0) as f32;
        }
        let mut x = if m >= 1.0 {
            z.min(libm::pow(z / c, 1.0 / m))
        } else {
            (0.5 * z).min(libm::pow(0.5 * z / c, 1.0 / m))
        };
        for _ in 0..NEWTON {
            if x <= 0.0 {
                return 0.0;
            }
            let lost = c * power(x, m);
            let next = x - (x + lost - z) / (1.0 + m * lost / x);
            let close = (next - x).abs() <= 1e-9 * x;
            x = next;
            if close {
                break;
            }
        }
        x.clamp(0.0, z) as f32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn remaining_drops_by_hand() {
        // 1 + 2·1² = 3. An exponent of 1 leaves a share of 1 / (1 + c). An exponent of 0 removes a fixed
        // amount.
        let law = |slope| Law { drainage: 1.0, slope };
        assert_eq!(law(2.0).remaining_drop(3.0, 2.0), 1.0);
        assert_eq!(law(1.0).remaining_drop(3.0, 2.0), 1.0);
        assert_eq!([law(0.0).remaining_drop(3.0, 2.0), law(0.0).remaining_drop(1.0, 2.0)], [1.0, 0.0]);
        // x + 2·√x = 8 at √x = 2.
        assert_eq!(law(0.5).remaining_drop(8.0, 2.0), 4.0);
    }

    proptest! {
        /// Compares with bisection, over many orders of magnitude.
        #[test]
        fn newton_agrees_with_bisection(z in -6.0f64..6.0, c in -8.0f64..8.0, m in 0.0f32..4.0) {
            let (z, c) = (libm::pow(10.0, z) as f32, libm::pow(10.0, c) as f32);
            let (mut low, mut high) = (0.0, f64::from(z));
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                let more = middle + f64::from(c) * libm::pow(middle, f64::from(m)) > f64::from(z);
                if more { high = middle } else { low = middle }
            }
            let found = f64::from(Law { drainage: 1.0, slope: m }.remaining_drop(z, c));
            prop_assert!((found - low).abs() <= 1e-6 * low + 1e-30, "{found} {low}");
        }
    }
}
