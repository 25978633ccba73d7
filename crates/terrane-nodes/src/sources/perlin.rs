//! Perlin noise.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Node};
use terrane_kernels::noise::{self, Basis};

use super::noise::noise_node;
use crate::values::Map;

/// What joins lattice points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Smoothstep {
    /// 3t² - 2t³: its slope vanishes at both ends.
    Cubic,
    /// 6t⁵ - 15t⁴ + 10t³: its second derivative vanishes too.
    Quintic,
    /// Of degree 7: three derivatives vanish.
    Septic,
    /// Of degree 9: four derivatives vanish.
    Nonic,
    /// Of degree 11: five derivatives vanish.
    Undecic,
    /// Of degree 13: six derivatives vanish. The higher the degree, the steeper the middle and the flatter
    /// the ends.
    Tredecic,
}

impl Smoothstep {
    /// The kernel's.
    pub(crate) fn kernel(self) -> noise::Smoothstep {
        match self {
            Self::Cubic => noise::Smoothstep::CUBIC,
            Self::Quintic => noise::Smoothstep::QUINTIC,
            Self::Septic => noise::Smoothstep::of_order(3),
            Self::Nonic => noise::Smoothstep::of_order(4),
            Self::Undecic => noise::Smoothstep::of_order(5),
            Self::Tredecic => noise::Smoothstep::of_order(6),
        }
    }
}

/// How long the slopes at lattice points are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Gradients {
    /// All have one length.
    Equal,
    /// Lengths are distributed exponentially, from 1 down to 1.02 to the power of -255 (Parberry 2015).
    Exponential,
}

noise_node! {
    /// Perlin's gradient noise: random slopes at the points of a lattice, joined smoothly, in octaves.
    ///
    /// Slopes at lattice points have one length and one of eight directions between the axes and diagonals.
    /// Each octave passes through its middle height at all its lattice points. The slope is continuous; with
    /// the quintic smoothstep the second derivative, too.
    ///
    /// With `gradients: Exponential` most slopes are short and few are long, as on real terrain: plains with
    /// single steep places. Heights then keep to some third of the range below; `normalise` or `amplitude`
    /// brings them up.
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill it. This is what the lowest
    /// and the highest sample of a map are at the defaults, over eight wavelengths a side and on average; in
    /// brackets, the lowest and the highest of 20 such maps. `normalise` brings each map to 0 to `amplitude`.
    ///
    /// | fractal | reached |
    /// |---|---|
    /// | `Fbm` | 0.21 to 0.79 (0.17 to 0.83) |
    /// | `Ridged` | 0.02 to 0.97 (0.00 to 0.98) |
    /// | `Billow` | 0.03 to 0.85 (0.02 to 0.90) |
    /// | `Turbulence` | 0.01 to 0.65 (0.01 to 0.72) |
    ///
    /// Lattices lie along the axes, which ridged noise shows; `rotate` turns each octave's by an angle of its
    /// own, for a quarter to an eighth of the speed. `wrap` makes the map tile with itself.
    ///
    /// With `z` slopes at the points of a lattice of cubes have one of twelve directions, to the middles of a
    /// cube's edges (Perlin 2002).
    ///
    /// Unless `wrap` or `normalise` is set, heights depend on the world position and the seed alone: patches
    /// meet to the bit, as far as 10⁹ units from the origin, and the plane repeats only after 2³² cells.
    /// `persistence` and `amplitude` take a map as well as a number, so that a mask makes plains rough in
    /// places; `warp_x` and `warp_y` move every sample before noise is read there: noise warped by noise.
    /// Slopes leave out the maps' own slopes.
    ///
    /// # Example
    ///
    /// ```ron
    /// Graph(
    ///     size: (129, 129), spacing: 4.0, seed: 7,
    ///     nodes: {
    ///         "noise": Perlin(fractal: Ridged, amplitude: 150.0, smoothstep: Quintic),
    ///     },
    ///     outputs: { "noise.png": "noise" },
    /// )
    /// ```
    #[derive(Clone, Debug, Node)]
    #[node(category = "sources", tiles = Pointwise, version = 2, paper = "Thorimbert & Chopard 2018, section \
        3.2; Perlin 2002", header)]
    pub struct Perlin {
        /// What joins lattice points.
        #[param(default = Smoothstep::Cubic)]
        pub smoothstep: Smoothstep,
        /// How long the slopes at lattice points are.
        #[param(default = Gradients::Equal)]
        pub gradients: Gradients,
    }
    basis: |node| match node.gradients {
        Gradients::Equal => Basis::Perlin(node.smoothstep.kernel()),
        Gradients::Exponential => Basis::ExponentialPerlin(node.smoothstep.kernel()),
    }
}
