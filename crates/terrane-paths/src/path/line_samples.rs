//! The samples nearest to a line.

use super::point::Point;

/// Points of a sample's width at which the nearest sample is taken.
const STEPS: f64 = 8.0;

/// The samples nearest to the points of a line, in their order. Each touches the next, and none is left out
/// that only rounds a corner between two others.
pub fn samples_of(line: &[Point]) -> Vec<(usize, usize)> {
    let nearest = |(x, y): Point| (libm::round(x) as usize, libm::round(y) as usize);
    let mut out: Vec<(usize, usize)> = line.first().copied().map(nearest).into_iter().collect();
    for ends in line.windows(2) {
        let (dx, dy) = (ends[1].0 - ends[0].0, ends[1].1 - ends[0].1);
        let count = (dx.abs().max(dy.abs()) * STEPS).ceil().max(1.0);
        for step in 1..=count as usize {
            let part = step as f64 / count;
            let next = nearest((ends[0].0 + part * dx, ends[0].1 + part * dy));
            let touches = |a: (usize, usize)| a.0.abs_diff(next.0).max(a.1.abs_diff(next.1)) <= 1;
            if out.last() == Some(&next) {
                continue;
            }
            // The sample before only rounds a corner.
            if out.len() > 1 && touches(out[out.len() - 2]) {
                out.pop();
            }
            if out.last() != Some(&next) {
                out.push(next);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn samples_by_hand() {
        assert_eq!(samples_of(&[(0.2, 0.0), (2.0, 1.0)]), [(0, 0), (1, 1), (2, 1)]);
        // The line passes through the square of (1, 0), whose neighbours touch at a corner.
        assert_eq!(samples_of(&[(0.0, 0.0), (1.0, 0.4), (1.0, 1.0)]), [(0, 0), (1, 1)]);
        assert_eq!(samples_of(&[(3.0, 2.0)]), [(3, 2)]);
    }

    /// The part of a way from `a` to `b`, as fractions of its length, that is nearest to this sample.
    fn within(a: f64, b: f64, sample: usize) -> (f64, f64) {
        let half = 0.5 + 1e-9;
        let [low, high] = [sample as f64 - half, sample as f64 + half];
        if a == b {
            return if (low..=high).contains(&a) { (0.0, 1.0) } else { (1.0, 0.0) };
        }
        let [s, t] = [(low - a) / (b - a), (high - a) / (b - a)];
        (s.min(t).max(0.0), s.max(t).min(1.0))
    }

    proptest! {
        #[test]
        fn samples_touch_and_lie_near_the_line(
            line in proptest::collection::vec((0.0f64..20.0, 0.0f64..20.0), 2..6)
        ) {
            let samples = samples_of(&line);
            for pair in samples.windows(2) {
                prop_assert!(pair[0].0.abs_diff(pair[1].0).max(pair[0].1.abs_diff(pair[1].1)) == 1);
            }
            for (x, y) in samples {
                let near = line.windows(2).any(|ends| {
                    let (from, to) = within(ends[0].0, ends[1].0, x);
                    let (start, end) = within(ends[0].1, ends[1].1, y);
                    from.max(start) <= to.min(end)
                });
                prop_assert!(near, "({x}, {y})");
            }
        }
    }
}
