//! Ground beside paths that follows the paths' change of height.

use super::field::Field;
use crate::path::Subdivision;
use crate::{Cancelled, Progress};

/// How steeply the change of a path fades out where the ground beside it is too narrow: as a share of the
/// slope of banks.
const FADE: f64 = 0.5;

/// Over-relaxation of the membrane (Young 1954).
const OVER: f64 = 1.6;

/// The membrane is at rest when no sample moves by more than this share of the largest change of a path.
const AT_REST: f64 = 1e-6;

/// Maximum number of passes over the membrane.
const MOST_PASSES: usize = 10_000;

/// The four neighbours along rows and columns.
const BESIDE: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The change of height that paths bring to the ground beside them, in world units per sample: the ground
/// plus this change has the paths of `built`, and keeps the detail that it had beside them.
///
/// On a path, on samples next to it that its slopes involve, and where heights are fixed, the change is the
/// difference between `built` and `before`. From there it spreads like a membrane (Laplace's equation), over
/// the ground that keeps its roughness and as far as it needs to fade out at half of `bank_slope`. Elsewhere
/// it is 0. Fine differences between neighbours on a path fade within a few samples, so the ground keeps its
/// own detail.
///
/// O(samples) for each pass over the membrane. The number of passes grows with the membrane's width. Heights
/// that are not numbers make the membrane around them not-a-number.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels; it is called after each pass.
pub fn carried(
    before: &Field,
    built: &Field,
    subdivision: &Subdivision,
    bank_slope: Option<f64>,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Cancelled> {
    let (shape, count) = (before.shape(), before.heights.len());
    let around = |at: usize| {
        let position = shape.position(at);
        BESIDE.into_iter().filter_map(move |by| shape.inside(position, by))
    };
    let is_bound = |at: usize| subdivision.slope[at].is_finite() || subdivision.directional[at].is_finite();
    let is_held: Vec<bool> = (0..count)
        .map(|at| !subdivision.given[at].is_nan() || is_bound(at) || around(at).any(is_bound))
        .collect();
    let held = |at: usize| if is_held[at] { built.heights[at] - before.heights[at] } else { 0.0 };
    let mut change: Vec<f64> = (0..count).map(held).collect();
    let largest = change.iter().fold(0.0f64, |most, by| most.max(by.abs()));
    let cones = bank_slope.map(|slope| cones(before, &change, FADE * slope));
    let is_carried = |at: usize| {
        !subdivision.roughness[at].is_nan() || cones.as_ref().is_some_and(|cones| cones[at] > 0.0)
    };
    let membrane: Vec<usize> = (0..count).filter(|&at| !is_held[at] && is_carried(at)).collect();
    for _ in 0..MOST_PASSES {
        let mut most = 0.0f64;
        for &at in &membrane {
            let (sum, number) = around(at).fold((0.0, 0.0), |(sum, n), next| (sum + change[next], n + 1.0));
            let by = OVER * (sum / number - change[at]);
            change[at] += by;
            most = most.max(by.abs());
        }
        progress.check()?;
        if most <= AT_REST * largest {
            break;
        }
    }
    Ok(change)
}

/// The highest of the cones of a slope that stand on the amounts of the changes: above 0 where a change has
/// room to fade out. Distances are those of steps to the eight neighbours.
fn cones(field: &Field, change: &[f64], slope: f64) -> Vec<f64> {
    let (width, height) = field.domain.size;
    let mut cones: Vec<f64> = change.iter().map(|by| by.abs()).collect();
    let side = slope * field.domain.spacing;
    let corner = side * std::f64::consts::SQRT_2;
    let mut lift = |x: usize, y: usize, sign: isize| {
        let mut most = cones[y * width + x];
        for (dx, dy, fall) in [(-1, 0, side), (-1, -1, corner), (0, -1, side), (1, -1, corner)] {
            let (u, v) = (x.wrapping_add_signed(sign * dx), y.wrapping_add_signed(sign * dy));
            if u < width && v < height {
                most = most.max(cones[v * width + u] - fall);
            }
        }
        cones[y * width + x] = most;
    };
    (0..width * height).for_each(|at| lift(at % width, at / width, 1));
    (0..width * height).rev().for_each(|at| lift(at % width, at / width, -1));
    cones
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap, PlanarGraph};

    use super::*;
    use crate::Silent;
    use crate::path::{Subdivide, subdivide};

    /// A row of nine samples 1 apart, with a path of one sample on the left. The path and its neighbour sink
    /// by 4.
    #[test]
    fn the_change_of_a_path_fades_linearly_in_a_row() {
        let heights = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0];
        let map = Heightmap::from_fn(Domain::new(9, 1), |x, _| heights[x]);
        let none = PlanarGraph::default();
        let mut bounds = subdivide(&map, &none, &Subdivide::default(), &Silent).unwrap();
        bounds.slope[0] = 0.1;
        bounds.roughness[1..5].fill(1.0);
        let (before, mut built) = (Field::new(&map), Field::new(&map));
        for (height, by) in built.heights.iter_mut().zip([4.0, 4.0, 7.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0]) {
            *height -= by;
        }
        let assert_change = |bounds: &Subdivision, bank_slope, expected: [f64; 9]| {
            let change = carried(&before, &built, bounds, bank_slope, &Silent).unwrap();
            for (at, expected) in expected.into_iter().enumerate() {
                assert!((change[at] - expected).abs() < 1e-4, "{at}: {} {expected}", change[at]);
            }
        };
        // The ground that keeps its roughness ends with the fifth sample.
        assert_change(&bounds, None, [-4.0, -4.0, -3.0, -2.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
        // Half of the banks' slope is 0.85, which needs 4 / 0.85 = 4.7 samples.
        assert_change(&bounds, Some(1.7), [-4.0, -4.0, -3.2, -2.4, -1.6, -0.8, 0.0, 0.0, 0.0]);
        // A fixed height, which `built` has not moved.
        bounds.given[3] = 1.0;
        assert_change(&bounds, None, [-4.0, -4.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
