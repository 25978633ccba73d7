//! Nodes that generate terrain or read it from files.

mod constant;
#[cfg(test)]
mod direction_tests;
mod import;
mod midpoint_displacement;
mod noise;
mod open_simplex;
mod perlin;
mod points;
mod polynomial_noise;
mod ramp;
mod spectral_synthesis;
#[cfg(test)]
mod tests;
mod texture;
mod voronoi;

pub use constant::{Constant, ConstantOutputs};
pub use import::{ByteOrder, Import, ImportOutputs, Voids};
pub use midpoint_displacement::{MidpointDisplacement, MidpointDisplacementOutputs};
pub(crate) use noise::noise_error;
pub use open_simplex::{OpenSimplex, OpenSimplexOutputs};
pub use perlin::{Gradients, Perlin, PerlinOutputs, Smoothstep};
pub use points::{Elsewhere, Points, PointsOutputs};
pub use polynomial_noise::{Model, PolynomialNoise, PolynomialNoiseOutputs};
pub use ramp::{Ramp, RampOutputs, RampShape};
pub use spectral_synthesis::{SpectralSynthesis, SpectralSynthesisOutputs};
pub use terrane_kernels::displacement::{Boundary as Border, Distribution};
pub use terrane_kernels::noise::{Fractal, Interpolation};
pub use terrane_kernels::voronoi::{Metric, Rescale, Search};
pub use texture::{Pattern, Texture, TextureOutputs};
pub use voronoi::{Voronoi, VoronoiOutputs};

nodes! {
    SpectralSynthesis,
    MidpointDisplacement,
    Voronoi,
    Perlin,
    OpenSimplex,
    PolynomialNoise,
    Texture,
    Constant,
    Ramp,
    Import,
    Points,
}
