//! Parameters of the constraints of a subdivision.

use terrane_grid::Heightmap;

/// Parameters of constraints besides a subdivision.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Heights on the border that replace those of the subdivision.
    pub border: Option<&'a Heightmap>,
    /// How much a slope may exceed its bound (T_s).
    pub slope_tolerance: f64,
    /// Maximum slope of ground off the path. Default: unlimited.
    pub bank_slope: Option<f64>,
    /// How far roughness may be from its goal (T_r). Default: a fifth of the goal, plus the roughness of
    /// `change`.
    pub roughness_tolerance: Option<f64>,
    /// The change of height that paths bring to the ground beside them, in world units per sample: the result
    /// of [`carried`](super::carried). Default: none, as if empty.
    pub change: Option<&'a [f64]>,
    /// Per sample, how often the tolerance of its roughness is doubled; empty if never.
    pub widening: &'a [u8],
    /// Scales in samples at which roughness is kept; the thesis uses only 1.
    pub scales: &'a [usize],
    /// Whether the slope across the border, or that of `border` if given, is kept as well, over the
    /// subdivision's band.
    pub border_slope: bool,
}

impl Default for Given<'_> {
    /// The thesis's tolerance of slopes, and banks as steep as loose earth can be.
    fn default() -> Self {
        Self {
            border: None,
            slope_tolerance: 1.0e-5,
            bank_slope: Some(0.7),
            roughness_tolerance: None,
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: false,
        }
    }
}
