//! Moves ground that is almost within its bounds fully within them, everywhere at once.
//!
//! From each sample's bounds, every step to a neighbour gets its own limit, such that steps within their
//! limits are within the bounds. If two heights differ by more than the limits between them allow, both
//! change. The result is the mean of two surfaces that respect all limits: the highest one below the current
//! ground, and the lowest one above it (McShane 1934; Whitney 1934). Level ground respects any limits, so a
//! result always exists, and ground within its limits does not change. Where slopes along a direction cancel
//! each other, the current slopes are the limits. There the result is only close, and sweeps mend the rest.
//! If limits come from known heights within the bounds, nothing is left to mend, and prescribed heights among
//! the known ones can be met.

use super::level::{Level, Limits};
use crate::path::lower;
use crate::relax::field::Field;
use crate::{Cancelled, Progress};
use terrane_compute::filled;

/// The maximum rise or fall of each step to the next sample along x and along y, in the field's unit.
struct Steps {
    right: Vec<f64>,
    down: Vec<f64>,
    width: usize,
}

/// Moves the ground of a field within the bounds of its level; prescribed heights do not change. Earth is
/// created or lost. The bounds are divided among steps in proportion to the current steps, or to those of
/// `known` heights, which are within all bounds.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn repair(
    field: &mut Field,
    level: &Level,
    known: Option<&[f64]>,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    let steps = Steps::new(known.unwrap_or(&field.heights), field.domain.spacing, level, progress)?;
    if level.given.contains(&true) {
        let lowest = from_given(&steps, &field.heights, &level.given, 1.0, progress)?;
        let highest = from_given(&steps, &field.heights, &level.given, -1.0, progress)?;
        let free = level.given.iter().map(|given| !given);
        let bounds = lowest.into_iter().zip(highest);
        for ((height, (high, low)), _) in
            field.heights.iter_mut().zip(bounds).zip(free).filter(|(_, free)| *free)
        {
            *height = if -low > high { (high - low) / 2.0 } else { height.min(high).max(-low) };
        }
    }
    progress.check()?;
    let below = lowered(&steps, field.heights.clone(), progress)?;
    let above = lowered(&steps, field.heights.iter().map(|height| -height).collect(), progress)?;
    for (at, (below, above)) in below.into_iter().zip(above).enumerate() {
        if !level.given[at] {
            field.heights[at] = (below - above) / 2.0;
        }
    }
    Ok(())
}

impl Steps {
    fn new(heights: &[f64], spacing: f64, level: &Level, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let (width, height) = (level.width, level.height);
        let infinite = || filled(width * height, f64::INFINITY, progress);
        let mut out = Self { right: infinite()?, down: infinite()?, width };
        let over = 1.0 / spacing;
        for (at, limits) in level.bounds.iter().enumerate() {
            let Some(limits) = limits else { continue };
            let (x, y) = (at % width, at / width);
            if x == 0 {
                progress.check()?;
            }
            // Each side: the step's index, and the slope uphill towards larger x or y.
            let slope = |from: usize, to: usize| (heights[to] - heights[from]) * over;
            let across = [
                (x + 1 < width).then(|| (at, slope(at, at + 1))),
                (x > 0).then(|| (at - 1, slope(at - 1, at))),
            ];
            let along = [
                (y + 1 < height).then(|| (at, slope(at, at + width))),
                (y > 0).then(|| (at - width, slope(at - width, at))),
            ];
            for &(right, a) in across.iter().flatten() {
                for &(down, b) in along.iter().flatten() {
                    let (most_right, most_down) = box_of(limits, (a, b));
                    out.right[right] = out.right[right].min(most_right);
                    out.down[down] = out.down[down].min(most_down);
                }
            }
        }
        progress.check()?;
        out.right.iter_mut().chain(&mut out.down).for_each(|most| *most *= spacing);
        Ok(out)
    }

    /// The neighbours of a sample, with the maximum height difference to each.
    fn beside(&self, at: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let (x, width, all) = (at % self.width, self.width, self.right.len());
        let right = (x + 1 < width).then(|| (at + 1, self.right[at]));
        let left = (x > 0).then(|| (at - 1, self.right[at - 1]));
        let down = (at + width < all).then(|| (at + width, self.down[at]));
        let up = (at >= width).then(|| (at - width, self.down[at - width]));
        [right, left, down, up].into_iter().flatten()
    }
}

