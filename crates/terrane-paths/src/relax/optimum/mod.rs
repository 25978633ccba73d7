//! The exact optimum of a terrain relaxation, as a second-order cone programme.
//!
//! Given heights `L` on a grid, find heights `H` that meet every constraint and
//! lie nearest to `L` in the earth mover's distance with L1 ground distance.
//! The distance is a minimum-cost flow along the edges between 4-neighbours:
//!
//! ```text
//! minimise    spacing * sum(flow+ + flow-) + creation_cost * sum(created + destroyed)
//! subject to  out - in - created + destroyed = L - H     at every sample
//!             |gradient of H| <= limit                   in each quadrant: a cone
//!             |gradient of H . direction| <= limit       in each quadrant: two rows
//!             H = position                               at the fixed samples
//! ```
//!
//! Three choices make it fast:
//!
//! * A "free" sample, which no constraint reads, absorbs or supplies any amount at no cost. A flow that
//!   reaches one ends there, so free samples need no variables.
//! * Every slope row is divided by its own limit, so that all cones are unit cones; the solver's own
//!   equilibration is off. This saves up to half of the iterations and reduces violations a thousandfold.
//! * Flows are counted in edges (cost 1 each), not in units of length.
//!
//! The solver runs on one thread, so its result does not depend on the number of threads. Constraints on
//! roughness are not convex and are excluded.

mod apart;
mod grid;
mod model;
mod program;
mod requirements;
mod result;
#[cfg(test)]
mod tests;

use terrane_grid::Heightmap;

use super::Field;
use super::bounds::bank_bounds;
use crate::Progress;
use crate::path::Subdivision;
use apart::apart;
use grid::Grid;
use model::Model;
use requirements::{Creation, DirectionLimit, GradientLimit, Position, Requirements};

pub use result::{Optimum, OptimumError};

/// Parameters of the optimum besides a subdivision.
#[derive(Clone, Copy, Debug)]
pub struct Allowed<'a> {
    /// Heights that replace those that the subdivision prescribes.
    pub border: Option<&'a Heightmap>,
    /// How much a slope may exceed its bound.
    pub slope_tolerance: f64,
    /// Maximum slope of ground off the path, unless it was steeper before. If set, no height leaves the range
    /// of the ground and the prescribed heights. Default: unlimited.
    pub bank_slope: Option<f64>,
    /// Cost of a unit of height that is created or removed, in world units of moving it.
    pub creation_cost: f64,
    /// Whether height may be created and removed if no heights are prescribed. If some are, this is always
    /// allowed, at every sample.
    pub balanced: bool,
}

/// The terrain nearest to `map` that meets the slopes and heights of a subdivision.
///
/// # Errors
/// If heights are not finite, the constraints contradict each other, the solver does not converge, or
/// `progress` cancels.
pub fn optimum(
    map: &Heightmap,
    subdivision: &Subdivision,
    allowed: &Allowed<'_>,
    progress: &dyn Progress,
) -> Result<Optimum, OptimumError> {
    let field = Field::new(map);
    let tolerance = allowed.slope_tolerance;
    let bound = |slopes: &[f32]| -> Vec<(usize, f64)> {
        let finite = slopes.iter().enumerate().filter(|(_, slope)| slope.is_finite());
        finite.map(|(sample, &slope)| (sample, f64::from(slope) + tolerance)).collect()
    };
    let samples = field.heights.len();
    let steepest = allowed.bank_slope.map(|steepest| bank_bounds(&field, subdivision, steepest));
    let bank = |sample: usize| Some((sample, steepest.as_ref()?(sample)? + tolerance));
    let gradients = bound(&subdivision.slope).into_iter().chain((0..samples).filter_map(bank));
    let gradients = gradients.map(|(sample, limit)| GradientLimit { sample, limit });
    let directions = bound(&subdivision.directional).into_iter().map(|(sample, limit)| DirectionLimit {
        sample,
        limit,
        direction: subdivision.direction[sample].map(f64::from),
    });
    let given =
        |sample| subdivision.height_given(sample, allowed.border).map(|height| Position { sample, height });
    let positions: Vec<Position> = (0..samples).filter_map(given).collect();
    let is_made = allowed.balanced || !positions.is_empty();
    let heights = field.heights.iter().chain(positions.iter().map(|position| &position.height));
    let range = heights
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &height| (low.min(height), high.max(height)));
    let requirements = Requirements {
        gradients: gradients.collect(),
        directions: directions.collect(),
        positions,
        range: allowed.bank_slope.map(|_| range),
        creation: Creation {
            samples: if is_made { (0..samples).collect() } else { Vec::new() },
            cost: allowed.creation_cost,
        },
    };
    solve(map.width(), map.height(), map.spacing(), &field.heights, &requirements, progress)
}

/// Finds the heights nearest to `heights` that meet all requirements.
///
/// `heights` holds `width * height` samples, row by row, `spacing` apart.
///
/// # Errors
/// If the input is malformed, the constraints contradict each other, or the
/// solver does not converge.
fn solve(
    width: usize,
    height: usize,
    spacing: f64,
    heights: &[f64],
    requirements: &Requirements,
    progress: &dyn Progress,
) -> Result<Optimum, OptimumError> {
    let grid = Grid { width, height };
    validate(grid, spacing, heights, requirements)?;
    let (heights, requirements) = (heights.to_vec(), requirements.clone());
    apart(progress, move |stop| {
        let model = Model::build(grid, spacing, &heights, &requirements);
        if model.program.costs.is_empty() && model.program.is_trivial() {
            return Ok(Optimum::unchanged(&heights, &requirements));
        }
        let solution = model.program.solve(stop)?;
        Ok(model.read(spacing, &heights, &requirements, &solution))
    })
}

/// Rejects input that the model cannot express.
fn validate(
    grid: Grid,
    spacing: f64,
    heights: &[f64],
    requirements: &Requirements,
) -> Result<(), OptimumError> {
    let check = |ok: bool, what| {
        if ok { Ok(()) } else { Err(OptimumError::Input(what)) }
    };
    let samples = grid.width.saturating_mul(grid.height);
    let limit_ok = |limit: f64| limit.is_finite() && limit >= 0.0;
    check(samples == heights.len(), "as many heights as samples")?;
    check(spacing.is_finite() && spacing > 0.0, "spacing above zero")?;
    check(heights.iter().all(|h| h.is_finite()), "finite heights")?;
    check(constrained(requirements).all(|k| k < samples), "sample within the grid")?;
    check(requirements.creation.samples.iter().all(|&k| k < samples), "creation within the grid")?;
    check(limit_ok(requirements.creation.cost), "creation cost of at least zero")?;
    check(requirements.gradients.iter().all(|c| limit_ok(c.limit)), "limit of at least zero")?;
    check(requirements.directions.iter().all(|c| limit_ok(c.limit)), "limit of at least zero")?;
    check(requirements.directions.iter().flat_map(|c| c.direction).all(f64::is_finite), "finite direction")?;
    check(requirements.positions.iter().all(|p| p.height.is_finite()), "finite position")
}

/// The samples that constraints name.
fn constrained(requirements: &Requirements) -> impl Iterator<Item = usize> + '_ {
    let gradients = requirements.gradients.iter().map(|c| c.sample);
    let directions = requirements.directions.iter().map(|c| c.sample);
    gradients.chain(directions).chain(requirements.positions.iter().map(|c| c.sample))
}
