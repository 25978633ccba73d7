//! Pointwise and local reshaping of heights.

mod blur;
mod combine;
mod curve;
mod flatten;
mod pointwise;
mod resample;
mod select;
mod transform;

pub use blur::blur;
pub use combine::{Mode, combine};
pub use curve::{Curve, CurveKind};
pub use flatten::flatten;
pub use pointwise::{clamp, invert, remap, terrace};
pub use resample::{Filter, resample, stretch};
pub use select::{Select, in_range, quantity};
pub use transform::{Outside, Transform, transform};

use rayon::prelude::*;
use terrane_grid::Heightmap;

/// Replaces every sample by `f(index, sample)`, rows in parallel.
fn each(mut map: Heightmap, f: impl Fn(usize, f32) -> f32 + Sync) -> Heightmap {
    const CHUNK: usize = 1 << 14;
    map.samples_mut().par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, samples)| {
        for (offset, sample) in samples.iter_mut().enumerate() {
            *sample = f(chunk * CHUNK + offset, *sample);
        }
    });
    map
}
