//! The earth mover's distance.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::transport::{FlowError, earth_movers_distance};

use crate::support::Report;
use crate::values::{Map, Table};

/// The exact earth mover's distance between two terrains: the minimum work that turns one into the other.
///
/// The work is the sum of moved height times L1 distance, plus `creation_cost` times the height that is
/// created or removed. The L1 distance is the sum of the distances along both axes. A pair of maps of 257 x
/// 257 samples takes half a second. If the creation cost is below half the map's L1 diameter, height may be
/// created and removed even if it could be moved.
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
#[node(category = "metrics",
    words = "wasserstein transport distance compare optimal work similarity difference",
    tiles = Global, because = "earth can move across the whole \
    map", paper = "Rubner, \
    Tomasi & Guibas 2000; Velzel, section 3.1", working_maps = 36.0)]
#[output(distance: Table, doc = "One row: `distance` (height times world units), `moved` (height times steps \
    of one sample) and `made` (height created or removed).")]
#[output(right: Map, unit = "world units", doc = "Height that moves from each sample to its right neighbour; \
    negative values move the other way.")]
#[output(down: Map, unit = "world units", doc = "Height that moves from each sample to the one below; \
    negative values move the other way.")]
pub struct EarthMoversDistance {
    /// The first terrain.
    #[input(unit = "world units")]
    pub a: Input<Map>,
    /// The second terrain.
    #[input(unit = "world units")]
    pub b: Input<Map>,
    /// Cost per unit of height that is created or removed. Default: twice the length of the map's longer
    /// side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
}

impl Evaluate for EarthMoversDistance {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (a, b) = (self.a.get(), self.b.get());
        let (w, h) = a.domain().size;
        let creation_cost = self.creation_cost.unwrap_or(2.0 * w.max(h) as f64 * a.spacing());
        let found =
            earth_movers_distance(&a, &b, creation_cost, &Report(cx)).map_err(|error| match error {
                FlowError::Cancelled => NodeError::Cancelled,
                FlowError::Supply => NodeError::failed(
                    "some heights are not finite numbers",
                    "bring them into range with a Clamp or Remap node",
                ),
                FlowError::Size | FlowError::TooLarge | FlowError::Sigma => NodeError::failed(
                    "the maps have more than 67 million samples",
                    "reduce their size with a Resample node",
                ),
            })?;
        let row = Table::row(&[("distance", found.distance), ("moved", found.moved), ("made", found.made)]);
        Ok((row, Map(found.right), Map(found.down)))
    }
}
