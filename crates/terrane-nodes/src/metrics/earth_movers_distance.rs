//! What it takes to turn one terrain into another.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::transport::{FlowError, earth_movers_distance};

use crate::support::{Report, same_size};
use crate::values::{Map, Table};

/// What it takes to turn one terrain into another: the earth mover's distance, exactly.
///
/// The least sum of height moved times L1 distance, and of `creation_cost` times the height that is made or
/// taken away. A pair of maps of 257 x 257 takes half a second. With a creation cost below the map's diameter
/// less may be moved than could be.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "soft": Blur(height: "hills", radius: 30.0),
///         "work": EarthMoversDistance(a: "hills", b: "soft"),
///     },
///     outputs: { "work.json": "work", "right.exr": "work.right" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics", tiles = Global, because = "earth may come from anywhere", paper = "Rubner, \
    Tomasi & Guibas 2000; Velzel, section 3.1", working_maps = 36.0)]
#[output(distance: Table, doc = "One row: distance, height times world units; moved, height times steps of \
    one sample; made, height that was made or taken away.")]
#[output(right: Map, unit = "world units", doc = "Height that each sample gives to its right neighbour, or \
    takes where negative.")]
#[output(down: Map, unit = "world units", doc = "Height that each sample gives to the one below.")]
pub struct EarthMoversDistance {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain.
    #[input(unit = "world units")]
    pub b: Input<Map>,
    /// Cost of a unit of height that is made or taken away; without, twice the length of the map's longer
    /// side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
}

impl Evaluate for EarthMoversDistance {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b) = (self.a.get(), self.b.get());
        same_size("a", &a, "b", &b)?;
        let (w, h) = a.domain().size;
        let creation_cost = self.creation_cost.unwrap_or(2.0 * w.max(h) as f64 * a.spacing());
        let found =
            earth_movers_distance(&a, &b, creation_cost, &Report(cx)).map_err(|error| match error {
                FlowError::Cancelled => NodeError::Cancelled,
                FlowError::Supply => {
                    NodeError::failed("there are heights that are no finite numbers", "fill them first")
                }
                FlowError::Size | FlowError::TooLarge | FlowError::Sigma => NodeError::failed(
                    "the maps have more than 67 million samples",
                    "bring them to a smaller size with a Resample node",
                ),
            })?;
        let row = Table::row(&[("distance", found.distance), ("moved", found.moved), ("made", found.made)]);
        Ok((row, Map(found.right), Map(found.down)))
    }
}
