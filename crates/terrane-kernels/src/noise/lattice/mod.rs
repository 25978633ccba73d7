//! Noise whose value inside a lattice cell is a polynomial of the values at the cell's four corners.
//!
//! Let (u, v) be the position in the cell. The value is a sum of a few terms. Each term is a product of two
//! factors: one depends on u and the corners, the other on v alone. On a regular grid the first factors are
//! therefore computed once per column of samples in each row of cells. The second factors are computed once
//! per row of samples. The first term has no second factor, so a sample costs one multiply-add fewer than
//! there are terms: 1 for `Value`, 2 for `ZeroGradient`, 3 for Perlin's noise and the cubics, 5 for
//! `BiquinticHermite`.

mod adini;
mod any;
mod draws;
mod hermite;
mod model;
mod octave;
mod perlin;
mod points;
mod table;
#[cfg(test)]
mod tests;
mod value;

pub use adini::Adini;
pub(super) use any::with_each;
pub use any::{AnyModel, AnyPoints};
pub use draws::Draws;
pub use hermite::{BicubicHermite, BiquinticHermite};
pub use model::MOST_TERMS;
pub use octave::LatticeOctave;
pub use perlin::{ExponentialPerlin, Perlin, exponential_length};
pub use value::{Value, ZeroGradient};
