//! The holes of a block.

use terrane_compute::dispatch;

/// Makes a hole of each sample that is one in an input, and gives all holes one form.
pub fn keep_holes<'a>(samples: &mut [f32], inputs: impl Iterator<Item = &'a [f32]>, holes: &mut [bool]) {
    dispatch!(_ => find_holes(samples, holes));
    for input in inputs {
        dispatch!(_ => add_holes(input, holes));
    }
    dispatch!(_ => write_holes(samples, holes));
}

#[inline(always)]
fn find_holes(samples: &[f32], holes: &mut [bool]) {
    for (hole, sample) in holes.iter_mut().zip(samples) {
        *hole = sample.is_nan();
    }
}

#[inline(always)]
fn add_holes(samples: &[f32], holes: &mut [bool]) {
    for (hole, sample) in holes.iter_mut().zip(samples) {
        *hole |= sample.is_nan();
    }
}

#[inline(always)]
fn write_holes(samples: &mut [f32], holes: &[bool]) {
    for (sample, &hole) in samples.iter_mut().zip(holes) {
        *sample = if hole { f32::NAN } else { *sample };
    }
}
