//! Procedural textures: wood, marble and clouds.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Grid;
use terrane_kernels::noise;
use terrane_kernels::shade::{Stops, color_relief};

use crate::support::scale;
use crate::values::{Map, Picture};

/// Pattern to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Pattern {
    /// Rings around `center`.
    Wood,
    /// Parallel veins, perpendicular to `angle`.
    Marble,
    /// The noise above 1 - `cover`.
    Clouds,
}

impl Pattern {
    /// Colour stops from 0 to 1.
    fn stops(self) -> &'static [(f32, [u8; 3])] {
        match self {
            Self::Wood => &[(0.0, [84, 48, 24]), (0.45, [150, 96, 52]), (1.0, [206, 160, 104])],
            Self::Marble => &[(0.0, [58, 60, 70]), (0.25, [150, 152, 158]), (1.0, [242, 240, 236])],
            Self::Clouds => &[(0.0, [74, 128, 196]), (0.45, [176, 200, 228]), (1.0, [252, 252, 252])],
        }
    }
}

/// A procedural texture of wood, marble or clouds: a regular pattern disturbed by noise, as heights and in
/// colour.
///
/// Marble is a sine wave along `angle` and wood consists of rings around `center`; both are displaced by the
/// noise, by at most `turbulence` wavelengths. Clouds are the noise itself. Any noise in [0, 1] is suitable;
/// the fractal `Turbulence` with a persistence of 0.5 gives the classical veins. Heights lie in [0, 1] before
/// `amplitude` and `offset`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "noise": PolynomialNoise(wavelength: 200.0, fractal: Turbulence),
///         "marble": Texture(
///             noise: "noise",
///             pattern: Marble,
///             wavelength: 120.0,
///             turbulence: 2.0,
///             angle: 30.0,
///         ),
///     },
///     outputs: { "marble.png": "marble.color" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "wood marble clouds stone pattern rings veins material",
    tiles = Pointwise, paper = "Thorimbert & Chopard 2018, figure 7; Perlin \
    1985", header, main(pattern, wavelength, turbulence, amplitude))]
#[output(height: Map, unit = "world units", doc = "The pattern as heights.")]
#[output(color: Picture, lazy, doc = "The pattern in colour.")]
pub struct Texture {
    /// Noise in [0, 1].
    #[input]
    pub noise: Input<Map>,
    /// Pattern to draw.
    #[param(default = Pattern::Marble)]
    pub pattern: Pattern,
    /// Distance between veins or rings.
    #[param(default = 64.0, above = 0.0, unit = "world units")]
    pub wavelength: f64,
    /// Maximum displacement of veins or rings by the noise, in wavelengths.
    #[param(default = 1.0)]
    pub turbulence: f64,
    /// Direction across the veins of marble, from the x axis towards y.
    #[param(default = 0.0, unit = "degrees")]
    pub angle: f64,
    /// World position of the centre of the rings of wood.
    #[param(default = (0.0, 0.0), unit = "world units", place)]
    pub center: (f64, f64),
    /// Part of the noise's range that is cloud: 0 for none, 1 for all.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub cover: f64,
    /// Factor that scales heights from [0, 1].
    #[param(default = 1.0, unit = "world units")]
    pub amplitude: f64,
    /// Height added to the result.
    #[param(default = 0.0, unit = "world units")]
    pub offset: f64,
}

impl Evaluate for Texture {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (wavelength, turbulence) = (self.wavelength, self.turbulence);
        let texture = match self.pattern {
            Pattern::Wood => noise::Texture::Wood { wavelength, turbulence, center: self.center },
            Pattern::Marble => noise::Texture::Marble { wavelength, turbulence, angle: self.angle },
            Pattern::Clouds => noise::Texture::Clouds { cover: self.cover },
        };
        let pattern = noise::texture(&self.noise.get(), &texture);
        let color = match Stops::new(self.pattern.stops()) {
            Some(stops) if cx.asked(Self::COLOR) => color_relief(&pattern, &stops, (0.0, 1.0), None),
            _ => Grid::from_vec(0, 0, Vec::new()),
        };
        Ok((Map(scale(pattern, self.amplitude, self.offset)), Picture(color)))
    }
}
