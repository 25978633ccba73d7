//! Pointwise and local reshaping of heights.

mod blur;
mod combine;
mod curve;
mod each;
mod flatten;
mod pointwise;
mod power;
mod resample;
mod select;
mod transform;

pub use blur::{blur, blur_reach, blur_with_holes, tent_means};
pub use combine::{Combination, Mode};
pub use curve::{Curve, CurveKind};
pub use each::{from_rows, samples};
pub use flatten::{flatten, flatten_samples};
pub use pointwise::{clamped, invert, inverted, remap, remapped, terraced};
pub use resample::{Filter, resample, stretch};
pub use select::{Select, in_range, quantity, selected, span};
pub use transform::{Outside, Transform, transform};
