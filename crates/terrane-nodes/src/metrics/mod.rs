//! Numbers about terrain.

mod erosion_score;
mod height_difference;
mod histogram;
mod slope_map;
mod statistics;

pub use erosion_score::{ErosionScore, ErosionScoreOutputs};
pub use height_difference::{HeightDifference, HeightDifferenceOutputs};
pub use histogram::{Histogram, HistogramOutputs};
pub use slope_map::{SlopeKind, SlopeMap, SlopeMapOutputs};
pub use statistics::{Statistics, StatisticsOutputs};
