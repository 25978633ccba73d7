//! Reaches that several nodes share. A reach says how far around a sample a node reads, or why the node reads
//! the whole map.

use terrane_flow::Reach;
use terrane_kernels::Boundary;

/// Why a node that wraps depends on the whole map.
pub const REPEATS: &str = "`wrap: true` fits a whole number of cells into the map";

/// Why schemes that change samples in place depend on the whole map.
pub const IN_ORDER: &str =
    "this `scheme` changes samples one after the other, so material can travel far within one iteration";

/// Why lines on a picture depend on the whole map.
pub const DRAWN: &str = "the positions of lines are rounded relative to the map's corner";

/// The reach `open` if the boundary is open, or the whole map if it wraps.
pub fn unless_wrapped(boundary: Boundary, open: Reach) -> Reach {
    match boundary {
        Boundary::Open => open,
        Boundary::Wrap => Reach::map("`boundary: Wrap` reads the opposite side of the map"),
    }
}

/// The reach of a scheme in which each iteration reads only the heights from before the iteration. A sample
/// receives material from its neighbours, and the amount depends on the neighbours' own neighbours. So each
/// iteration adds two samples to the reach. `border` is the number of outermost samples of a window that are
/// wrong from the start.
pub fn jacobi(iterations: u32, border: u64) -> Reach {
    Reach::Samples(if iterations == 0 { 0 } else { 2 * u64::from(iterations) + border })
}
