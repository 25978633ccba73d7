//! Curves.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Pointwise};
use terrane_kernels::shape::{self, CurveKind};

use crate::values::Map;

/// Maps heights through a curve given by control points.
///
/// The curve is level before the first point and after the last.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "plateau": Curve(
///             height: "hills",
///             points: [(0.0, 0.0), (50.0, 20.0), (70.0, 90.0), (120.0, 100.0)],
///         ),
///     },
///     outputs: { "plateau.png": "plateau" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "transfer function profile remap tone spline control points shape redistribute adjust \
        heights",
    tiles = Pointwise, cost = Cheap, holes = Kept,
    fits(points = "[({height 0}, {height 0}), ({height 0.5}, {height 0.5}), ({height 1}, {height 1})]"))]
#[output(height: Map, unit = "world units", doc = "The mapped heights.")]
pub struct Curve {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Control points as (height in, height out), in increasing order of the height in.
    #[param(default = vec![(0.0, 0.0), (1.0, 1.0)], unit = "world units")]
    pub points: Vec<(f64, f64)>,
    /// Interpolation between control points.
    #[param(default = CurveKind::Smooth)]
    pub kind: CurveKind,
}

impl Evaluate for Curve {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        // With points that form a curve, the node is a function of one height.
        Err(NodeError::failed(NO_CURVE, HELP))
    }

    fn pointwise(&self) -> Option<Pointwise> {
        let curve = self.curve()?;
        Some(Pointwise::new(move |block, inputs| curve.write(block, &inputs[0])))
    }

    fn check(&self) -> Result<(), Invalid> {
        match self.curve() {
            Some(_) => Ok(()),
            None => Err(Invalid { field: "points", message: NO_CURVE.to_owned(), help: HELP.to_owned() }),
        }
    }
}

const NO_CURVE: &str = "`points` do not form a curve";
const HELP: &str = "write at least two points (in, out), each `in` greater than the one before";

impl Curve {
    fn curve(&self) -> Option<shape::Curve> {
        let points: Vec<(f32, f32)> = self.points.iter().map(|&(x, y)| (x as f32, y as f32)).collect();
        shape::Curve::new(&points, self.kind)
    }
}
