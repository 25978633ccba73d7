//! Whether samples are finite.

/// The bits of the magnitude of an infinite number. Those of a not-a-number are more.
const INFINITE: u32 = 0x7f80_0000;

/// Whether a sample is not a number.
#[must_use]
pub fn has_hole(samples: &[f32]) -> bool {
    dispatch!(_ => largest(samples)) > INFINITE
}

/// The number of samples that are not finite. `holes`: those that are not numbers are holes, and do not
/// count.
#[must_use]
pub fn not_finite(samples: &[f32], holes: bool) -> usize {
    // Nearly always all samples are finite, which is faster to find out.
    if dispatch!(_ => largest(samples)) < INFINITE {
        return 0;
    }
    samples.iter().filter(|sample| !(sample.is_finite() || holes && sample.is_nan())).count()
}

/// The bits of the largest magnitude.
#[inline(always)]
fn largest(samples: &[f32]) -> u32 {
    let mut largest = 0;
    for sample in samples {
        largest = largest.max(sample.to_bits() & !(1 << 31));
    }
    largest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sample_among_others_is_found_wherever_it_is() {
        for count in [0, 1, 31, 32, 33, 100] {
            let samples = vec![f32::MAX; count];
            assert!(!has_hole(&samples) && not_finite(&samples, false) == 0);
            for at in 0..count {
                for (odd, hole) in [(f32::NAN, true), (-f32::NAN, true), (f32::NEG_INFINITY, false)] {
                    let mut samples = samples.clone();
                    samples[at] = odd;
                    assert_eq!(has_hole(&samples), hole);
                    assert_eq!(not_finite(&samples, false), 1);
                    assert_eq!(not_finite(&samples, true), usize::from(!hole));
                }
            }
        }
    }
}
