//! Erosion: what moves material downhill.

mod padded;
mod thermal;

pub use thermal::{Neighbourhood, Observer, Scheme, Thermal, thermal_erosion};
