//! Flattening of ground.

use terrane_flow::{Context, Cost, Evaluate, Header, Input, Node, NodeError, Pointwise, Reach, ScalarInput};
use terrane_kernels::shape::{flatten, flatten_samples};

use crate::support::scalar;
use crate::values::Map;

/// Flattens ground to one level under a mask, for building sites, plateaus and lakes.
///
/// The default level is the mean height under the mask, which balances cut and fill.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "site": Select(height: "hills", by: Height, range: (50.0, 60.0), falloff: 5.0),
///         "flat": Flatten(height: "hills", mask: "site"),
///     },
///     outputs: { "flat.png": "flat" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "level building site foundation plateau pad platform airport town village city construction \
        even plane flat",
    tiles = Global, because = "`level: None` is the mean height under the mask",
    holes = Kept)]
#[output(height: Map, unit = "world units", doc = "The flattened terrain.")]
pub struct Flatten {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// How far each sample moves to the level, from 0 (not at all) to 1 (all the way).
    #[input(default = 1.0, min = 0.0, max = 1.0)]
    pub mask: ScalarInput<Map>,
    /// Height of the flattened ground. Default: the mean height under the mask.
    #[param(default = None, unit = "world units")]
    pub level: Option<f64>,
}

impl Evaluate for Flatten {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, mask) = (self.height.take(), self.mask.get());
        Ok((Map(flatten(height.0, scalar(&mask), None)),))
    }

    fn cost(&self) -> Cost {
        if self.level.is_some() { Cost::Cheap } else { Cost::Dear }
    }

    fn pointwise(&self) -> Option<Pointwise> {
        let level = self.level? as f32;
        Some(Pointwise::new(move |block, inputs| flatten_samples(block, &inputs[0], &inputs[1], level)))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.level.is_some() { Reach::Samples(0) } else { Reach::of(self.spec()) }
    }
}
