//! Noise by place: values that depend on a seed and a world position alone.

mod spectral;

pub use spectral::{Interpolation, Spectral, spectral_synthesis};
