//! Maps heights through a curve.

/// How a curve is interpolated between its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum CurveKind {
    /// Straight lines.
    Linear,
    /// Smooth, and never higher or lower than the adjacent points.
    ///
    /// Monotone cubics (Fritsch and Carlson 1980).
    Smooth,
}

/// A curve through control points; constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    points: Vec<(f32, f32)>,
    slopes: Vec<f32>,
    kind: CurveKind,
}

impl Curve {
    /// A curve through (in, out) points; `None` unless there are at least two points, all finite, with
    /// increasing `in`.
    #[must_use]
    pub fn new(points: &[(f32, f32)], kind: CurveKind) -> Option<Self> {
        let finite = points.iter().all(|p| p.0.is_finite() && p.1.is_finite());
        if points.len() < 2 || !finite || points.windows(2).any(|pair| pair[1].0 <= pair[0].0) {
            return None;
        }
        Some(Self { points: points.to_vec(), slopes: monotone_slopes(points), kind })
    }

    /// The curve at `x`.
    #[must_use]
    pub fn at(&self, x: f32) -> f32 {
        let last = self.points.len() - 1;
        let after = self.points.partition_point(|p| p.0 <= x);
        if after == 0 {
            return self.points[0].1;
        }
        if after > last {
            return self.points[last].1;
        }
        let ((x0, y0), (x1, y1)) = (self.points[after - 1], self.points[after]);
        let width = x1 - x0;
        let t = (x - x0) / width;
        match self.kind {
            CurveKind::Linear => y0 + (y1 - y0) * t,
            CurveKind::Smooth => {
                let (m0, m1) = (self.slopes[after - 1] * width, self.slopes[after] * width);
                let (d, s) = (y1 - y0, m0 + m1);
                y0 + t * (m0 + t * (3.0 * d - m0 - s + t * (s - 2.0 * d)))
            }
        }
    }
}

/// The slope at each point, such that every piece is monotone: the harmonic mean of the adjacent secants, 0
/// at extremes.
fn monotone_slopes(points: &[(f32, f32)]) -> Vec<f32> {
    let secants: Vec<f32> = points.windows(2).map(|p| (p[1].1 - p[0].1) / (p[1].0 - p[0].0)).collect();
    let mut slopes = vec![secants[0]];
    for pair in secants.windows(2) {
        slopes.push(if pair[0] * pair[1] <= 0.0 {
            0.0
        } else {
            2.0 * pair[0] * pair[1] / (pair[0] + pair[1])
        });
    }
    slopes.push(secants[secants.len() - 1]);
    slopes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn passes_through_its_points_and_is_level_outside() {
        for kind in [CurveKind::Linear, CurveKind::Smooth] {
            let curve = Curve::new(&[(0.0, 1.0), (1.0, 3.0), (4.0, 2.0)], kind).unwrap();
            assert_eq!([-9.0, 0.0, 1.0, 4.0, 9.0].map(|x| curve.at(x)), [1.0, 1.0, 3.0, 2.0, 2.0]);
        }
        assert_eq!(Curve::new(&[(0.0, 0.0), (2.0, 4.0)], CurveKind::Linear).unwrap().at(0.5), 1.0);
    }

    #[test]
    fn points_out_of_order_are_no_curve() {
        assert_eq!(Curve::new(&[(0.0, 0.0), (0.0, 1.0)], CurveKind::Linear), None);
        assert_eq!(Curve::new(&[(0.0, 0.0)], CurveKind::Linear), None);
        assert_eq!(Curve::new(&[(0.0, f32::NAN), (1.0, 1.0)], CurveKind::Linear), None);
    }

    proptest! {
        #[test]
        fn smooth_never_leaves_the_values_beside(
            ys in prop::collection::vec(-10.0f32..10.0, 2..8), x in 0.0f32..8.0,
        ) {
            let points: Vec<(f32, f32)> = ys.iter().enumerate().map(|(i, &y)| (i as f32, y)).collect();
            let curve = Curve::new(&points, CurveKind::Smooth).unwrap();
            let i = (x as usize).min(points.len() - 1);
            let j = (i + 1).min(points.len() - 1);
            let (low, high) = (points[i].1.min(points[j].1), points[i].1.max(points[j].1));
            prop_assert!(curve.at(x) >= low - 1e-4 && curve.at(x) <= high + 1e-4);
        }
    }
}
