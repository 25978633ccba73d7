//! Curvature of ground.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach};
use terrane_kernels::Boundary;
use terrane_kernels::metric::{curvature, curvature_with_holes};

use crate::reaches::unless_wrapped;
use crate::values::Map;

/// The curvature of the terrain along and across its slope.
///
/// Both outputs are second derivatives of the height, from the 3 × 3 heights around a sample. Programs differ
/// in their signs. Here they are:
///
/// | output | direction | positive | negative |
/// |---|---|---|---|
/// | `profile` | along the slope | concave: the foot of a slope | convex: the brow of a slope |
/// | `plan` | across the slope | convex: spurs, where water parts | concave: hollows, where water gathers |
///
/// `profile` minus `plan` is the Laplacian, which `Select` calls `Curvature`; on the border, that node uses
/// other heights. On flat ground and exact summits the slope has no direction: there each output is its mean
/// over all directions, 0 on a plane. The paper does not divide by powers of the slope, so the outputs stay
/// bounded on gentle ground. They are not the curvatures of the contour and of the line of slope, which other
/// programs compute.
///
/// On an open border, heights beyond the map continue the parabola through the three nearest samples.
/// Curvature depends on the spacing, and shows noise and rounded heights as grain. To measure larger forms,
/// connect a `Blur` of the terrain.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "soft": Blur(height: "hills", radius: 12.0),
///         "curvature": Curvature(height: "soft"),
///     },
///     outputs: { "profile.png": "curvature.profile", "plan.png": "curvature.plan" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "metrics",
    words = "convex concave ridges valleys profile plan second derivative edges bend cavity convexity",
    tiles = Halo,
    paper = "Zevenbergen & Thorne 1987, Quantitative analysis of land surface topography", holes = Kept)]
#[output(profile: Map, unit = "1 / world unit", doc = "Curvature along the slope, positive where concave.")]
#[output(plan: Map, unit = "1 / world unit", doc = "Curvature across the slope, positive where convex.")]
pub struct Curvature {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Curvature {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let curvature = if cx.has_holes() { curvature_with_holes } else { curvature };
        let found = curvature(&self.height.get(), self.boundary);
        Ok((Map(found.profile), Map(found.plan)))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        unless_wrapped(self.boundary, Reach::Samples(1))
    }
}
