//! Powers with the exponents of river laws.

/// `x` to the power of `exponent`. Halves, which most laws have, take no logarithm.
#[inline]
pub fn power(x: f64, exponent: f64) -> f64 {
    match exponent {
        0.5 => x.sqrt(),
        1.0 => x,
        1.5 => x * x.sqrt(),
        2.0 => x * x,
        3.0 => x * x * x,
        _ => libm::pow(x, exponent),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn halves_are_powers(
            x in prop_oneof![0.0f64..10.0, 1.0e-30f64..1.0e30],
            exponent in prop_oneof![Just(0.5), Just(1.0), Just(1.5), Just(2.0), Just(3.0), 0.1f64..8.0],
        ) {
            let (found, exact) = (power(x, exponent), libm::pow(x, exponent));
            prop_assert!(found == exact || (found - exact).abs() <= 1e-15 * exact, "{found} {exact}");
        }
    }
}
