//! The noise of Thorimbert & Chopard.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Node};
use terrane_kernels::noise::Basis;

use super::noise::noise_node;
use super::perlin::Smoothstep;
use crate::values::Map;

/// What a lattice point holds, and how the points are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Model {
    /// Heights and slopes, joined by the paper's cubic. Continuous; across the edges of cells the slope
    /// jumps.
    D2M1N3,
    /// Heights, level at every lattice point: the least work. Continuous; across an edge the slope jumps by
    /// at most 0.0963 of the difference between both cells' h00 + h11 - h10 - h01, which curvatures show.
    ZeroGradient,
    /// Heights joined by the smoothstep along both axes (value noise), as fast as `ZeroGradient`. The slope
    /// is continuous; the rectangles that ridged noise shows are the same.
    Value,
    /// Heights, slopes and mixed derivatives, joined by the bicubic. The slope is continuous.
    Hermite,
    /// First and second derivatives, joined by polynomials of degree 5, the least that can meet them (the
    /// paper's degree 4 cannot). Slope and second derivative are continuous.
    D2M2,
}

noise_node! {
    /// Polynomial noise: random heights, and slopes, at the points of a lattice, joined by polynomials, in
    /// octaves.
    ///
    /// The zero-gradient model looks like Perlin noise for less work, but is not held at its middle height at
    /// lattice points. The models differ in what a lattice point holds and how smooth the joints are.
    ///
    /// `gradient_weight` is the greatest slope of a lattice point, per cell side, over its octave's greatest
    /// height, so that with a persistence of 1 / lacunarity world slopes are the same in each octave, as the
    /// paper wants; its w is 0.01. Where slopes count, heights are scaled down to keep to [0, 1].
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill it. This is what the lowest
    /// and the highest sample of a map are at the defaults, over eight wavelengths a side and on average; in
    /// brackets, the lowest and the highest of 20 such maps. `normalise` brings each map to 0 to `amplitude`.
    ///
    /// | model | `Fbm` | `Ridged` |
    /// |---|---|---|
    /// | `D2M1N3` | 0.14 to 0.86 (0.11 to 0.89) | 0.00 to 0.95 (0.00 to 0.96) |
    /// | `ZeroGradient` | 0.14 to 0.87 (0.11 to 0.90) | 0.00 to 0.95 (0.00 to 0.96) |
    /// | `Value` | 0.13 to 0.87 (0.10 to 0.90) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `Hermite` | 0.14 to 0.87 (0.11 to 0.90) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `D2M2` | 0.12 to 0.88 (0.09 to 0.91) | 0.00 to 0.95 (0.00 to 0.97) |
    ///
    /// | model | `Billow` | `Turbulence` |
    /// |---|---|---|
    /// | `D2M1N3` | 0.04 to 0.95 (0.03 to 0.98) | 0.02 to 0.82 (0.02 to 0.89) |
    /// | `ZeroGradient` | 0.04 to 0.95 (0.04 to 0.98) | 0.02 to 0.82 (0.02 to 0.90) |
    /// | `Value` | 0.04 to 0.95 (0.03 to 0.98) | 0.02 to 0.83 (0.02 to 0.91) |
    /// | `Hermite` | 0.04 to 0.95 (0.03 to 0.98) | 0.02 to 0.82 (0.02 to 0.90) |
    /// | `D2M2` | 0.05 to 0.96 (0.03 to 0.98) | 0.03 to 0.85 (0.02 to 0.92) |
    ///
    /// Heights at the points of square cells make rectangles along the axes, which the crests of ridged noise
    /// follow, in `Value` as in `ZeroGradient`. `rotate` turns each octave's cells by an angle of its own: no
    /// rectangles are left, for a quarter to an eighth of the speed. `wrap` makes the map tile with itself.
    ///
    /// With `z` the models are those of cubes: `D2M1N3` is the paper's D3M1N3, `ZeroGradient` the same with
    /// slopes of 0. `Hermite` and `D2M2` have no form in space.
    ///
    /// Unless `wrap` or `normalise` is set, heights depend on the world position and the seed alone: patches
    /// meet to the bit. `persistence` and `amplitude` take a map as well as a number; `warp_x` and `warp_y`
    /// move every sample before noise is read there.
    ///
    /// # Example
    ///
    /// ```ron
    /// Graph(
    ///     size: (129, 129), spacing: 4.0, seed: 7,
    ///     nodes: {
    ///         "noise": PolynomialNoise(model: Hermite, gradient_weight: 2.0, octaves: 6, amplitude: 150.0),
    ///     },
    ///     outputs: { "noise.png": "noise" },
    /// )
    /// ```
    #[derive(Clone, Debug, Node)]
    #[node(category = "sources", tiles = Pointwise, version = 2, paper = "Thorimbert & Chopard 2018, \
        sections 2 and 3", header)]
    pub struct PolynomialNoise {
        /// What a lattice point holds, and how the points are joined.
        #[param(default = Model::ZeroGradient)]
        pub model: Model,
        /// What joins the points of `ZeroGradient` and `Value`.
        #[param(default = Smoothstep::Cubic)]
        pub smoothstep: Smoothstep,
        /// Greatest slope of a lattice point over its greatest height, in `D2M1N3`, `Hermite` and `D2M2`.
        #[param(default = 0.01, min = 0.0, max = 1000.0, unit = "per cell side")]
        pub gradient_weight: f64,
    }
    basis: |node| {
        let gradient_weight = node.gradient_weight as f32;
        match node.model {
            Model::D2M1N3 => Basis::D2M1N3 { gradient_weight },
            Model::ZeroGradient => Basis::ZeroGradient(node.smoothstep.kernel()),
            Model::Value => Basis::Value(node.smoothstep.kernel()),
            Model::Hermite => Basis::Hermite { gradient_weight },
            Model::D2M2 => Basis::D2M2 { gradient_weight },
        }
    }
}
