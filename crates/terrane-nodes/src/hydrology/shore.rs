//! What nodes that make water say about it.

use terrane_flow::{Context, NodeError};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{Shore, shore};
use terrane_kernels::{Boundary, Cancelled};

use crate::support::cancelled;

/// The shores of water with this level.
pub fn shores(
    cx: &Context<'_>,
    level: &Heightmap,
    ground: &Heightmap,
    boundary: Boundary,
) -> Result<Shore, NodeError> {
    let alive = || cx.check().map_err(|_| Cancelled);
    shore(level, ground, boundary, &alive).map_err(cancelled)
}

/// A map whose samples do not matter, for an output that nothing reads.
pub fn unread(ground: &Heightmap) -> Heightmap {
    Heightmap::constant(ground.domain(), 0.0)
}

/// A map with the holes of the ground.
pub fn with_holes_of(ground: &Heightmap, mut map: Heightmap) -> Heightmap {
    let samples = map.samples_mut().iter_mut().zip(ground.samples());
    samples.filter(|(_, ground)| ground.is_nan()).for_each(|(sample, _)| *sample = f32::NAN);
    map
}
