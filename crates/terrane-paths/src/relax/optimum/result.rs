//! The result of the optimisation: the nearest terrain, or an error.

use std::fmt;

use super::requirements::Requirements;

/// The relaxed terrain nearest to the given one.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// Heights, row by row. Those of free samples follow from the flows.
    pub heights: Vec<f64>,
    /// The distance between the given heights and these.
    pub cost: f64,
    /// The solver's dual objective: a lower bound, up to its tolerance.
    pub lower_bound: f64,
    /// Mass created.
    pub created: f64,
    /// Mass destroyed.
    pub destroyed: f64,
    /// Iterations of the interior-point method.
    pub iterations: u32,
    /// False if the solver stopped at its reduced accuracy.
    pub accurate: bool,
}

impl Optimum {
    /// The result if nothing can move and nothing has to.
    pub(super) fn unchanged(heights: &[f64], requirements: &Requirements) -> Self {
        let mut heights = heights.to_vec();
        for p in &requirements.positions {
            heights[p.sample] = p.height;
        }
        Self {
            heights,
            cost: 0.0,
            lower_bound: 0.0,
            created: 0.0,
            destroyed: 0.0,
            iterations: 0,
            accurate: true,
        }
    }
}

/// Why there is no optimum.
#[derive(Clone, Debug, PartialEq)]
pub enum OptimumError {
    /// The input is malformed; the text says what was expected.
    Input(&'static str),
    /// The constraints contradict each other.
    Infeasible,
    /// The caller cancelled.
    Cancelled,
    /// The solver failed; the text is its state.
    Solver(String),
}

impl fmt::Display for OptimumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(expected) => write!(f, "invalid input: expected {expected}"),
            Self::Infeasible => write!(f, "the constraints contradict each other"),
            Self::Cancelled => write!(f, "cancelled"),
            Self::Solver(state) => write!(f, "the cone solver failed: {state}"),
        }
    }
}

impl std::error::Error for OptimumError {}
