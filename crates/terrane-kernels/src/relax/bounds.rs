//! The constraints that a subdivision asks for.

use terrane_grid::Heightmap;

use super::constraint::Constraint;
use super::{Bank, BorderSlope, Directional, Field, Gradient, Position, Roughness};
use crate::path::Subdivision;

/// What is given beside a subdivision.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Heights in the place of those that the subdivision gives.
    pub border: Option<&'a Heightmap>,
    /// How much steeper than its bound a slope may be (T_s).
    pub slope_tolerance: f64,
    /// How steep ground off the path may become; as steep as it likes where there is none.
    pub bank_slope: Option<f64>,
    /// How far roughness may be from its goal (T_r).
    pub roughness_tolerance: f64,
    /// Scales in samples at which roughness is kept; the thesis has 1 alone.
    pub scales: &'a [usize],
    /// Whether the slope across the border is kept as well, in the row and column next to fixed heights: as in `border`, where that is given.
    pub border_slope: bool,
}

/// How much steeper than its bound a bank may be, beside the tolerance of slopes: a tenth of a percent, which nobody sees.
pub const BANK_TOLERANCE: f64 = 0.001;

/// The constraints that a subdivision of a terrain asks for, with the tolerances that are given: what a report counts by.
#[must_use]
pub fn bounds(field: &Field, subdivision: &Subdivision, given: &Given<'_>) -> Vec<Box<dyn Constraint>> {
    all(field, subdivision, given, Slack { inside: 0.0, tolerance: given.slope_tolerance })
}

/// The same for a solver whose heights are rounded to single precision afterwards: slopes are met within their tolerance less what rounding may add. Where
/// that leaves less than half of the tolerance, slopes are aimed inside their bounds by the rest.
#[must_use]
pub fn bounds_to_round(
    field: &Field,
    subdivision: &Subdivision,
    given: &Given<'_>,
) -> Vec<Box<dyn Constraint>> {
    let highest = field.heights.iter().fold(0.0f64, |most, height| most.max(height.abs()));
    let rounding = 4.0 * f64::from(f32::EPSILON) * highest / field.domain.spacing;
    let half = given.slope_tolerance / 2.0;
    let slack =
        Slack { inside: (rounding - half).max(0.0), tolerance: given.slope_tolerance - rounding.min(half) };
    all(field, subdivision, given, slack)
}

/// How slopes are met.
#[derive(Clone, Copy)]
struct Slack {
    /// How far inside its bound a slope is brought; by half of the bound at most.
    inside: f64,
    /// How much steeper than that is near enough.
    tolerance: f64,
}

impl Slack {
    fn of(self, slope: f64) -> f64 {
        slope - self.inside.min(slope / 2.0)
    }
}

fn all(
    field: &Field,
    subdivision: &Subdivision,
    given: &Given<'_>,
    slack: Slack,
) -> Vec<Box<dyn Constraint>> {
    let size = field.domain.size;
    let direction = |at: usize| subdivision.direction[at].map(f64::from);
    let path = |at: usize| slack.of(f64::from(subdivision.slope[at]));
    let beside = |at: usize| slack.of(f64::from(subdivision.directional[at]));
    let mut all: Vec<Box<dyn Constraint>> = vec![
        Box::new(Gradient::new(size, path, slack.tolerance)),
        Box::new(Directional::new(size, beside, direction, slack.tolerance)),
    ];
    if let Some(steepest) = given.bank_slope {
        let bank = |at: usize| bank_bound(field, subdivision, steepest, at).unwrap_or(f64::INFINITY);
        all.push(Box::new(Bank::new(size, bank, slack.tolerance + BANK_TOLERANCE)));
    }
    for &scale in given.scales {
        all.push(Box::new(Roughness::new(subdivision, field, given.roughness_tolerance, scale)));
    }
    let fixed: Vec<u32> =
        (0..field.heights.len() as u32).filter(|&at| !subdivision.given[at as usize].is_nan()).collect();
    if !fixed.is_empty() {
        let height = |at: usize| match given.border {
            Some(map) => f64::from(map.samples()[at]),
            None if subdivision.given[at].is_nan() => field.heights[at],
            None => f64::from(subdivision.given[at]),
        };
        if given.border_slope {
            all.push(Box::new(border_slope(field, subdivision, height, given.slope_tolerance)));
        }
        let heights = fixed.iter().map(|&at| height(at as usize)).collect();
        all.push(Box::new(Position::new(fixed, heights)));
    }
    all
}

/// How steep the ground at a sample may become as a bank: no steeper than `steepest` or than it was. `None` on a path, which has its own slope, and where
/// roughness is kept.
pub(super) fn bank_bound(field: &Field, subdivision: &Subdivision, steepest: f64, at: usize) -> Option<f64> {
    let is_free = subdivision.slope[at].is_infinite() && subdivision.roughness[at].is_nan();
    is_free.then(|| steepest.max(field.steepest(at)))
}

/// From each fixed sample inwards, but for corners.
fn border_slope(
    field: &Field,
    subdivision: &Subdivision,
    height: impl Fn(usize) -> f64,
    tolerance: f64,
) -> BorderSlope {
    let shape = field.shape();
    let inwards = |at: usize| {
        let (x, y) = shape.place(at);
        let dx = isize::from(x == 0) - isize::from(x + 1 == shape.width);
        let dy = isize::from(y == 0) - isize::from(y + 1 == shape.height);
        let straight = (dx == 0) != (dy == 0);
        straight.then(|| shape.inside((x, y), (dx, dy))).flatten()
    };
    let pairs = (0..field.heights.len()).filter(|&at| !subdivision.given[at].is_nan()).filter_map(|at| {
        let next = inwards(at)?;
        Some((at as u32, (next as u32, height(next) - height(at))))
    });
    let (samples, goals) = pairs.unzip();
    BorderSlope::new(samples, goals, tolerance)
}
