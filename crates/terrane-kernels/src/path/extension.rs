//! The heights nearest to those wanted that limits on steps allow.

use super::step_limits::StepLimits;
use crate::{Cancelled, Progress};

/// Heights that keep to all limits: of the highest and the lowest such heights that what is wanted leads to,
/// the mean (McShane 1934; Whitney 1934).
///
/// Let d(a, b) be the cheapest sum of limits on a way from a to b along the grid. First what is wanted is
/// brought within d of the `fixed` heights, samples and what they have, of which those of `later` are
/// themselves brought within d of the others first; then it is the mean of min (wanted + d) and max (wanted −
/// d). So no two heights differ by more than d of their places, and any part of them, such as those on a
/// border, can be completed within the limits. Fixed heights that are within d of each other are met. Where
/// what is wanted keeps to the limits, and to fixed heights, it stays to the bit.
///
/// O(samples) for each sweep over the map, of which there are as many as the cheapest ways have turns.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked after each sweep.
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
        let room = room(wanted.len(), fixed, limits, progress)?;
        all.extend(later.iter().map(|&(at, height)| (at, nearest(height, room[at]))));
    }
    if !all.is_empty() {
        let room = room(wanted.len(), &all, limits, progress)?;
        brought.iter_mut().zip(room).for_each(|(height, room)| *height = nearest(*height, room));
    }
    let turned = brought.iter().map(|height| -height).collect();
    let (highest, lowest) = (lowered(brought, limits, progress)?, lowered(turned, limits, progress)?);
    Ok(highest.into_iter().zip(lowest).map(|(high, low)| (high - low) / 2.0).collect())
}

/// The lowest and the highest that each sample may stand within the limits from fixed heights.
fn room(
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

/// The height within, or half way between the ends where there is none.
fn nearest(height: f64, (low, high): (f64, f64)) -> f64 {
    if low > high { (low + high) / 2.0 } else { height.clamp(low, high) }
}

/// The greatest heights below those given that rise by no more than the limits: the fixed point of sweeps
/// over all samples, which is the one that any order leads to, to the bit.
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
        progress.report(0.0)?;
    }
    debug_assert_eq!(heights.len(), width * rows);
    Ok(heights)
}

/// Lowers a row to what the row before allows, then from its left end to its right and back; whether anything
/// sank.
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
    fn a_step_is_shared_and_what_fits_stays() {
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
        // What comes later stands within 2 of the first, which stays.
        let found = extended(&[5.0; 4], &[(0, 0.0)], &[(2, 9.0)], &limits, &Silent).unwrap();
        assert_eq!(found, [0.0, 1.0, 2.0, 3.0]);
    }

    /// Floyd (1962): the cheapest sums of limits between all pairs of samples.
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
        fn limits_are_kept_as_the_definition_says(
            wanted in proptest::collection::vec(-9.0f64..9.0, 30),
            fixed in proptest::collection::vec((0usize..30, -9.0f64..9.0), 0..4), limits in limits(),
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
