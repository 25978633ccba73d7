//! Folds over the rows of a map.

use crate::parallel::collect;
use terrane_grid::Heightmap;

/// The results of `row` for all rows, in order. Sums of these are the same on any number of threads.
pub fn by_rows<T: Send>(map: &Heightmap, row: impl Fn(usize, &[f32]) -> T + Sync) -> Vec<T> {
    let width = map.width().max(1);
    let samples = map.samples();
    collect(samples.len().div_ceil(width), 32, |index| row(index, &samples[index * width..][..width]))
}
