//! Going over all samples of a map.

use rayon::prelude::*;
use terrane_grid::Heightmap;

/// Replaces every sample by `f(index, sample)`, rows in parallel.
pub fn each(mut map: Heightmap, f: impl Fn(usize, f32) -> f32 + Sync) -> Heightmap {
    const CHUNK: usize = 1 << 14;
    map.samples_mut().par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, samples)| {
        for (offset, sample) in samples.iter_mut().enumerate() {
            *sample = f(chunk * CHUNK + offset, *sample);
        }
    });
    map
}
