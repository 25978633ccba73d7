//! Noise by place: values that depend on a seed and a world position alone.

mod axis;
mod band;
mod cell;
#[cfg(test)]
mod construction;
mod fractal;
mod hash;
mod lattice;
mod octave;
mod plane;
mod real;
mod simplex;
mod smoothstep;
mod spectral;
#[cfg(test)]
mod tests;
mod texture;
mod volume;

pub use cell::{Cell, Cell1, Cell2, Cell3};
pub use fractal::Fractal;
pub use plane::{Basis, Drive, Noise, NoiseError, Sloped};
pub use smoothstep::Smoothstep;
pub use spectral::{Interpolation, Spectral, spectral_synthesis};
pub use texture::{Texture, texture};
pub use volume::Volume;
