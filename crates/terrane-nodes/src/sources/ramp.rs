//! Ramps and cones.

use serde::{Deserialize, Serialize};
use terrane_flow::{Choice, Context, Evaluate, Invalid, Node, NodeError};
use terrane_kernels::shape::from_rows;

use crate::support::domain;
use crate::values::Map;

/// Shape of a ramp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum RampShape {
    /// Rises evenly in one direction.
    Linear,
    /// Rises evenly towards the end point from all sides.
    Radial,
}

/// A ramp: a height that rises evenly between two points of the world.
///
/// The height is `low` at `from` and `high` at `to`, and constant before `from` and beyond `to`. With
/// `Radial` a circle about `to` passes through `from`. The height is `low` on this circle and outside it, and
/// changes evenly to `high` at `to`. This makes cones, islands and craters.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "island": Ramp(shape: Radial, from: (0.0, 256.0), to: (256.0, 256.0), high: 100.0),
///         "hills": MidpointDisplacement(amplitude: 100.0),
///         "both": Combine(a: "island", b: "hills", mode: Min),
///     },
///     outputs: { "island.png": "both" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "gradient incline tilt plane slope linear wedge slant",
    tiles = Pointwise, cost = Cheap, header,
    fits(shape = "Radial", from = "({x 0}, {y 0.5})", to = "({x 0.5}, {y 0.5})", high = "{side 0.125}"))]
#[output(height: Map, unit = "world units", doc = "The height of the ramp.")]
pub struct Ramp {
    /// Shape of the ramp.
    #[param(default = RampShape::Linear)]
    pub shape: RampShape,
    /// World x and y at which the rise begins.
    #[param(default = (0.0, 0.0), unit = "world units", place)]
    pub from: (f64, f64),
    /// World x and y at which the rise ends.
    #[param(default = (512.0, 0.0), unit = "world units", place)]
    pub to: (f64, f64),
    /// Height at `from`.
    #[param(default = 0.0, unit = "world units")]
    pub low: f64,
    /// Height at `to`.
    #[param(default = 1.0, unit = "world units")]
    pub high: f64,
}

impl Evaluate for Ramp {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let domain = domain(cx);
        let (dx, dy) = (self.to.0 - self.from.0, self.to.1 - self.from.1);
        let squared = dx * dx + dy * dy;
        let (low, rise) = (self.low, self.high - self.low);
        let height = |t: f64| (low + t.clamp(0.0, 1.0) * rise) as f32;
        let map = from_rows(domain, |row, heights| {
            let y = domain.y(row);
            let columns = heights.iter_mut().enumerate();
            match self.shape {
                RampShape::Linear => {
                    let of_row = (y - self.from.1) * dy;
                    for (column, at) in columns {
                        *at = height(((domain.x(column) - self.from.0) * dx + of_row) / squared);
                    }
                }
                RampShape::Radial => {
                    let of_row = (y - self.to.1) * (y - self.to.1);
                    for (column, at) in columns {
                        let x = domain.x(column) - self.to.0;
                        *at = height(1.0 - ((x * x + of_row) / squared).sqrt());
                    }
                }
            }
        });
        Ok((Map(map),))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.from == self.to {
            return Err(Invalid {
                field: "to",
                message: "`from` and `to` are the same point".to_owned(),
                help: "move one of them: a ramp needs a direction".to_owned(),
            });
        }
        Ok(())
    }
}
