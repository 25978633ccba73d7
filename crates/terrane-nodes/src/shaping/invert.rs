//! Inversion of terrain.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Pointwise, Reach};
use terrane_kernels::metric::extremes;
use terrane_kernels::shape::{invert, inverted};

use crate::support::of_height;
use crate::values::Map;

/// Turns terrain upside down about a level.
///
/// The default level is halfway between the map's minimum and maximum height, so the range of heights does
/// not change. Patches meet only if `level` is set.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "valleys": Invert(height: "hills"),
///     },
///     outputs: { "valleys.png": "valleys" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "flip upside down negative reverse mirror opposite complement turn over",
    tiles = Global, because = "`level: None` is halfway between the map's minimum \
    and maximum", cost = Cheap, holes = Kept)]
#[output(height: Map, unit = "world units", doc = "The inverted terrain.")]
pub struct Invert {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Height that does not change. Default: halfway between the map's minimum and maximum.
    #[param(default = None, unit = "world units")]
    pub level: Option<f64>,
}

impl Evaluate for Invert {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.take();
        let (low, high) = extremes(&height).unwrap_or_default();
        Ok((Map(invert(height.0, f64::midpoint(low.into(), high.into()) as f32)),))
    }

    fn pointwise(&self) -> Option<Pointwise> {
        Some(of_height(inverted(self.level? as f32)).passing_on())
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.level.is_some() { Reach::Samples(0) } else { Reach::of(self.spec()) }
    }
}
