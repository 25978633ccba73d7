//! Noise whose value inside a lattice cell is a polynomial of what its four corners hold.
//!
//! At a fixed u, the value along v is a sum of a few terms, each a function of u and the corners times a function of v. So
//! on a regular grid the terms' factors are found once per column and cell row, those of v once per row, and a sample costs
//! as many multiply-adds as there are terms but one: 1 for `Value`, 2 for `ZeroGradient`, 3 for Perlin's and the cubics.

mod adini;
mod draws;
mod hermite;
mod model;
mod octave;
mod perlin;
#[cfg(test)]
mod tests;
mod value;

pub use adini::Adini;
pub use draws::Draws;
pub use hermite::{BicubicHermite, BiquinticHermite};
pub use model::Model;
pub use octave::{LatticeOctave, LatticePoints};
pub use perlin::{ExponentialPerlin, Perlin, exponential_length};
pub use value::{Value, ZeroGradient};
