//! Powers of many numbers at once.

/// Replaces bases by their powers. A negative base gives 0. O(samples).
///
/// Where base and power are normal numbers, the error is below 0.502 units in the last place. Elsewhere the
/// results are those of `libm`.
#[inline(always)]
pub fn powers(bases: &mut [f32], exponents: &[f32]) {
    for (bases, exponents) in bases.chunks_mut(BLOCK).zip(exponents.chunks(BLOCK)) {
        let (mut results, mut are_plain) = ([0.0; BLOCK], true);
        for ((result, &base), &exponent) in results.iter_mut().zip(&*bases).zip(exponents) {
            let power = logarithm(base) * f64::from(exponent);
            are_plain &= is_plain(base, power);
            *result = exponential(power) as f32;
        }
        if !are_plain {
            for ((result, &base), &exponent) in results.iter_mut().zip(&*bases).zip(exponents) {
                let power = logarithm(base) * f64::from(exponent);
                if !is_plain(base, power) {
                    *result = if base < 0.0 { 0.0 } else { libm::powf(base, exponent) };
                }
            }
        }
        bases.copy_from_slice(&results[..bases.len()]);
    }
}

const BLOCK: usize = 256;

/// Whether a base and two to this power are normal numbers.
#[inline(always)]
fn is_plain(base: f32, power: f64) -> bool {
    (f32::MIN_POSITIVE..=f32::MAX).contains(&base) && power.abs() < 126.0
}

/// The logarithm of a normal number to the base 2, with a relative error below 1e-12.
#[inline(always)]
fn logarithm(number: f32) -> f64 {
    // The mantissa is between the roots of 1/2 and 2.
    const ROOT: u32 = 0x3f35_04f3;
    let bits = number.to_bits().wrapping_sub(ROOT);
    let exponent = (bits as i32) >> 23;
    let mantissa = f64::from(f32::from_bits((bits & 0x007f_ffff).wrapping_add(ROOT)));
    // 2 / ln 2 · (s + s³/3 + s⁵/5 + …) with s at most 0.172.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let s2 = s * s;
    let mut sum = 1.0 / 15.0;
    for odd in [13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * s2 + 1.0 / odd;
    }
    f64::from(exponent) + std::f64::consts::LOG2_E * 2.0 * s * sum
}

/// Two to a power between -1000 and 1000, with a relative error below 1e-11.
#[inline(always)]
fn exponential(power: f64) -> f64 {
    // Adding this number rounds to a whole number, which then stands in the lowest bits.
    const WHOLE: f64 = (1u64 << 52) as f64 * 1.5;
    let rounded = power + WHOLE;
    let rest = (power - (rounded - WHOLE)) * std::f64::consts::LN_2;
    let mut sum = 1.0 / 3_628_800.0;
    for factorial in [362_880.0, 40_320.0, 5040.0, 720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0] {
        sum = sum * rest + 1.0 / factorial;
    }
    sum * f64::from_bits(rounded.to_bits().wrapping_add(1023) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_compute::simd;

    use super::*;
    use crate::dispatch;

    fn power(base: f32, exponent: f32) -> f32 {
        let mut bases = [base];
        powers(&mut bases, &[exponent]);
        bases[0]
    }

    #[test]
    fn powers_by_hand() {
        for (base, exponent, expected) in [
            (4.0, 3.0, 64.0),
            (9.0, 0.5, 3.0),
            (0.5, -2.0, 4.0),
            (10.0, 10.0, 1e10),
            (7.0, 0.0, 1.0),
            (1.0, 1e30, 1.0),
            (0.0, 2.0, 0.0),
            (0.0, 0.0, 1.0),
            (0.0, -1.0, f32::INFINITY),
            (-3.0, 2.0, 0.0),
            (8.0, 43.0, f32::INFINITY),
            (2.0, -149.0, f32::from_bits(1)),
            (f32::INFINITY, 0.5, f32::INFINITY),
            (f32::NAN, 0.0, 1.0),
        ] {
            assert_eq!(power(base, exponent), expected, "{base} {exponent}");
        }
        assert!(power(f32::NAN, 2.0).is_nan() && power(2.0, f32::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn powers_are_the_nearest_numbers(base in 0u32..0x7f80_0000, exponent in -40.0f32..40.0) {
            let base = f32::from_bits(base);
            let (found, exact) = (power(base, exponent), libm::pow(f64::from(base), f64::from(exponent)));
            let magnitude = libm::log2(exact).abs();
            if base < f32::MIN_POSITIVE || magnitude > 126.1 {
                prop_assert_eq!(found.to_bits(), libm::powf(base, exponent).to_bits());
            } else if magnitude < 125.9 {
                let unit = f64::from(found.next_up()) - f64::from(found);
                prop_assert!((f64::from(found) - exact).abs() < 0.502 * unit, "{found} {exact}");
            }
        }
    }

    #[test]
    fn every_level_has_the_same_bits() {
        let bases: Vec<f32> = (0..1000).map(|at| at as f32 * 0.37 - 5.0).collect();
        let exponents: Vec<f32> = (0..1000).map(|at| (at % 77) as f32 * 0.25 - 6.0).collect();
        let make = || {
            let mut bases = bases.clone();
            dispatch!(_ => powers(&mut bases, &exponents));
            bases.iter().map(|power| power.to_bits()).collect::<Vec<_>>()
        };
        let expected = make();
        simd::at_each_level(|level| assert_eq!(make(), expected, "{level:?}"));
    }
}
