//! Maps of slopes.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach};
use terrane_kernels::Boundary;
use terrane_kernels::metric::{SlopeKind, slope_map, slope_with_holes};

use crate::reaches::unless_wrapped;
use crate::values::Map;

/// The slope of the terrain at every sample, as rise over run.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "slope": SlopeMap(height: "hills"),
///     },
///     outputs: { "slope.png": "slope" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "steepness gradient angle steep slope incline inclination grade derivative",
    tiles = Halo, paper = "Olsen 2004, Defining erosion", holes = Kept)]
#[output(slope: Map, unit = "rise over run", doc = "The slopes.")]
pub struct SlopeMap {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Definition of the slope.
    #[param(default = SlopeKind::Olsen)]
    pub kind: SlopeKind,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for SlopeMap {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let slopes = if cx.has_holes() { slope_with_holes } else { slope_map };
        Ok((Map(slopes(&self.height.get(), self.kind, self.boundary)),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        unless_wrapped(self.boundary, Reach::Samples(1))
    }
}
