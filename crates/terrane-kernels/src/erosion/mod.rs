//! Erosion: what moves material downhill.

mod lanes;
mod neighbourhood;
mod padded;
mod scan;
mod thermal;

pub use neighbourhood::Neighbourhood;
use padded::WALL;
pub use thermal::{Observer, Scheme, Thermal, talus_excess, thermal_erosion};
