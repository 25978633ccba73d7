//! What the relaxed terrain must meet.

/// The norm of the gradient at a sample is at most `limit`, in each quadrant
/// (two neighbours, one per axis) that exists there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientLimit {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// Largest slope, height over distance.
    pub limit: f64,
}

/// The absolute slope along `direction` is at most `limit`, in each quadrant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionLimit {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// Largest slope, height over distance.
    pub limit: f64,
    /// Unit vector along which the slope is taken.
    pub direction: [f64; 2],
}

/// The height at a sample is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Index of the sample, `y * width + x`.
    pub sample: usize,
    /// The height it must have.
    pub height: f64,
}

/// Where mass may be created or destroyed, and what one unit of it costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Creation {
    /// The samples where it is allowed. The plain distance allows it at all of
    /// them; none are needed where free samples can be reached.
    pub samples: Vec<usize>,
    /// Cost of a unit of height created or destroyed (by default `2 n spacing`).
    pub cost: f64,
}

/// All that the relaxed terrain must meet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// Limits on the norm of the gradient.
    pub gradients: Vec<GradientLimit>,
    /// Limits on directional derivatives.
    pub directions: Vec<DirectionLimit>,
    /// Fixed heights.
    pub positions: Vec<Position>,
    /// The lowest and the highest that heights may be.
    pub range: Option<(f64, f64)>,
    /// Creation and destruction of mass.
    pub creation: Creation,
}
