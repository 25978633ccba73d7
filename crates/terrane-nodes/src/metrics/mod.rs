//! Metrics: nodes that measure terrain.

mod constraint_report;
mod curvature;
mod drainage_density;
mod earth_movers_distance;
mod erosion_score;
mod fractal_dimension;
mod height_difference;
mod histogram;
mod kullback_leibler;
mod playability;
mod roughness;
mod sinusoids;
mod slope_map;
mod statistics;

pub use constraint_report::{ConstraintReport, ConstraintReportOutputs};
pub use curvature::{Curvature, CurvatureOutputs};
pub use drainage_density::{DrainageDensity, DrainageDensityOutputs};
pub use earth_movers_distance::{EarthMoversDistance, EarthMoversDistanceOutputs};
pub use erosion_score::{ErosionScore, ErosionScoreOutputs};
pub use fractal_dimension::{FractalDimension, FractalDimensionOutputs};
pub use height_difference::{HeightDifference, HeightDifferenceOutputs};
pub use histogram::{Histogram, HistogramOutputs};
pub use kullback_leibler::{KullbackLeibler, KullbackLeiblerOutputs, Quantity};
pub use playability::{Playability, PlayabilityOutputs};
pub use roughness::{Roughness, RoughnessOutputs};
pub use sinusoids::{Sinusoids, SinusoidsOutputs};
pub use slope_map::{SlopeMap, SlopeMapOutputs};
pub use statistics::{Statistics, StatisticsOutputs};
pub use terrane_kernels::metric::SlopeKind;

nodes! {
    SlopeMap,
    Curvature,
    Roughness,
    ErosionScore,
    HeightDifference,
    Statistics,
    Histogram,
    FractalDimension,
    Sinusoids,
    KullbackLeibler,
    Playability,
    DrainageDensity,
    EarthMoversDistance,
    ConstraintReport,
}
