//! Noise by position: values that depend only on a seed and a world position.
//!
//! ```
//! use terrane_grid::{Domain, Seed};
//! use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
//! use terrane_kernels::{ScalarMap, Silent};
//!
//! let noise = Noise {
//!     basis: Basis::ZeroGradient(Smoothstep::CUBIC),
//!     fractal: Fractal::Ridged,
//!     octaves: 8,
//!     wavelength: 500.0,
//!     lacunarity: 2.0,
//!     layout: Layout::Straight,
//! };
//! let drive = Drive { amplitude: ScalarMap::Constant(120.0), ..Drive::default() };
//! let patch = Domain::new(129, 129).with_spacing(4.0).with_origin(1.0e6, -512.0);
//! let hills = noise.heights(&patch, Seed(42), &drive, &Silent)?;
//! assert!(hills.samples().iter().all(|h| (0.0..=120.0).contains(h)));
//! # Ok::<(), terrane_kernels::noise::NoiseError>(())
//! ```

mod axis;
mod band;
mod cell;
#[cfg(test)]
mod construction;
mod error;
#[cfg(test)]
mod fixed_tests;
mod fractal;
mod frame;
mod hash;
mod lattice;
mod layout;
#[cfg(test)]
mod layout_tests;
mod normalise;
mod oblique;
mod octave;
mod parameters;
mod plane;
mod points;
mod real;
mod simplex;
mod smoothstep;
mod space;
mod spectral;
#[cfg(test)]
mod tests;
mod texture;
mod window;

pub use cell::{Cell, Cell1, Cell2, Cell3};
pub use error::NoiseError;
pub use fractal::Fractal;
pub use layout::Layout;
pub use parameters::{Basis, Drive, Noise};
pub use plane::Sloped;
pub use smoothstep::Smoothstep;
pub use spectral::{Interpolation, Spectral, spectral_synthesis};
pub use texture::{Texture, texture};
