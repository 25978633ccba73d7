//! Noise whose value inside a lattice cell is a polynomial of its four corners' values.
//!
//! At a fixed u, the value along v is a sum of a few terms, each a function of u and the corners times a
//! function of v. So on a regular grid the terms' factors are computed once per column and cell row, those
//! of v once per row, and a sample costs one multiply-add fewer than there are terms: 1 for `Value`, 2 for
//! `ZeroGradient`, 3 for Perlin's and the cubics.

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
