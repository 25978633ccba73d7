//! Linear mapping of heights.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Pointwise, Reach};
use terrane_kernels::metric::extremes;
use terrane_kernels::shape::{remap, remapped};

use crate::support::of_height;
use crate::values::Map;

/// Maps heights linearly to another range.
///
/// By default the map's lowest and highest height become the ends of `to`. The lowest and the highest height
/// depend on the whole map, so the patches of a world do not meet. If `from` is given, each result depends
/// only on the height at that sample. A flat map becomes the lower end of `to`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "low": Remap(height: "hills", to: (0.0, 30.0)),
///     },
///     outputs: { "low.png": "low" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "rescale range normalise normalize stretch levels scale heights higher lower amplitude \
        exaggerate taller",
    tiles = Global, because = "`from: None` is the map's range of \
    heights", cost = Cheap, holes = Kept)]
#[output(height: Map, unit = "world units", doc = "Heights in the new range.")]
pub struct Remap {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Range of heights that becomes `to`. Default: the map's minimum and maximum.
    #[param(default = None, unit = "world units")]
    pub from: Option<(f64, f64)>,
    /// The new range.
    #[param(default = (0.0, 1.0), unit = "world units")]
    pub to: (f64, f64),
}

impl Evaluate for Remap {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.take();
        let range = extremes(&height).unwrap_or_default();
        Ok((Map(remap(height.0, range, self.to())),))
    }

    fn pointwise(&self) -> Option<Pointwise> {
        let (low, high) = self.from?;
        Some(of_height(remapped((low as f32, high as f32), self.to())).passing_on())
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.from.is_some() { Reach::Samples(0) } else { Reach::of(self.spec()) }
    }
}

impl Remap {
    fn to(&self) -> (f32, f32) {
        (self.to.0 as f32, self.to.1 as f32)
    }
}
