//! Terrain upside down.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach};
use terrane_kernels::metric::statistics;
use terrane_kernels::shape::invert;

use crate::values::Map;

/// Terrain upside down about a level.
///
/// Without `level` that is the middle between the map's least and greatest height, so the range stays;
/// patches meet only with a level given.
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
#[node(
    category = "shaping",
    tiles = Global,
    because = "`level: None` is the middle of the map's heights",
    cost = Cheap,
)]
#[output(height: Map, unit = "world units", doc = "The inverted terrain.")]
pub struct Invert {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The height that stays; without, the middle of the map's heights.
    #[param(default = None, unit = "world units")]
    pub level: Option<f64>,
}

impl Evaluate for Invert {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.take();
        let level = self.level.unwrap_or_else(|| {
            let s = statistics(&height);
            (s.min + s.max) / 2.0
        });
        Ok((Map(invert(height.0, level as f32)),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.level.is_some() { Reach::Samples(0) } else { Reach::of(self.spec()) }
    }
}
