//! Numbers about terrain.

mod crest;
mod divergence;
mod fractal_dimension;
mod histogram;
mod playability;
mod roughness;
mod slope;
mod statistics;

pub use crest::Crest;
pub use divergence::{Divergence, kullback_leibler};
pub use fractal_dimension::{Boxes, FractalDimension, coastline, covered, fractal_dimension};
pub use histogram::{Histogram, histogram};
pub use playability::{Needs, Playability, largest_part, opened, playability, walkable};
pub(crate) use roughness::roughness;
pub use roughness::roughness_map;
pub use slope::{ErosionScore, SlopeKind, erosion_score, slope_map};
pub use statistics::{Difference, Statistics, height_difference, statistics};

use rayon::prelude::*;
use terrane_grid::Heightmap;

/// Folds every row by itself and then the rows in order: sums come out the same on any number of threads.
fn by_rows<T: Send>(map: &Heightmap, row: impl Fn(usize, &[f32]) -> T + Sync) -> Vec<T> {
    let width = map.width().max(1);
    map.samples()
        .par_chunks(width)
        .with_min_len(32)
        .enumerate()
        .map(|(index, samples)| row(index, samples))
        .collect()
}
