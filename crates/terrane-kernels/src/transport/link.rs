//! The nodes of the network and the links between them.

/// Number of links of a cell, in the order in which a pass tries them.
pub(crate) const CELL_LINKS: usize = 5;
/// Indices in [`Node::flow`].
pub(crate) const RIGHT: usize = 0;
pub(crate) const DOWN: usize = 1;
pub(crate) const OUTSIDE: usize = 2;
/// Bits of [`Node::sides`]: the sides on which a cell has a neighbour.
const HAS_RIGHT: u8 = 1;
const HAS_LEFT: u8 = 2;
const HAS_BELOW: u8 = 4;
const HAS_ABOVE: u8 = 8;
/// The rank of a node that the search has not settled.
pub(crate) const UNSETTLED: u32 = u32::MAX;

/// A cell of the grid, or the outside. All of it fits one cache line, as each
/// step of a pass reads most of it.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// Supply that has not been sent on yet: a surplus if positive, a deficit if negative.
    pub(crate) excess: i64,
    /// Net flow to the right, the lower neighbour and the outside.
    pub(crate) flow: [i64; 3],
    pub(crate) potential: i32,
    /// Reduced cost of the cheapest route to a deficit, in the current search.
    pub(crate) distance: i32,
    /// Number of the search wave that settled the node.
    pub(crate) rank: u32,
    sides: u8,
}

/// One arc seen from one of its ends. The flow of the pair of opposite arcs is
/// stored once, at `owner`.
#[derive(Clone, Copy)]
pub(crate) struct Link {
    pub(crate) to: usize,
    pub(crate) owner: usize,
    pub(crate) slot: usize,
    /// 1 where the stored flow points away from this end, else -1.
    pub(crate) sign: i64,
    pub(crate) cost: i32,
}

impl Node {
    /// A node without flow that has neighbours on the given sides.
    pub(crate) fn new(excess: i64, potential: i32, sides: u8) -> Self {
        Self { excess, flow: [0; 3], potential, distance: 0, rank: UNSETTLED, sides }
    }

    /// Link `i` of this node, cell `v` of a grid of `cells`, or `None` if the grid ends there.
    pub(crate) fn cell_link(
        &self,
        v: usize,
        i: usize,
        width: usize,
        cells: usize,
        sigma: i32,
    ) -> Option<Link> {
        match i {
            0 if self.sides & HAS_RIGHT != 0 => Some(Link::away(v, v + 1, RIGHT, 1)),
            1 if self.sides & HAS_LEFT != 0 => Some(Link::back(v - 1, RIGHT, 1)),
            2 if self.sides & HAS_BELOW != 0 => Some(Link::away(v, v + width, DOWN, 1)),
            3 if self.sides & HAS_ABOVE != 0 => Some(Link::back(v - width, DOWN, 1)),
            4 => Some(Link::away(v, cells, OUTSIDE, sigma)),
            _ => None,
        }
    }
}

impl Link {
    /// A link whose flow is stored at this end.
    fn away(owner: usize, to: usize, slot: usize, cost: i32) -> Self {
        Self { to, owner, slot, sign: 1, cost }
    }

    /// A link whose flow is stored at the other end.
    pub(crate) fn back(to: usize, slot: usize, cost: i32) -> Self {
        Self { to, owner: to, slot, sign: -1, cost }
    }
}

/// The sides on which cell `v` has a neighbour.
pub(crate) fn sides(v: usize, width: usize, cells: usize) -> u8 {
    let column = v % width;
    let mut sides = 0;
    if column + 1 < width {
        sides |= HAS_RIGHT;
    }
    if column > 0 {
        sides |= HAS_LEFT;
    }
    if v + width < cells {
        sides |= HAS_BELOW;
    }
    if v >= width {
        sides |= HAS_ABOVE;
    }
    sides
}
