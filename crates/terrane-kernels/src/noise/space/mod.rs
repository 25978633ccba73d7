//! Noise in space, sampled on a horizontal plane or on any surface `z`: for animated terrain, caves and
//! clouds.

mod cube;
mod octave;
mod perlin;
mod points;
mod polynomial;
mod simplex;
#[cfg(test)]
mod tests;

use super::error::NoiseError;
use super::hash::LatticeHash;
use super::layout::{Layout, turn};
use super::parameters::Basis;
use super::real::Depth;
use super::window::Plane;
use crate::ScalarMap;
use cube::Cube;
use octave::{SpaceFrame, SpaceModel, SpaceOctave};
use perlin::Perlin;
use polynomial::{Adini, Value, ZeroGradient};
use simplex::Simplex;

/// Fills a window whose samples are at `z` along the third axis.
pub fn fill<D: Depth>(plane: Plane<'_, D>, z: ScalarMap<'_>) -> Result<(), NoiseError> {
    let (basis, domain) = (plane.noise.basis, plane.domain);
    let turned = plane.noise.layout == Layout::Turned;
    if matches!(basis, Basis::Hermite { .. } | Basis::D2M2 { .. }) {
        return Err(NoiseError::Parameter(
            "this model has no form in space: the models with `z` are D2M1N3, ZeroGradient and Value",
        ));
    }
    plane.octaves(&|octave, hash, cell| {
        let frame = if basis == Basis::OpenSimplex {
            SpaceFrame::skewed(turned.then(|| turn(octave, 6.0)), cell, hash.shift)
        } else {
            SpaceFrame::cubes(turned.then(|| turn(octave, 4.0)), cell, hash.shift)
        };
        SpaceOctave::new(domain, z, model(basis, hash), frame)
    })
}

/// The evaluator of a basis in space.
fn model(basis: Basis, hash: LatticeHash) -> SpaceModel {
    match basis {
        Basis::Perlin(smoothstep) => {
            SpaceModel::Perlin(Cube { hash, model: Perlin { smoothstep, exponential: false } })
        }
        Basis::ExponentialPerlin(smoothstep) => {
            SpaceModel::Perlin(Cube { hash, model: Perlin { smoothstep, exponential: true } })
        }
        Basis::ZeroGradient(smoothstep) => {
            SpaceModel::ZeroGradient(Cube { hash, model: ZeroGradient::new(smoothstep) })
        }
        Basis::D2M1N3 { gradient_weight }
        | Basis::Hermite { gradient_weight }
        | Basis::D2M2 { gradient_weight } => {
            SpaceModel::Adini(Cube { hash, model: Adini::new(gradient_weight) })
        }
        Basis::Value(smoothstep) => SpaceModel::Value(Cube { hash, model: Value { smoothstep } }),
        Basis::OpenSimplex => SpaceModel::Simplex(Simplex { hash }),
    }
}
