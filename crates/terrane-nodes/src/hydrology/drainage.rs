//! Where water runs on a terrain as it is.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::hydrology::{Draining, drainage};

use crate::support::{Boundary, Report, cancelled};
use crate::values::Map;

/// Where water runs on a terrain as it is: flow accumulation, drainage basins, ways of the water.
///
/// Each sample drains to the neighbour of eight to which the way is steepest. With `lakes` each hollow runs
/// over its lowest pass, and its water crosses it from neighbour to neighbour, so that all water reaches the
/// sea or leaves the map; without, it stays. The terrain itself is left as it is.
///
/// Water leaves an open map over its border, where no neighbour is lower or a lake reaches it. On a torus it
/// runs to the sea, and without one to the lowest sample.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "water": Drainage(height: "hills"),
///         "rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 1000.0),
///     },
///     outputs: { "area.exr": "water", "basins.exr": "water.basins", "rivers.geojson": "rivers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "hydrology",
    tiles = Global,
    because = "water comes from all ground that lies above",
    paper = "Barnes, Lehman & Mulla 2014; Cordonnier et al. 2016",
    working_maps = 2.6,
)]
#[output(area: Map, unit = "square world units", doc = "Area that drains through each sample, its own \
    included.")]
#[output(receivers: Map, doc = "Where each sample drains: 0 nowhere, 1 up (towards row 0), 2 left, 3 right, \
    4 down, 5 up and left, 6 up and right, 7 down and left, 8 down and right.")]
#[output(basins: Map, doc = "The river system that each sample belongs to: mouths are numbered from 1 in the \
    order of samples; the sea has 0.")]
pub struct Drainage {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Whether lakes run over.
    #[param(default = true)]
    pub lakes: bool,
    /// Height below which there is sea, where all water ends; None for no sea.
    #[param(default = None, unit = "world units")]
    pub sea_level: Option<f64>,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Drainage {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let parameters = Draining {
            lakes: self.lakes,
            sea_level: self.sea_level.map(|level| level as f32),
            boundary: self.boundary.into(),
        };
        let out = drainage(&self.height.get(), &parameters, &Report(cx)).map_err(cancelled)?;
        Ok((Map(out.area), Map(out.receivers), Map(out.basins)))
    }
}
