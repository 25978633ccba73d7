//! The constraints that a subdivision asks for.

use terrane_grid::Heightmap;

use super::constraint::Constraint;
use super::{BorderSlope, Directional, Field, Gradient, Position, Roughness};
use crate::path::Subdivision;

/// What is given beside a subdivision.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Heights in the place of those that the subdivision gives.
    pub border: Option<&'a Heightmap>,
    /// How much steeper than its bound a slope may be (T_s).
    pub slope_tolerance: f64,
    /// How far roughness may be from its goal (T_r).
    pub roughness_tolerance: f64,
    /// Scales in samples at which roughness is kept; the thesis has 1 alone.
    pub scales: &'a [usize],
    /// Whether the slope across the border is kept as well, in the row and column next to fixed heights: as in `border`, where that is given.
    pub border_slope: bool,
}

/// The constraints that a subdivision of a terrain asks for. Slopes are met a little within their tolerance, by as much as heights are
/// rounded in single precision, but for half of it at most: so maps meet it too.
#[must_use]
pub fn bounds(field: &Field, subdivision: &Subdivision, given: &Given<'_>) -> Vec<Box<dyn Constraint>> {
    let highest = field.heights.iter().fold(0.0f64, |most, height| most.max(height.abs()));
    let rounding = 4.0 * f64::from(f32::EPSILON) * highest / field.domain.spacing;
    let tolerance = given.slope_tolerance - rounding.min(given.slope_tolerance / 2.0);
    let mut all: Vec<Box<dyn Constraint>> = vec![
        Box::new(Gradient::new(subdivision, tolerance)),
        Box::new(Directional::new(subdivision, tolerance)),
    ];
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