/// The maximum slopes along x and y with which a quadrant is within its limits, whatever the signs of the
/// slopes. They are slightly more than the current slopes if the quadrant is within its limits, otherwise
/// less by a common factor.
fn box_of(limits: &Limits, (a, b): (f64, f64)) -> (f64, f64) {
    let (p, q) = (a.abs(), b.abs());
    let any = limits.any;
    let length = (p * p + q * q).sqrt();
    let mut most = if any.is_infinite() {
        (any, any)
    } else if length > any {
        (p * any / length, q * any / length)
    } else {
        // (p + t)² + (q + t)² is any².
        let more = ((2.0 * any * any - (p - q) * (p - q)).sqrt() - (p + q)) / 2.0;
        (p + more.max(0.0), q + more.max(0.0))
    };
    if let Some(([dx, dy], slope)) = limits.along {
        let (dx_abs, dy_abs) = (dx.abs(), dy.abs());
        let sum = p * dx_abs + q * dy_abs;
        let (right, down) = if sum <= slope {
            let more = (slope - sum) / (dx_abs + dy_abs);
            (p + more, q + more)
        } else if (a * dx + b * dy).abs() <= slope {
            (p, q)
        } else {
            (p * slope / sum, q * slope / sum)
        };
        most = (most.0.min(right), most.1.min(down));
    }
    most
}

/// The highest heights, at most the given ones, that respect all steps: propagates from each sample that has
/// a neighbour too high above it.
fn lowered(steps: &Steps, mut heights: Vec<f64>, progress: &dyn Progress) -> Result<Vec<f64>, Cancelled> {
    let is_low = |at: &usize| steps.beside(*at).any(|(next, most)| heights[next] > heights[*at] + most);
    let mut low = Vec::new();
    for row in (0..heights.len()).step_by(steps.width) {
        progress.check()?;
        low.extend((row..row + steps.width).filter(is_low));
    }
    lower(&mut heights, low.into_iter(), |at| steps.beside(at), || progress.check())?;
    Ok(heights)
}

/// The maximum height of each sample with which the steps to all prescribed heights are respected. With a
/// sign of -1, the negated minimum height instead.
fn from_given(
    steps: &Steps,
    heights: &[f64],
    given: &[bool],
    sign: f64,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Cancelled> {
    let height = |at: usize| if given[at] { sign * heights[at] } else { f64::INFINITY };
    let mut most: Vec<f64> = (0..heights.len()).map(height).collect();
    let from = (0..heights.len()).filter(|&at| given[at]);
    lower(&mut most, from, |at| steps.beside(at), || progress.check())?;
    Ok(most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Heightmap};

    use super::*;
    use crate::Silent;

    fn level(field: &Field, any: f64, given: Vec<bool>) -> Level {
        let bound = Limits { any, along: None, tolerance: 0.0, before: None };
        let size = field.domain.size;
        Level {
            width: size.0,
            height: size.1,
            heights: field.heights.clone(),
            bounds: vec![Some(bound); field.heights.len()],
            range: (f64::NEG_INFINITY, f64::INFINITY),
            max_price: f64::INFINITY,
            given,
            beside_given: None,
        }
    }

    #[test]
    fn a_cliff_yields_on_both_sides() {
        let cliff = Heightmap::from_fn(Domain::new(9, 2), |x, _| if x < 4 { 0.0 } else { 1.0 });
        let mut field = Field::new(&cliff);
        let level = level(&field, 0.5, vec![false; 18]);
        repair(&mut field, &level, None, &Silent).unwrap();
        let step = |at: usize| field.heights[at + 1] - field.heights[at];
        assert!((step(3) - 0.5).abs() < 1e-12, "{:?}", field.heights);
        assert!((field.heights[3] + field.heights[4] - 1.0).abs() < 1e-12, "the middle stays");
        assert_eq!((field.heights[0], field.heights[8]), (0.0, 1.0));
    }

    proptest! {
        /// Gradients are within their bounds afterwards, prescribed heights do not change, and ground that
        /// was within all bounds does not either.
        #[test]
        fn bounds_are_met_afterwards(
            heights in proptest::collection::vec(0.0f32..3.0, 63),
            any in 0.1f64..4.0,
            pin in 0usize..63,
        ) {
            let map = Heightmap::from_vec(Domain::new(9, 7), heights);
            let mut field = Field::new(&map);
            let mut given = vec![false; 63];
            given[pin] = true;
            let level = level(&field, any, given);
            repair(&mut field, &level, None, &Silent).unwrap();
            for at in 0..63 {
                prop_assert!(field.steepest(at) <= any * (1.0 + 1e-12), "{} {}", field.steepest(at), any);
            }
            prop_assert_eq!(field.heights[pin], f64::from(map.samples()[pin]));
            let before = field.clone();
            repair(&mut field, &level, None, &Silent).unwrap();
            prop_assert!(field.heights.iter().zip(&before.heights).all(|(a, b)| (a - b).abs() < 1e-12));
        }
    }
}
