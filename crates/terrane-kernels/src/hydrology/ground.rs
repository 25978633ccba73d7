//! Ground in which lakes lie, and how they run over.

use super::shape::Shape;

/// How a lake runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Its bottom drains to the far side of the pass at once, however far that is.
    Jump,
    /// From the pass down to its bottom every sample drains the other way, so that water goes from neighbour
    /// to neighbour. It also leaves over the border of a map that has one.
    Carve,
}

impl Overflow {
    /// Lets the lake with that bottom run over from `near` to `far`.
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

/// Ground in which lakes lie.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    pub shape: Shape,
    pub heights: &'a [f32],
    /// Where water ends.
    pub sea: &'a [bool],
    pub overflow: Overflow,
}
