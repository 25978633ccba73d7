//! The stream power law, solved implicitly for one sample.

use crate::erosion::powers::power;

/// The height after a step of a sample that was at `raised` and drains to `below`: the h with h = raised −
/// factor·(h − below)ⁿ. Where the water ends above the sample, as in a lake, the height does not change.
pub(super) fn worn(raised: f64, below: f64, factor: f64, n: f64) -> f64 {
    let drop = raised - below;
    if drop <= 0.0 {
        raised
    } else if n == 1.0 {
        below + drop / (1.0 + factor)
    } else {
        below + drop * share(factor * power(drop, n - 1.0), n)
    }
}

/// The share y of a drop that remains: y + a·yⁿ = 1, by Newton's method. For n above 1 the left side is
/// convex, and the iteration descends from an upper bound; otherwise it is concave, and the iteration
/// ascends from a lower bound.
fn share(a: f64, n: f64) -> f64 {
    // Powers of larger numbers overflow.
    let a = a.min(1.0e300);
    if n == 2.0 {
        // The positive root, in a form without cancellation.
        return 2.0 / (1.0 + (1.0 + 4.0 * a).sqrt());
    }
    let mut y = if n > 1.0 {
        libm::pow(a, -1.0 / n).min(1.0)
    } else {
        libm::pow(2.0 * a, -1.0 / n).min(0.5).max(1.0 - a)
    };
    // At most 7 iterations are needed for exponents from 0.5 to 2, and 40 for the others.
    for _ in 0..64 {
        if y <= 0.0 {
            return 0.0;
        }
        let carried = a * power(y, n);
        let step = (y + carried - 1.0) / (1.0 + n * carried / y);
        y -= step;
        if step.abs() <= 1.0e-14 * y {
            break;
        }
    }
    y.clamp(0.0, 1.0)
}

/// A height as a number in single precision and the remainder that this drops.
pub(super) fn split(height: f64) -> (f32, f32) {
    let whole = height as f32;
    let remainder = height - f64::from(whole);
    (whole, if remainder.is_finite() { remainder as f32 } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_square_by_hand() {
        // h = 12 − 0.5·(h − 6)², so h = 8.605551: half of √52, plus 5.
        assert!((worn(12.0, 6.0, 0.5, 2.0) - (5.0 + 13.0f64.sqrt())).abs() < 1e-12);
        assert_eq!(worn(12.0, 6.0, 2.0, 1.0), 8.0);
        assert_eq!(worn(5.0, 6.0, 2.0, 1.0), 5.0);
        assert_eq!(worn(5.0, 6.0, 2.0, 2.0), 5.0);
    }

    proptest! {
        #[test]
        fn the_law_holds(drop in 1.0e-6f64..1.0e4, factor in 0.0f64..1.0e6, n in 0.05f64..8.0) {
            let h = worn(drop, 0.0, factor, n);
            prop_assert!((0.0..=drop).contains(&h));
            let found = h + factor * libm::pow(h, n);
            prop_assert!((found - drop).abs() <= 1.0e-9 * drop || h < 1.0e-300, "{found} {drop}");
        }

        #[test]
        fn extremes_stay_inside(drop in 1.0e-30f64..1.0e38, factor in 0.0f64..3.0e38, n in 1.0e-3f64..8.0) {
            let h = worn(drop, 0.0, factor, n);
            prop_assert!((0.0..=drop).contains(&h));
        }
    }
}
