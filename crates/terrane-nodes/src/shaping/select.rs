//! Masks from the shape of terrain.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_kernels::shape;

use crate::support::{Report, cancelled, choice};
use crate::values::Map;

choice! {
    /// What a mask is made from.
    SelectBy => shape::Select {
        /// Height, in world units.
        Height,
        /// Slope, rise over run.
        Slope,
        /// Curvature, 1 / world units: positive in hollows, negative on ridges.
        Curvature,
        /// The direction that a slope faces, in degrees clockwise from north, which is up.
        Aspect,
        /// The area that drains through a sample, in square world units.
        Drainage,
    }
}

/// A mask from the shape of the terrain: 1 where a quantity lies in a range, falling smoothly to 0 beyond.
///
/// Slopes and curvature depend on the spacing: a coarser preview selects somewhat other ground. `Drainage` follows each
/// sample to its lowest neighbour down to where the water stays, so it depends on the whole map.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "steep": Select(height: "hills", by: Slope, range: (0.5, 10.0), falloff: 0.1),
///     },
///     outputs: { "steep.png": "steep" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping", tiles = Global, working_maps = 4.0, version = 2)]
#[output(mask: Map, doc = "How much a sample is selected, in [0, 1].")]
pub struct Select {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The quantity.
    #[param(default = SelectBy::Height)]
    pub by: SelectBy,
    /// Least and greatest value that is selected whole.
    #[param(default = (0.0, 1.0), unit = "the quantity's")]
    pub range: (f64, f64),
    /// How far beyond the range the mask falls to 0.
    #[param(default = 0.0, min = 0.0, unit = "the quantity's")]
    pub falloff: f64,
}

impl Evaluate for Select {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (range, falloff) = ((self.range.0 as f32, self.range.1 as f32), self.falloff as f32);
        let mask = shape::select(&self.height.get(), self.by.into(), range, falloff, &Report(cx));
        Ok((Map(mask.map_err(cancelled)?),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.range.0 <= self.range.1 {
            return Ok(());
        }
        let message = format!("`range` begins at {}, above its end, {}", self.range.0, self.range.1);
        Err(Invalid { field: "range", message, help: "exchange the two".to_owned() })
    }
}
