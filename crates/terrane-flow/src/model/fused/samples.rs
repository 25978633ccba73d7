//! What the samples of a block are checked for.

use terrane_compute::dispatch;

/// Makes a hole of each sample that is one in an input, and gives all holes one form.
pub fn keep_holes<'a>(samples: &mut [f32], inputs: impl Iterator<Item = &'a [f32]>, holes: &mut [bool]) {
    dispatch!(_ => {
        for (hole, sample) in holes.iter_mut().zip(&*samples) {
            *hole = sample.is_nan();
        }
        for input in inputs {
            for (hole, sample) in holes.iter_mut().zip(input) {
                *hole |= sample.is_nan();
            }
        }
        for (sample, &hole) in samples.iter_mut().zip(&*holes) {
            *sample = if hole { f32::NAN } else { *sample };
        }
    });
}

/// The number of samples that are not finite. `holes`: not-a-numbers are holes and do not count.
pub fn not_finite(samples: &[f32], holes: bool) -> u64 {
    samples.iter().filter(|sample| !(sample.is_finite() || holes && sample.is_nan())).count() as u64
}

/// Whether [`not_finite`] is above 0.
pub fn has_infinite(samples: &[f32], holes: bool) -> bool {
    const INFINITE: u32 = 0x7f80_0000;
    let magnitude = |sample: &f32| sample.to_bits() & !(1 << 31);
    let largest = dispatch!(_ => samples.iter().fold(0, |largest, sample| magnitude(sample).max(largest)));
    largest >= INFINITE && not_finite(samples, holes) > 0
}
