//! Builds the constraints of a subdivision.

use super::constraint::Constraint;
use super::given::Given;
use super::{Bank, BorderSlope, Directional, Field, Gradient, Position, Roughness};
use crate::path::Subdivision;

/// How much a bank may exceed its bound in addition to the slopes' tolerance: a tenth of a percent, which is
/// invisible.
pub const BANK_TOLERANCE: f64 = 0.001;

/// The constraints of a subdivision of a terrain with the given tolerances. Reports count violations of
/// these.
#[must_use]
pub fn bounds(field: &Field, subdivision: &Subdivision, given: &Given<'_>) -> Vec<Box<dyn Constraint>> {
    all(field, subdivision, given, Slack { inside: 0.0, tolerance: given.slope_tolerance })
}

/// The constraints for a solver whose heights are rounded to single precision afterwards: the tolerance of
/// slopes is reduced by what rounding may add, but at most by half. If rounding may add more than half of the
/// tolerance, slopes are aimed inside their bounds by the rest. If the ground already meets the exact bounds,
/// these are returned, so that the ground need not move.
#[must_use]
pub fn bounds_to_round(
    field: &Field,
    subdivision: &Subdivision,
    given: &Given<'_>,
) -> Vec<Box<dyn Constraint>> {
    let exact = bounds(field, subdivision, given);
    let meets = |bound: &dyn Constraint| (0..bound.samples().len()).all(|at| bound.excess(field, at) <= 0.0);
    if exact.iter().all(|bound| meets(&**bound)) {
        return exact;
    }
    let highest = field.heights.iter().fold(0.0f64, |most, height| most.max(height.abs()));
    let rounding = 4.0 * f64::from(f32::EPSILON) * highest / field.domain.spacing;
    let half = given.slope_tolerance / 2.0;
    let slack =
        Slack { inside: (rounding - half).max(0.0), tolerance: given.slope_tolerance - rounding.min(half) };
    all(field, subdivision, given, slack)
}

/// How closely slopes must meet their bounds.
#[derive(Clone, Copy)]
struct Slack {
    /// How far inside its bound a slope is aimed; at most half of the bound.
    inside: f64,
    /// The accepted excess over the slope that is aimed at.
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
        let limit = bank_bounds(field, subdivision, steepest);
        let bank = |at: usize| limit(at).unwrap_or(f64::INFINITY);
        // The tolerance of banks has room for rounding.
        let tolerance = slack.tolerance + BANK_TOLERANCE - slack.inside.min(BANK_TOLERANCE / 2.0);
        all.push(Box::new(Bank::new(size, bank, tolerance)));
    }
    for &scale in given.scales {
        all.push(Box::new(Roughness::new(subdivision, field, given, scale)));
    }
    let given_at = |at: usize| subdivision.height_given(at, given.border);
    let fixed: Vec<(u32, f64)> =
        (0..field.heights.len()).filter_map(|at| given_at(at).map(|height| (at as u32, height))).collect();
    if !fixed.is_empty() {
        if given.border_slope {
            // Slopes inside the border, too, are those of the border map, if given.
            let height = |at: usize| match given.border {
                Some(map) => f64::from(map.samples()[at]),
                None => given_at(at).unwrap_or(field.heights[at]),
            };
            all.push(Box::new(border_slope(field, subdivision, height, given.slope_tolerance)));
        }
        let (samples, heights) = fixed.into_iter().unzip();
        all.push(Box::new(Position::new(samples, heights)));
    }
    all
}

/// The maximum slope of each sample as a bank: `steepest`, the slope that it had, or the slope where a
/// world's patches meet, whichever is greatest. `None` on a path, which has its own slope, and where
/// roughness is kept.
pub(super) fn bank_bounds(
    field: &Field,
    subdivision: &Subdivision,
    steepest: f64,
) -> impl Fn(usize) -> Option<f64> {
    let heights: Vec<f64> = subdivision.world.iter().map(|&height| f64::from(height)).collect();
    let world = (!heights.is_empty()).then_some(Field { domain: field.domain, heights });
    move |at| {
        let is_free = subdivision.slope[at].is_infinite() && subdivision.roughness[at].is_nan();
        let was = || world.as_ref().map_or(0.0, |world| world.steepest(at)).max(field.steepest(at));
        is_free.then(|| steepest.max(was()))
    }
}

