//! Histograms of heights.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, Sizes};
use terrane_kernels::metric;

use crate::values::{Map, Table};

/// A histogram of heights, with bins of equal width.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "histogram": Histogram(height: "hills", bins: 32),
///     },
///     outputs: { "histogram.csv": "histogram" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "distribution bins counts hypsometry frequency chart heights",
    tiles = Global, because = "it counts all samples", holes = Kept)]
#[output(histogram: Table, doc = "A row per bin: lower edge, upper edge, count.")]
pub struct Histogram {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Number of bins.
    #[param(default = 64, min = 1, max = 1_000_000)]
    pub bins: u32,
    /// Minimum and maximum height to count. Default: the map's.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
}

impl Evaluate for Histogram {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let h = metric::histogram(&self.height.get(), self.bins as usize, self.range);
        let edges = |first: usize| (first..first + h.counts.len()).map(|bin| h.edge(bin)).collect::<Vec<_>>();
        let counts = h.counts.iter().map(|&count| count as f64).collect();
        Ok((Table::new(vec![("low", edges(0)), ("high", edges(1)), ("count", counts)]),))
    }

    fn check(&self) -> Result<(), Invalid> {
        match self.range {
            Some((low, high)) if low >= high => Err(Invalid {
                field: "range",
                message: format!("`range` starts at {low}, which is not below its end, {high}"),
                help: "write range: (lowest, highest)".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Memory for the counts in total and of each thread, and for the columns of the table.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        u64::from(self.bins) * 40 + 2 * sizes.inputs[0]
    }
}
