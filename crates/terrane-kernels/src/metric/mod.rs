//! Measurements of terrain.

mod crest;
mod curvature;
mod divergence;
mod extremes;
mod fractal_dimension;
mod histogram;
mod playability;
mod roughness;
mod rows;
mod slope;
mod statistics;

pub use crest::Crest;
pub use curvature::{Curvature, curvature, curvature_with_holes};
pub use divergence::{Divergence, kullback_leibler};
pub use extremes::extremes;
pub use fractal_dimension::{Boxes, FractalDimension, coastline, covered, fractal_dimension};
pub use histogram::{Histogram, histogram};
pub use playability::{Needs, Playability, largest_part, opened, playability, walkable};
pub use roughness::{roughness_map, roughness_with_holes};
pub use slope::{ErosionScore, SlopeKind, erosion_score, slope_map, slope_with_holes, upper_quartile};
pub use statistics::{Difference, Statistics, height_difference, statistics};
