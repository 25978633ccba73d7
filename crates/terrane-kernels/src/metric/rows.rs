//! Going over the rows of a map.

use rayon::prelude::*;
use terrane_grid::Heightmap;

/// Folds every row by itself and then the rows in order: sums come out the same on any number of threads.
pub fn by_rows<T: Send>(map: &Heightmap, row: impl Fn(usize, &[f32]) -> T + Sync) -> Vec<T> {
    let width = map.width().max(1);
    map.samples()
        .par_chunks(width)
        .with_min_len(32)
        .enumerate()
        .map(|(index, samples)| row(index, samples))
        .collect()
}