/// Pairs of neighbouring samples. The second sample of a pair is one sample farther inside. The pairs start
/// at prescribed samples of the border. They continue straight inwards as far as the band along the border
/// extends, with at least one pair for each start. There are none on the diagonal from a corner, where two
/// sides are equally near. Except for the first pair, they are omitted where a path or the ground beside it
/// has its own slope, since the two slopes would conflict.
fn border_slope(
    field: &Field,
    subdivision: &Subdivision,
    height: impl Fn(usize) -> f64,
    tolerance: f64,
) -> BorderSlope {
    let shape = field.shape();
    let depth = |(x, y): (usize, usize)| x.min(y).min(shape.width - 1 - x).min(shape.height - 1 - y);
    let rows = (subdivision.band / field.domain.spacing).min(field.heights.len() as f64) as usize;
    let is_free =
        |at: usize| subdivision.slope[at].is_infinite() && subdivision.directional[at].is_infinite();
    let inwards = |at: usize| {
        let (x, y) = shape.position(at);
        let from_border = depth((x, y));
        if from_border >= rows.max(1) {
            return None;
        }
        let near = |apart: usize| isize::from(apart == from_border);
        let (dx, dy) = (near(x) - near(shape.width - 1 - x), near(y) - near(shape.height - 1 - y));
        let next = if (dx == 0) == (dy == 0) { None } else { shape.inside((x, y), (dx, dy)) }?;
        let back = -(from_border as isize);
        let foot = shape.inside((x, y), (dx * back, dy * back))?;
        let is_deeper = from_border == 0 || depth(shape.position(next)) > from_border;
        let is_bound = is_deeper && !subdivision.given[foot].is_nan();
        (is_bound && (from_border == 0 || (is_free(at) && is_free(next)))).then_some(next)
    };
    let pairs = (0..field.heights.len()).filter_map(|at| {
        let next = inwards(at)?;
        Some((at as u32, (next as u32, height(next) - height(at))))
    });
    let (samples, goals) = pairs.unzip();
    BorderSlope::new(samples, goals, tolerance)
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;
    use crate::path::{Borders, Costs, Details, Search, Subdivide, Surround, subdivide};
    use crate::relax::{BoundKind, Outcome, Relaxation, Solver, relax};

    /// Eleven columns whose left border is prescribed, and a band four samples wide. In each row of samples
    /// four pairs are bound, so that ground rises inwards from the border as before. Ground farther inside is
    /// free.
    #[test]
    fn the_band_of_four_rows_keeps_its_slope() {
        let domain = Domain::new(11, 15).with_spacing(2.0);
        let map = Heightmap::from_fn(domain, |x, _| 0.5 * (x * x) as f32);
        let left = Heightmap::constant(Domain { size: (1, 15), ..domain }, 3.0);
        let parameters = Subdivide {
            search: Search::by(Costs::Thesis { alpha: 1.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: 8.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.0,
            surround: Surround::Directional,
            borders: Borders::Stitched,
            anchors: &[],
            details: Details { neighbours: &[&left], ..Details::default() },
        };
        let mut s =
            subdivide(&map, &terrane_grid::PlanarGraph::default(), &parameters, &crate::Silent).unwrap();
        assert_eq!((s.band, s.given.iter().filter(|given| !given.is_nan()).count()), (8.0, 15));
        s.roughness.fill(f32::NAN);
        let given = Given {
            border: None,
            slope_tolerance: 1e-5,
            roughness_tolerance: Some(0.04),
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: true,
            bank_slope: None,
        };
        let mut field = Field::new(&map);
        // The border is 3 higher than the ground: the goals are those of ground that blends into it.
        field.heights.iter_mut().for_each(|height| *height += 3.0);
        let constraints = bounds(&field, &s, &given);
        let slopes =
            constraints.iter().find(|constraint| constraint.kind() == BoundKind::BorderSlope).unwrap();
        let row: Vec<u32> = slopes.samples().iter().copied().filter(|at| at / 11 == 7).collect();
        assert_eq!(row, [77, 78, 79, 80]);
        assert_eq!(slopes.samples().iter().filter(|at| *at / 11 == 1).count(), 1, "next to the corner row");
        field.heights.iter_mut().enumerate().for_each(|(at, height)| *height += 0.1 * (at % 7) as f64);
        let p = Relaxation {
            solver: Solver::Reference,
            max_iterations: 100_000,
            early_exit: true,
            history_every: 0,
            creation_cost: None,
            known: None,
        };
        let before = field.clone();
        let out = relax(&mut field, &constraints, &p, &crate::Silent).unwrap();
        assert_eq!(out.outcome, Outcome::Met);
        for x in 0..=4usize {
            let wanted = 3.0 + 0.5 * (x * x) as f64;
            assert!((field.heights[77 + x] - wanted).abs() <= 4.0 * 2e-5, "{x}");
        }
        assert_eq!(field.heights[77 + 5], before.heights[77 + 5], "beyond the band");
    }
}
