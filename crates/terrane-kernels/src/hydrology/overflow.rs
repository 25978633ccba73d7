//! Terrain with lakes, and how they overflow.

use terrane_grid::Shape;

/// Terrain with lakes.
#[derive(Clone, Copy, Debug)]
pub struct LakeTerrain<'a> {
    /// The size.
    pub shape: Shape,
    /// Heights of the ground, row by row.
    pub heights: &'a [f32],
    /// Whether water ends at a sample.
    pub sea: &'a [bool],
    /// Whether water also leaves across the border of the map.
    pub open: bool,
}

/// Lets the lake with this bottom overflow from `near` to `far`: `near` is on the lake's side of the pass,
/// `far` on the other side. Every sample from the pass down to the lake's bottom drains towards the pass, so
/// that water flows from neighbour to neighbour.
pub(super) fn link(receivers: &mut [u32], bottom: usize, near: u32, far: u32) {
    let (mut at, mut to) = (near, far);
    loop {
        let below = std::mem::replace(&mut receivers[at as usize], to);
        if at as usize == bottom {
            return;
        }
        (to, at) = (at, below);
    }
}
