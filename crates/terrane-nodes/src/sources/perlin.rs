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
}

impl Smoothstep {
    /// The kernel's.
    pub(crate) fn kernel(self) -> noise::Smoothstep {
        match self {
            Self::Cubic => noise::Smoothstep::CUBIC,
            Self::Quintic => noise::Smoothstep::QUINTIC,
        }
    }
}

noise_node! {
    /// Perlin's gradient noise: random slopes at the points of a lattice, joined smoothly, in octaves.
    ///
    /// Heights lie in [0, 1] before `amplitude` and `offset`. Slopes at lattice points have one length and one of eight
    /// directions between the axes and diagonals. The noise is level at its middle height at every lattice point. Its slope is
    /// continuous; with the quintic smoothstep its second derivative, too.
    ///
    /// Heights depend on the world position and the seed alone: patches meet to the bit, as far as 10⁹ units from the origin, and
    /// the plane repeats only after 2³² cells. `persistence` and `amplitude` take a map as well as a number, so that a mask
    /// makes plains rough in places; `warp_x` and `warp_y` move every sample before noise is read there: noise warped by
    /// noise. Slopes leave out the maps' own slopes.
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
    #[node(category = "sources", tiles = Pointwise, version = 2, paper = "Thorimbert & Chopard 2018, section 3.2; Perlin 2002")]
    pub struct Perlin {
        /// What joins lattice points.
        #[param(default = Smoothstep::Cubic)]
        pub smoothstep: Smoothstep,
    }
    basis: |node| Basis::Perlin(node.smoothstep.kernel())
}
