//! Heights that are nearest to wanted ones and respect limits on steps.

use super::step_limits::StepLimits;
use crate::{Cancelled, Progress};

/// Heights within all limits: the mean of the highest and the lowest such heights that the wanted ones lead
/// to (McShane 1934; Whitney 1934).
///
/// Let d(a, b) be the minimum sum of limits on a path from a to b along the grid. `fixed` lists samples with
/// fixed heights. `later` lists further samples; their heights are brought within d of `fixed`, and are then
/// fixed too. Next, the wanted heights are brought within d of all fixed heights. The result is the mean of
/// min (wanted + d) and max (wanted − d). So no two heights differ by more than d, and any subset of them,
/// such as those on a border, can be extended to all samples within the limits. Fixed heights that are within
/// d of each other are reached. Wanted heights that respect the limits and the fixed heights do not change.
///
/// O(samples) for each sweep over the map. The number of sweeps is the number of turns in the paths that
/// attain d.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels; it is called after each sweep.
pub fn extended(
    wanted: &[f64],
    fixed: &[(usize, f64)],
    later: &[(usize, f64)],
    limits: &StepLimits,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Cancelled> {
    let mut brought = wanted.to_vec();
    let mut all = fixed.to_vec();
    if !later.is_empty() {
        let ranges = allowed_ranges(wanted.len(), fixed, limits, progress)?;
        all.extend(later.iter().map(|&(at, height)| (at, nearest(height, ranges[at]))));
    }
    if !all.is_empty() {
        let ranges = allowed_ranges(wanted.len(), &all, limits, progress)?;
        brought.iter_mut().zip(ranges).for_each(|(height, range)| *height = nearest(*height, range));
    }
    let negated = brought.iter().map(|height| -height).collect();
    let (highest, lowest) = (lowered(brought, limits, progress)?, lowered(negated, limits, progress)?);
    Ok(highest.into_iter().zip(lowest).map(|(high, low)| (high - low) / 2.0).collect())
}

/// The minimum and maximum height of each sample within the limits from fixed heights.
fn allowed_ranges(
    count: usize,
    fixed: &[(usize, f64)],
    limits: &StepLimits,
    progress: &dyn Progress,
) -> Result<Vec<(f64, f64)>, Cancelled> {
    if fixed.is_empty() {
        return Ok(vec![(f64::NEG_INFINITY, f64::INFINITY); count]);
    }
    let cones = |sign: f64| {
        let mut heights = vec![f64::INFINITY; count];
        fixed.iter().for_each(|&(at, height)| heights[at] = heights[at].min(sign * height));
        lowered(heights, limits, progress)
    };
    let (highest, lowest) = (cones(1.0)?, cones(-1.0)?);
    Ok(lowest.into_iter().zip(highest).map(|(low, high)| (-low, high)).collect())
}

/// The nearest height in a range, or its midpoint if the range is empty.
fn nearest(height: f64, (low, high): (f64, f64)) -> f64 {
    if low > high { (low + high) / 2.0 } else { height.clamp(low, high) }
}

/// The greatest heights, at most the given ones, whose steps are within the limits: the fixed point of sweeps
/// over all samples. It has the same bits in any order of sweeps.
fn lowered(
    mut heights: Vec<f64>,
    limits: &StepLimits,
    progress: &dyn Progress,
) -> Result<Vec<f64>, Cancelled> {
    let (width, rows) = limits.size;
    let mut changed = true;
    while changed {
        changed = false;
        for row in 0..rows {
            changed |= sweep(&mut heights, limits, row, row.checked_sub(1));
        }
        for row in (0..rows).rev() {
            changed |= sweep(&mut heights, limits, row, (row + 1 < rows).then_some(row + 1));
        }
        progress.check()?;
    }
    debug_assert_eq!(heights.len(), width * rows);
    Ok(heights)
}

/// Lowers the heights of a row to what the row before allows, then to what neighbours along the row allow, in
/// both directions. Returns whether anything changed.
fn sweep(heights: &mut [f64], limits: &StepLimits, row: usize, before: Option<usize>) -> bool {
    let width = limits.size.0;
    let first = row * width;
    let mut changed = false;
    if let Some(before) = before {
        let (other, upper) = (before * width, before.min(row) * width);
        for column in 0..width {
            let most = heights[other + column] + f64::from(limits.down[upper + column]);
            if most < heights[first + column] {
                heights[first + column] = most;
                changed = true;
            }
        }
    }
    let row = &mut heights[first..first + width];
    let limits = &limits.right[first..first + width];
    for column in 1..width {
        let most = row[column - 1] + f64::from(limits[column - 1]);
        if most < row[column] {
            row[column] = most;
            changed = true;
        }
    }
    for column in (1..width).rev() {
        let most = row[column] + f64::from(limits[column - 1]);
        if most < row[column - 1] {
            row[column - 1] = most;
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Silent;

    #[test]
    fn a_step_is_shared_and_heights_within_limits_stay() {
        let limits = StepLimits { size: (4, 1), right: vec![1.0; 4], down: vec![1.0; 4] };
        assert_eq!(
            extended(&[0.0, 0.0, 4.0, 4.0], &[], &[], &limits, &Silent).unwrap(),
            [1.0, 1.5, 2.5, 3.0]
        );
        assert_eq!(
            extended(&[0.1, 1.0, 0.3, 0.2], &[], &[], &limits, &Silent).unwrap(),
            [0.1, 1.0, 0.3, 0.2]
        );
        assert_eq!(extended(&[5.0; 4], &[(0, 0.0)], &[], &limits, &Silent).unwrap(), [0.0, 1.0, 2.0, 3.0]);
        // The `later` height ends within 2 of the fixed one, which does not change.
        let found = extended(&[5.0; 4], &[(0, 0.0)], &[(2, 9.0)], &limits, &Silent).unwrap();
        assert_eq!(found, [0.0, 1.0, 2.0, 3.0]);
    }

    /// Floyd (1962): the minimum sums of limits between all pairs of samples.
    fn distances(limits: &StepLimits) -> Vec<Vec<f64>> {
        let (width, height) = limits.size;
        let count = width * height;
        let mut d = vec![vec![f64::INFINITY; count]; count];
        (0..count).for_each(|at| d[at][at] = 0.0);
        for (at, (&right, &down)) in limits.right.iter().zip(&limits.down).enumerate() {
            for (next, is_there, limit) in
                [(at + 1, at % width + 1 < width, right), (at + width, at + width < count, down)]
            {
                if is_there {
                    d[at][next] = f64::from(limit);
                    d[next][at] = f64::from(limit);
                }
            }
        }
        for k in 0..count {
            for i in 0..count {
                for j in 0..count {
                    d[i][j] = d[i][j].min(d[i][k] + d[k][j]);
                }
            }
        }
        d
    }

    fn limits() -> impl Strategy<Value = StepLimits> {
        let steps = || proptest::collection::vec(prop_oneof![0.0f32..1.0, 2.0f32..9.0], 30);
        (steps(), steps()).prop_map(|(right, down)| StepLimits { size: (6, 5), right, down })
    }

    proptest! {
        #[test]
        fn results_match_the_definition(
            wanted in proptest::collection::vec(-9.0f64..9.0, 30),
            fixed in proptest::collection::vec((0usize..30, -9.0f64..9.0), 0..4),
            limits in limits()
        ) {
            let d = distances(&limits);
            let found = extended(&wanted, &fixed, &[], &limits, &Silent).unwrap();
            let least = |all: &mut dyn Iterator<Item = f64>| all.fold(f64::INFINITY, f64::min);
            let brought: Vec<f64> = (0..30).map(|at| {
                let high = least(&mut fixed.iter().map(|&(a, height)| height + d[a][at]));
                let low = -least(&mut fixed.iter().map(|&(a, height)| d[a][at] - height));
                if low > high { (low + high) / 2.0 } else { wanted[at].clamp(low, high) }
            }).collect();
            for at in 0..30 {
                let high = least(&mut (0..30).map(|q| brought[q] + d[q][at]));
                let low = -least(&mut (0..30).map(|q| d[q][at] - brought[q]));
                prop_assert!((found[at] - (high + low) / 2.0).abs() < 1e-9);
                for other in 0..30 {
                    prop_assert!((found[at] - found[other]).abs() <= d[at][other] + 1e-9);
                }
            }
            let meets = fixed.iter().all(|&(a, x)| fixed.iter().all(|&(b, y)| (x - y).abs() <= d[a][b]));
            prop_assert!(!meets || fixed.iter().all(|&(at, height)| (found[at] - height).abs() < 1e-9));
            let again = extended(&found, &[], &[], &limits, &Silent).unwrap();
            prop_assert!(again.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
