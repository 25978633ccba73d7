//! Polynomial noise after Thorimbert & Chopard.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Node};
use terrane_kernels::noise::Basis;

use super::noise::noise_node;
use super::perlin::Smoothstep;
use crate::values::Map;

/// Values at lattice points, and the polynomial that interpolates them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Model {
    /// Heights and slopes, interpolated by the paper's cubic. The noise is continuous, but its slope jumps
    /// across the edges of cells.
    D2M1N3,
    /// Heights with zero slope at every lattice point. The noise is continuous, but its slope jumps across
    /// the edges of cells. The jump is visible in a map of curvature. Let A be h00 + h11 - h10 - h01, where
    /// h00 to h11 are the heights at a cell's corners. With the cubic smoothstep, the jump is at most 0.0963
    /// times the difference of A between both cells.
    ZeroGradient,
    /// Heights interpolated by the smoothstep along both axes (value noise); the cheapest model. The slope is
    /// continuous.
    Value,
    /// Heights, slopes and mixed derivatives, interpolated by the bicubic. The slope is continuous.
    Hermite,
    /// Heights, first and second derivatives, interpolated by polynomials of degree 5. This is the lowest
    /// degree that can match them; the paper's degree 4 cannot. The slope and the second derivative are
    /// continuous.
    D2M2,
}

noise_node! {
    /// Polynomial noise in octaves: random heights, and in some models slopes, at the points of a lattice,
    /// interpolated by polynomials.
    ///
    /// The zero-gradient model looks like Perlin noise and is cheaper. Its lattice points have random
    /// heights, while those of Perlin noise all have the middle height. The models differ in the values at
    /// lattice points and in their smoothness.
    ///
    /// At a lattice point the slope is at most `gradient_weight` times the octave's maximum height, per cell
    /// side. With a persistence of 1 / lacunarity, world slopes are therefore the same in each
    /// octave, as the paper requires. In the paper `gradient_weight` is called w and is 0.01. Models with
    /// slopes are scaled down to stay within [0, 1].
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill that range. The table shows
    /// the lowest and the highest sample of a map with default parameters and eight wavelengths per side: the
    /// mean over 20 maps and, in brackets, their extremes. `normalise` stretches each map to the range from 0
    /// to `amplitude`.
    ///
    /// | model | `Fbm` | `Ridged` |
    /// |---|---|---|
    /// | `D2M1N3` | 0.14 to 0.86 (0.11 to 0.89) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `ZeroGradient` | 0.14 to 0.87 (0.11 to 0.90) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `Value` | 0.13 to 0.87 (0.10 to 0.90) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `Hermite` | 0.14 to 0.87 (0.11 to 0.90) | 0.00 to 0.96 (0.00 to 0.97) |
    /// | `D2M2` | 0.12 to 0.88 (0.09 to 0.91) | 0.00 to 0.95 (0.00 to 0.97) |
    ///
    /// | model | `Billow` | `Turbulence` |
    /// |---|---|---|
    /// | `D2M1N3` | 0.04 to 0.95 (0.03 to 0.97) | 0.02 to 0.81 (0.01 to 0.86) |
    /// | `ZeroGradient` | 0.04 to 0.95 (0.02 to 0.97) | 0.02 to 0.82 (0.01 to 0.87) |
    /// | `Value` | 0.04 to 0.95 (0.03 to 0.97) | 0.02 to 0.83 (0.01 to 0.88) |
    /// | `Hermite` | 0.04 to 0.95 (0.03 to 0.97) | 0.02 to 0.82 (0.01 to 0.87) |
    /// | `D2M2` | 0.05 to 0.96 (0.03 to 0.98) | 0.02 to 0.84 (0.02 to 0.88) |
    ///
    /// The lattice consists of square cells. The creases of the fractals other than `Fbm` would run along the
    /// axes and form rectangles. With these fractals, each octave's cells are therefore turned by a different
    /// angle unless `rotate` is false. The node then takes longer. `wrap` makes the map tile with itself.
    ///
    /// With `z` the cells are cubes: `D2M1N3` is the paper's D3M1N3, and `ZeroGradient` is the same with
    /// slopes of 0. `Hermite` and `D2M2` have no form in three dimensions.
    ///
    /// Unless `wrap` or `normalise` is set, heights depend only on the world position and the seed, so the
    /// patches of a world meet exactly. `persistence` and `amplitude` accept a map or a number. `warp_x` and
    /// `warp_y` displace each sample before its noise is evaluated.
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
    #[node(category = "sources",
    words = "value noise hermite cubic quintic fbm random hills terrain generate create",
    tiles = Pointwise, version = 3, paper = "Thorimbert & Chopard 2018, \
        sections 2 and 3", header, suits(wavelength = 0.25, amplitude = 0.125),
    main(wavelength, amplitude, offset, octaves, fractal, model, seed),
    presets(hills(fractal = "Fbm", octaves = "8"), ridges(fractal = "Ridged", octaves = "9")))]
    pub struct PolynomialNoise {
        /// Values at lattice points, and the polynomial that interpolates them.
        #[param(default = Model::ZeroGradient)]
        pub model: Model,
        /// Polynomial that interpolates between lattice points in `ZeroGradient` and `Value`.
        #[param(default = Smoothstep::Cubic)]
        pub smoothstep: Smoothstep,
        /// Maximum slope at a lattice point relative to the maximum height of its octave, in `D2M1N3`,
        /// `Hermite` and `D2M2`.
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
