//! The distance to the shore, for nodes that make water.

use terrane_flow::{Context, NodeError};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::shore_distance;
use terrane_kernels::{Boundary, Cancelled};

use crate::support::cancelled;

/// The distance of each sample from the shore of water with this level.
pub fn shore(
    cx: &Context<'_>,
    level: &Heightmap,
    ground: &Heightmap,
    boundary: Boundary,
) -> Result<Heightmap, NodeError> {
    let alive = || cx.check().map_err(|_| Cancelled);
    shore_distance(level, ground, boundary, &alive).map_err(cancelled)
}
