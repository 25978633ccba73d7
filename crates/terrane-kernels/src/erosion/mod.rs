//! Erosion: what moves material downhill.

mod lanes;
mod padded;
mod thermal;

pub use thermal::{Neighbourhood, Observer, Scheme, Thermal, thermal_erosion};
