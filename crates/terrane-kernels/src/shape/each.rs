//! Iteration over all samples of a map.

use crate::parallel::{for_each, slices};
use terrane_grid::Heightmap;

/// Replaces every sample by `f(index, sample)`, in parallel.
pub fn each(mut map: Heightmap, f: impl Fn(usize, f32) -> f32 + Sync) -> Heightmap {
    const CHUNK: usize = 1 << 14;
    for_each(slices(map.samples_mut(), CHUNK), 1, |chunk, samples| {
        for (offset, sample) in samples.iter_mut().enumerate() {
            *sample = f(chunk * CHUNK + offset, *sample);
        }
    });
    map
}
