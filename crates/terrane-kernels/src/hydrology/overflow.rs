//! Terrain with lakes, and how they overflow.

use terrane_grid::Shape;

/// How a lake overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// The lake's bottom drains directly to the far side of the pass, however far away that is.
    Jump,
    /// Every sample from the pass down to the lake's bottom drains towards the pass, so that water flows from
    /// neighbour to neighbour. The border of an open map also counts as a pass to the sea.
    Carve,
}

impl Overflow {
    /// Lets the lake with this bottom overflow from `near` to `far`: `near` is on the lake's side of the
    /// pass, `far` on the other side.
    pub(super) fn link(self, receivers: &mut [u32], bottom: usize, near: u32, far: u32) {
        if self == Self::Jump {
            receivers[bottom] = far;
            return;
        }
        let (mut at, mut to) = (near, far);
        loop {
            let below = std::mem::replace(&mut receivers[at as usize], to);
            if at as usize == bottom {
                return;
            }
            (to, at) = (at, below);
        }
    }
}

/// Terrain with lakes.
#[derive(Clone, Copy, Debug)]
pub struct LakeTerrain<'a> {
    /// The size.
    pub shape: Shape,
    /// Heights of the ground, row by row.
    pub heights: &'a [f32],
    /// Whether water ends at a sample.
    pub sea: &'a [bool],
    /// How lakes overflow.
    pub overflow: Overflow,
}
