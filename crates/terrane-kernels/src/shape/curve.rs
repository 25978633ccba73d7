//! Maps heights through a curve.

use super::each::samples;
use crate::dispatch;

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
        match self.points.partition_point(|p| p.0 <= x) {
            0 => self.points[0].1,
            after if after > last => self.points[last].1,
            after => self.piece(after).at(x),
        }
    }

    /// Writes the curve at each sample of a block. O(samples · points), from a few points on O(samples · log
    /// points).
    pub fn write(&self, block: &mut [f32], from: &[f32]) {
        /// With more points, it is quicker to search for each sample's piece.
        const FEW: usize = 12;
        if self.points.len() > FEW {
            return samples(block, from, |x| self.at(x));
        }
        let (first, last) = (self.points[0], self.points[self.points.len() - 1]);
        // Each piece overwrites what lies beyond its start.
        dispatch!(_ => {
            block.fill(first.1);
            for piece in (1..self.points.len()).map(|after| self.piece(after)) {
                for (out, &x) in block.iter_mut().zip(from) {
                    *out = if x >= piece.from.0 { piece.at(x) } else { *out };
                }
            }
            for (out, &x) in block.iter_mut().zip(from) {
                *out = if x >= last.0 { last.1 } else { *out };
            }
        });
    }

    /// The piece that ends at a point.
    fn piece(&self, after: usize) -> Piece {
        let (from, to) = (self.points[after - 1], self.points[after]);
        let (width, rise) = (to.0 - from.0, to.1 - from.1);
        let factors = match self.kind {
            CurveKind::Linear => None,
            CurveKind::Smooth => {
                let (m0, m1) = (self.slopes[after - 1] * width, self.slopes[after] * width);
                let sum = m0 + m1;
                Some([m0, 3.0 * rise - m0 - sum, sum - 2.0 * rise])
            }
        };
        Piece { from, width, rise, factors }
    }
}

/// A curve between two points.
struct Piece {
    from: (f32, f32),
    width: f32,
    rise: f32,
    /// The factors of a cubic; without them the piece is a line.
    factors: Option<[f32; 3]>,
}

impl Piece {
    #[inline(always)]
    fn at(&self, x: f32) -> f32 {
        let t = (x - self.from.0) / self.width;
        match self.factors {
            None => self.from.1 + self.rise * t,
            Some([a, b, c]) => self.from.1 + t * (a + t * (b + t * c)),
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

        #[test]
        fn a_block_has_the_bits_of_its_samples(
            ys in prop::collection::vec(-50.0f32..50.0, 2..16), smooth: bool, seed: u32,
        ) {
            let kind = if smooth { CurveKind::Smooth } else { CurveKind::Linear };
            let points: Vec<(f32, f32)> = ys.iter().enumerate().map(|(i, &y)| (i as f32 * 1.3, y)).collect();
            let curve = Curve::new(&points, kind).unwrap();
            let mut from: Vec<f32> = (0..99u32).map(|at| {
                (at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 8) as f32 * 1.6e-6 - 3.0
            }).collect();
            from.extend([f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
            from.extend(points.iter().map(|point| point.0));
            let mut block = vec![9.0; from.len()];
            curve.write(&mut block, &from);
            for (out, &x) in block.iter().zip(&from) {
                prop_assert_eq!(out.to_bits(), curve.at(x).to_bits(), "{}", x);
            }
        }
    }
}
