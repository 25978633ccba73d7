//! Smooths heights within limits on steps.

use super::step_limits::StepLimits;

/// Sweeps that smooth a crease over several samples.
const SWEEPS: usize = 32;

/// Smooths heights that respect all limits, without violating the limits. Each sample that is not `held`
/// repeatedly moves as near to the mean of its neighbours as the limits between them allow. Samples on the
/// map's border do not move. This removes creases: the mean of the highest and the lowest heights within
/// limits consists of cones around single heights.
///
/// Half of the samples move at once, like the black squares of a chessboard, and then the other half, so that
/// no direction is preferred.
pub fn smooth(heights: &mut [f64], held: &[bool], limits: &StepLimits) {
    for _ in 0..SWEEPS {
        for colour in 0..2 {
            sweep(heights, held, limits, colour);
        }
    }
}

fn sweep(heights: &mut [f64], held: &[bool], limits: &StepLimits, colour: usize) {
    let (width, rows) = limits.size;
    let inside = |size: usize| 1..size.saturating_sub(1);
    for y in inside(rows) {
        for x in inside(width).filter(|x| (x + y) % 2 == colour) {
            let at = y * width + x;
            if held[at] {
                continue;
            }
            let beside = [
                (at - 1, limits.right[at - 1]),
                (at + 1, limits.right[at]),
                (at - width, limits.down[at - width]),
                (at + width, limits.down[at]),
            ];
            let (mut low, mut high, mut sum) = (f64::NEG_INFINITY, f64::INFINITY, 0.0);
            for (next, limit) in beside {
                low = low.max(heights[next] - f64::from(limit));
                high = high.min(heights[next] + f64::from(limit));
                sum += heights[next];
            }
            // After rounding the range may be empty.
            if low <= high {
                heights[at] = (sum / 4.0).clamp(low, high);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Silent;
    use crate::path::extended;

    #[test]
    fn a_crease_is_smoothed_and_held_samples_stay() {
        let limits = StepLimits { size: (9, 9), right: vec![1.0; 81], down: vec![1.0; 81] };
        let roof: Vec<f64> = (0..81).map(|at| -f64::from((at % 9 - 4i32).abs())).collect();
        let mut heights = roof.clone();
        smooth(&mut heights, &[true; 81], &limits);
        assert_eq!(heights, roof);
        let mut held = vec![false; 81];
        held[9 * 4 + 2] = true;
        smooth(&mut heights, &held, &limits);
        assert_eq!(heights[9 * 4 + 2], -2.0);
        let bend = |heights: &[f64]| heights[9 * 4 + 3] - 2.0 * heights[9 * 4 + 4] + heights[9 * 4 + 5];
        assert!(bend(&heights).abs() < 0.5 * bend(&roof).abs(), "{heights:?}");
    }

    proptest! {
        #[test]
        fn limits_are_kept(
            wanted in proptest::collection::vec(-9.0f64..9.0, 42),
            steps in proptest::collection::vec(0.0f32..3.0, 84)
        ) {
            let limits = StepLimits { size: (7, 6), right: steps[..42].to_vec(), down: steps[42..].to_vec() };
            let mut heights = extended(&wanted, &[], &[], &limits, &Silent).unwrap();
            smooth(&mut heights, &[false; 42], &limits);
            for at in 0..42 {
                let beside = [
                    (at % 7 < 6).then(|| (at + 1, limits.right[at])),
                    (at < 35).then(|| (at + 7, limits.down[at])),
                ];
                for (next, limit) in beside.into_iter().flatten() {
                    prop_assert!((heights[at] - heights[next]).abs() <= f64::from(limit) + 1e-12);
                }
            }
        }
    }
}
