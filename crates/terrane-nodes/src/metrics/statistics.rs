//! Statistics of maps.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_kernels::metric;

use crate::values::{Map, Table};

/// The mean, standard deviation and extremes of a map.
///
/// Samples that are not finite are counted in `not_finite`; all other numbers are of the finite samples. If
/// no sample is finite, these numbers are 0.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "numbers": Statistics(height: "hills"),
///     },
///     outputs: { "numbers.json": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "mean average deviation minimum maximum min max range summary stats numbers highest lowest \
        median",
    tiles = Global, because = "statistics cover all samples", holes = Kept)]
#[output(statistics: Table, unit = "world units", doc = "One row: count, not_finite, min, max, mean, \
    deviation, sum.")]
pub struct Statistics {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
}

impl Evaluate for Statistics {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let s = metric::statistics(&self.height.get());
        Ok((Table::row(&[
            ("count", s.count as f64),
            ("not_finite", s.not_finite as f64),
            ("min", s.min),
            ("max", s.max),
            ("mean", s.mean),
            ("deviation", s.deviation),
            ("sum", s.sum),
        ]),))
    }
}
