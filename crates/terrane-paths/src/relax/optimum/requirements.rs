//! The requirements on the relaxed terrain.

/// Limits the norm of the gradient at a sample in each quadrant (two neighbours, one per axis) that exists
/// there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientLimit {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// Maximum slope, height over distance.
    pub limit: f64,
}

/// Limits the absolute slope along `direction` in each quadrant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionLimit {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// Maximum slope, height over distance.
    pub limit: f64,
    /// Unit vector along which the slope is measured.
    pub direction: [f64; 2],
}

/// Fixes the height of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// The height it must have.
    pub height: f64,
}

/// Where mass may be created or destroyed, and the cost of a unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creation {
    /// The samples where it is allowed. The plain distance allows it at all samples; none are needed if free
    /// samples can be reached.
    pub samples: Vec<usize>,
    /// Cost of a unit of height created or destroyed (by default `2 n spacing`).
    pub cost: f64,
}

/// All requirements on the relaxed terrain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Requirements {
    /// Limits on the norm of the gradient.
    pub gradients: Vec<GradientLimit>,
    /// Limits on directional derivatives.
    pub directions: Vec<DirectionLimit>,
    /// Fixed heights.
    pub positions: Vec<Position>,
    /// The minimum and maximum of heights.
    pub range: Option<(f64, f64)>,
    /// Creation and destruction of mass.
    pub creation: Creation,
}
