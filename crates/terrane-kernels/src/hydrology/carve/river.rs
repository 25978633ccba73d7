//! Rivers to carve, and how.

/// A line of a river, from its source downstream. All lists have one entry for each point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RiverLine {
    /// World x and y.
    pub points: Vec<(f64, f64)>,
    /// Heights of the banks, or of the water in a lake. They do not rise.
    pub heights: Vec<f64>,
    /// Drainage area or, multiplied by the runoff, any other measure of the water.
    pub drainage: Vec<f64>,
    /// Whether the point is in a lake or in the sea.
    pub in_lake: Vec<bool>,
    /// The order of the river.
    pub order: f64,
}

/// Parameters of [`carve_rivers`](super::carve_rivers).
#[derive(Clone, Copy, Debug)]
pub struct RiverCarving {
    /// Discharge from a unit of drainage.
    pub runoff: f64,
    /// Width of a river with a discharge of 1.
    pub width: f64,
    /// The power of the discharge to which the width is proportional.
    pub width_exponent: f64,
    /// Depth of a river with a discharge of 1.
    pub depth: f64,
    /// The power of the discharge to which the depth is proportional.
    pub depth_exponent: f64,
    /// Height of the banks above the water, as a share of the depth.
    pub banks: f64,
    /// Width of the floodplain, in widths of the river.
    pub floodplain: f64,
    /// Steepest slope of the ground beside the floodplain.
    pub side: f64,
    /// Amplitude of meanders, in widths of the river.
    pub meanders: f64,
    /// Distance from a river beyond which the ground does not change.
    pub reach: f64,
}
