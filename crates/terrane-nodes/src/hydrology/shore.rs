//! Maps of standing water.

use terrane_flow::{Context, NodeError};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{depth_of_level, shore};
use terrane_kernels::{Boundary, Cancelled};

use crate::support::cancelled;
use crate::values::Map;

/// The depth of water with this level, the distance to its shore, and the level of the nearest water.
/// `outputs` are the indices of the node's outputs for them: a map that nothing reads is 0 everywhere. Holes
/// of the ground are holes of the maps.
pub fn maps_of(
    cx: &Context<'_>,
    outputs: [usize; 3],
    level: &Heightmap,
    ground: &Heightmap,
    boundary: Boundary,
) -> Result<[Map; 3], NodeError> {
    let [depth, distance, nearest] = outputs.map(|output| cx.asked(output));
    let unread = || Heightmap::constant(ground.domain(), 0.0);
    let mut maps = [unread(), unread(), unread()];
    if depth {
        maps[0] = depth_of_level(level, ground);
    }
    if distance || nearest {
        let alive = || cx.check().map_err(|_| Cancelled);
        let found = shore(level, ground, boundary, &alive).map_err(cancelled)?;
        [maps[1], maps[2]] = [found.distance, found.level];
    }
    Ok(maps.map(|map| Map(with_holes_of(ground, map))))
}

/// A map with the holes of the ground.
fn with_holes_of(ground: &Heightmap, mut map: Heightmap) -> Heightmap {
    let samples = map.samples_mut().iter_mut().zip(ground.samples());
    samples.filter(|(_, ground)| ground.is_nan()).for_each(|(sample, _)| *sample = f32::NAN);
    map
}
