//! Drainage of a terrain.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::Boundary;
use terrane_kernels::hydrology::{Draining, drainage};

use crate::support::{Report, cancelled};
use crate::values::Map;

/// Drainage of a terrain: flow accumulation, drainage directions and drainage basins.
///
/// Each sample drains to the one of its eight neighbours with the steepest descent. Of equally steep ones,
/// the sample's place in the world selects one, so that no direction is preferred. Flat ground drains towards
/// the nearest sample from which water leaves it and, where that leaves a choice, away from higher ground
/// (Barnes, Lehman & Mulla 2014).
///
/// With `lakes` each hollow overflows at its lowest pass. Its water crosses the hollow from neighbour to
/// neighbour, so that all water reaches the sea or leaves the map. Without `lakes` water stays in hollows.
/// The terrain itself does not change.
///
/// Water leaves an open map at samples on its border that have no lower neighbour or that a lake reaches. On
/// a torus water flows to the sea or, if there is no sea, to the lowest sample.
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
#[node(category = "hydrology",
    words = "flow accumulation watershed catchment basins directions wetness upstream runoff water \
        stream",
    tiles = Global, because = "water comes from the whole drainage area \
    upstream", paper = "Barnes, Lehman & Mulla 2014; Cordonnier et al. 2016", working_maps = 2.6,
    holes = Kept, version = 2)]
#[output(area: Map, unit = "square world units", doc = "Drainage area of each sample, including its own.")]
#[output(receivers: Map, doc = "Direction in which each sample drains: 0 nowhere, 1 up (towards row 0), 2 \
    left, 3 right, 4 down, 5 up and left, 6 up and right, 7 down and left, 8 down and right.")]
#[output(basins: Map, doc = "Number of each sample's drainage basin. Basins are numbered from 1, in the \
    order of their outlets; the sea has 0.")]
pub struct Drainage {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Whether lakes overflow.
    #[param(default = true)]
    pub lakes: bool,
    /// Height of the sea, where all water ends. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea_level: Option<f64>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Drainage {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let parameters = Draining {
            lakes: self.lakes,
            sea_level: self.sea_level.map(|level| level as f32),
            boundary: self.boundary,
        };
        let out = drainage(&self.height.get(), &parameters, &Report(cx)).map_err(cancelled)?;
        Ok((Map(out.area), Map(out.receivers), Map(out.basins)))
    }
}
