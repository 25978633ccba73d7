//! How far around a sample nodes look, by what several have in common.

use terrane_flow::Reach;

use crate::support::Boundary;

/// Why what repeats depends on the map.
pub const REPEATS: &str = "`wrap: true` repeats it from border to border";

/// Why schemes that change samples in place depend on the map.
pub const IN_ORDER: &str =
    "this `scheme` visits samples in order, and what one visit moves the next can move on";

/// As far as with an open border; what wraps reads the opposite side.
pub fn unless_wrapped(boundary: Boundary, open: Reach) -> Reach {
    match boundary {
        Boundary::Open => open,
        Boundary::Wrap => Reach::map("`boundary: Wrap` reads the opposite side of the map"),
    }
}

/// A scheme that works from the heights before each iteration: what a sample gets from its neighbours follows from their own.
pub fn jacobi(iterations: u32) -> Reach {
    Reach::Samples(2 * u64::from(iterations))
}
