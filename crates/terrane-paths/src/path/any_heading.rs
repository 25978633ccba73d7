//! Costs of straight road in any direction, between points that need not be samples.

use super::builder::Builder;
use super::point::Point;

/// Points of a sample's width at which the ground is read.
const READINGS: f64 = 2.0;

/// Squares around samples are this much larger, so that rounding never opens a gap between two of them.
const ROUNDING: f64 = 1e-9;

impl Builder<'_> {
    /// The cost of straight road between two points of the terrain. `None` if the road touches the unit
    /// square around a sample that routes cannot cross, even at a corner. The ground between samples is
    /// bilinear; beside a sample that is not a number, it continues the samples that are.
    ///
    /// O(length in samples).
    pub fn straight_cost(&self, a: Point, b: Point) -> Option<f64> {
        if !self.is_free(a, b) {
            return None;
        }
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        if length == 0.0 {
            return Some(0.0);
        }
        let heading = (dx / length, dy / length);
        let pieces = (dx.abs().max(dy.abs()) * READINGS).ceil().max(1.0);
        let run = self.spacing() * length / pieces;
        let mut before = self.site().ground(a);
        let mut cost = 0.0;
        for piece in 1..=pieces as usize {
            let part = piece as f64 / pieces;
            let after = self.site().ground((a.0 + part * dx, a.1 + part * dy));
            cost += self.piece(heading, run, before, after);
            before = after;
        }
        Some(cost)
    }

    /// The sum of the costs of a line's straight parts; `None` if one of them is closed.
    pub fn line_cost(&self, line: &[Point]) -> Option<f64> {
        line.windows(2).map(|ends| self.straight_cost(ends[0], ends[1])).sum()
    }

    /// Whether a straight line touches no square of a sample that routes cannot cross.
    fn is_free(&self, a: Point, b: Point) -> bool {
        let steep = (b.1 - a.1).abs() > (b.0 - a.0).abs();
        let turned = |(x, y): Point| if steep { (y, x) } else { (x, y) };
        let (a, b) = (turned(a), turned(b));
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        let rise = if b.0 > a.0 { (b.1 - a.1) / (b.0 - a.0) } else { 0.0 };
        let touched = |low: f64, high: f64| {
            let first = (low - 0.5 - ROUNDING).ceil() as i64;
            first..=(high + 0.5 + ROUNDING).floor() as i64
        };
        touched(a.0, b.0).all(|along| {
            let ends = [-0.5, 0.5].map(|half| (along as f64 + half).clamp(a.0, b.0));
            let [from, to] = ends.map(|end| a.1 + (end - a.0) * rise);
            touched(from.min(to), from.max(to)).all(|across| {
                let (x, y) = if steep { (across, along) } else { (along, across) };
                self.site().is_open(x, y)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;
    use crate::Silent;
    use crate::path::builder::{Prices, Road};
    use crate::path::point::apart;
    use crate::path::site::Site;
    use crate::path::straight::Frame;
    use crate::path::terrain::Terrain;

    fn cost(map: &Heightmap, a: Point, b: Point) -> Option<f64> {
        let frame = Frame { low: (0, 0), high: (map.width() as i64 - 1, map.height() as i64 - 1) };
        let site = Site::new(&Terrain::new(map, None, None, frame).unwrap(), &Silent).unwrap();
        let prices = Prices { excess: Some(20.0), side: 0.1 };
        Builder::new(&site, prices, Road { width: 8.0, max_slope: 0.1 }).straight_cost(a, b)
    }

    #[test]
    fn costs_by_hand() {
        let close = |found: Option<f64>, wanted: f64| {
            assert!((found.unwrap() - wanted).abs() < 1e-6 * wanted, "{found:?} {wanted}");
        };
        let flat = Heightmap::constant(Domain::new(9, 9).with_spacing(2.0), 7.0);
        close(cost(&flat, (0.25, 1.5), (3.25, 5.5)), 10.0);
        assert_eq!(cost(&flat, (3.0, 3.0), (3.0, 3.0)), Some(0.0));
        // A plane that rises by 0.5 along x. Along it, 0.4 is excess; across it, one side of the road is 4
        // above the other.
        let plane = Heightmap::from_fn(Domain::new(9, 9).with_spacing(2.0), |x, _| x as f32);
        close(cost(&plane, (0.5, 2.3), (4.0, 2.3)), 7.0 * (1.0 + 0.4 * 20.0));
        close(cost(&plane, (2.3, 4.0), (2.3, 0.5)), 7.0 * 1.4);
    }

    #[test]
    fn squares_around_holes_are_closed() {
        let holes = Heightmap::from_fn(Domain::new(9, 9), |x, y| {
            if [(4, 4), (5, 5)].contains(&(x, y)) { f32::NAN } else { 1.0 }
        });
        for (a, b) in [
            // Between the two that touch at a corner, through a square, and along a side.
            ((4.0, 5.0), (5.0, 4.0)),
            ((2.0, 8.0), (7.0, 2.0)),
            ((0.0, 4.1), (8.0, 4.1)),
            ((0.0, 3.5), (8.0, 3.5)),
        ] {
            assert_eq!((cost(&holes, a, b), cost(&holes, b, a)), (None, None), "{a:?} {b:?}");
        }
        for (a, b) in [((0.0, 3.49), (8.0, 3.49)), ((0.0, 8.0), (3.4, 4.6)), ((3.49, 0.0), (3.49, 8.0))] {
            let level = apart(a, b);
            assert!((cost(&holes, a, b).unwrap() - level).abs() < 1e-9, "{a:?} {b:?}");
        }
    }
}
