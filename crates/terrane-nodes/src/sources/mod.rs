//! Where terrain comes from.

mod constant;
mod import;
mod midpoint_displacement;
mod ramp;
mod spectral_synthesis;
mod voronoi;

pub use constant::{Constant, ConstantOutputs};
pub use import::{ByteOrder, Import, ImportOutputs};
pub use midpoint_displacement::{Border, Distribution, MidpointDisplacement, MidpointDisplacementOutputs};
pub use ramp::{Ramp, RampOutputs, RampShape};
pub use spectral_synthesis::{Interpolation, SpectralSynthesis, SpectralSynthesisOutputs};
pub use voronoi::{Metric, Rescale, Search, Voronoi, VoronoiOutputs};
