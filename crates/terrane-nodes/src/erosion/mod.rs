//! What moves material downhill.

mod thermal_erosion;

pub use thermal_erosion::{Neighbourhood, Scheme, ThermalErosion, ThermalErosionOutputs};
