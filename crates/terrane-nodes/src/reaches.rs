//! How far around a sample nodes look, by what several have in common.

use terrane_flow::Reach;

use crate::support::Boundary;

/// Why what repeats depends on the map.
pub const REPEATS: &str = "`wrap: true` repeats it from border to border";

/// Why schemes that change samples in place depend on the map.
pub const IN_ORDER: &str =
    "this `scheme` visits samples in order, and what one visit moves the next can move on";

/// Why lines on a picture depend on the map.
pub const DRAWN: &str = "lines are drawn in coordinates that begin at the map's corner, and round by them";

/// As far as with an open border; what wraps reads the opposite side.
pub fn unless_wrapped(boundary: Boundary, open: Reach) -> Reach {
    match boundary {
        Boundary::Open => open,
        Boundary::Wrap => Reach::map("`boundary: Wrap` reads the opposite side of the map"),
    }
}

/// A scheme that works from the heights before each iteration: what a sample gets from its neighbours follows
/// from their own. So many samples at the border are other ones from the start.
pub fn jacobi(iterations: u32, border: u64) -> Reach {
    Reach::Samples(if iterations == 0 { 0 } else { 2 * u64::from(iterations) + border })
}
