//! What nodes that reshape the ground along paths have in common.

use terrane_flow::Node;

#[cfg(feature = "optimum")]
use super::optimal_path::OptimalPath;
use super::relax_path::RelaxPath;

/// The maximum slope of banks that a node which reshapes ground keeps; `None` for other nodes.
#[must_use]
pub fn kept_bank_slope(node: &dyn Node) -> Option<Option<f64>> {
    let relaxed = node.downcast::<RelaxPath>().map(|node| node.bank_slope);
    #[cfg(feature = "optimum")]
    let relaxed = relaxed.or_else(|| node.downcast::<OptimalPath>().map(|node| node.bank_slope));
    relaxed
}
