//! Perlin noise.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Node};
use terrane_kernels::noise::{self, Basis};

use super::noise::noise_node;
use crate::values::Map;

/// Polynomial that interpolates between lattice points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Smoothstep {
    /// 3t² - 2t³: the first derivative vanishes at both ends.
    Cubic,
    /// 6t⁵ - 15t⁴ + 10t³: the second derivative vanishes as well.
    Quintic,
    /// Degree 7: three derivatives vanish.
    Septic,
    /// Degree 9: four derivatives vanish.
    Nonic,
    /// Degree 11: five derivatives vanish.
    Undecic,
    /// Degree 13: six derivatives vanish. The higher the degree, the steeper the middle and the flatter the
    /// ends.
    Tredecic,
}

impl Smoothstep {
    /// The kernel's smoothstep.
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

/// Distribution of the gradients' lengths at lattice points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Gradients {
    /// All gradients have the same length.
    Equal,
    /// Lengths are distributed exponentially, between 1.02⁻²⁵⁵ (about 0.006) and 1 (Parberry 2015).
    Exponential,
}

noise_node! {
    /// Perlin noise in octaves: random gradients at the points of a lattice, interpolated smoothly.
    ///
    /// The gradients at lattice points have the same length and one of eight directions, each halfway between
    /// an axis and a diagonal. Each octave's noise is at the middle of its range at all its lattice points,
    /// so hills and hollows lie between these points. The slope is continuous; with the quintic smoothstep,
    /// so is the second derivative.
    ///
    /// With `gradients: Exponential` most gradients are short and a few are long, as on real terrain: plains
    /// with isolated steep places. Heights then fill about two fifths of the range in the table below;
    /// raise them with `normalise` or `amplitude`.
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill that range. The table shows
    /// the lowest and the highest sample of a map with default parameters and eight wavelengths per side: the
    /// mean over 20 maps and, in brackets, their extremes. `normalise` stretches each map to the range from 0
    /// to `amplitude`.
    ///
    /// | fractal | heights reached |
    /// |---|---|
    /// | `Fbm` | 0.21 to 0.79 (0.17 to 0.83) |
    /// | `Ridged` | 0.02 to 0.97 (0.00 to 0.99) |
    /// | `Billow` | 0.03 to 0.86 (0.01 to 0.91) |
    /// | `Turbulence` | 0.01 to 0.66 (0.01 to 0.75) |
    ///
    /// Lattices are aligned with the axes, which is visible in the creases of the fractals other than `Fbm`.
    /// With these, each octave's lattice is turned by a different angle unless `rotate` is false. The node
    /// then takes longer. `wrap` makes the map tile with itself.
    ///
    /// With `z` the lattice consists of cubes, and gradients have one of twelve directions, to the midpoints
    /// of a cube's edges (Perlin 2002).
    ///
    /// Unless `wrap` or `normalise` is set, heights depend only on the world position and the seed, so the
    /// patches of a world meet exactly, up to 10⁹ units from the origin; the plane repeats only after 2³²
    /// cells. `persistence` and `amplitude` accept a map or a number, so that a mask can make parts of a
    /// plain rough. `warp_x` and `warp_y` displace each sample before its noise is evaluated, for example by
    /// other noise (domain warping). The slope outputs do not include the slopes of these maps.
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
    #[node(category = "sources",
    words = "gradient noise fbm random hills ridges ridged billow turbulence clouds terrain generate \
        create landscape simple",
    tiles = Pointwise, version = 3, paper = "Thorimbert & Chopard 2018, section \
        3.2; Perlin 2002", header, suits(wavelength = 0.25, amplitude = 0.125),
    main(wavelength, amplitude, offset, octaves, fractal, seed),
    presets(
        hills(fractal = "Fbm", octaves = "8"),
        ridges(fractal = "Ridged", octaves = "9"),
        billows(fractal = "Billow", octaves = "8"),
    ))]
    pub struct Perlin {
        /// Polynomial that interpolates between lattice points.
        #[param(default = Smoothstep::Cubic)]
        pub smoothstep: Smoothstep,
        /// Distribution of the gradients' lengths at lattice points.
        #[param(default = Gradients::Equal)]
        pub gradients: Gradients,
    }
    basis: |node| match node.gradients {
        Gradients::Equal => Basis::Perlin(node.smoothstep.kernel()),
        Gradients::Exponential => Basis::ExponentialPerlin(node.smoothstep.kernel()),
    }
}
