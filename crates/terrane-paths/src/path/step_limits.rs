//! Limits on the height difference between neighbouring samples that satisfy every bound of a subdivision.

use terrane_grid::Heightmap;

use super::straight::Place;
use super::subdivision::Subdivision;

/// The share of a path's bounds that steps use; the rest is left to the solver.
const PATH_PART: f64 = 0.95;

/// The share of a bank's slope that a step along one axis uses, where the ground was not steeper.
const BANK_PART: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Per pair of neighbouring samples, the maximum height difference: heights within all of these limits meet
/// every bound on slopes. Infinite without a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimits {
    /// Columns and rows.
    pub size: (usize, usize),
    /// From each sample to the next one in its row.
    pub right: Vec<f32>,
    /// From each sample to the next one in its column.
    pub down: Vec<f32>,
}

impl StepLimits {
    /// No limits.
    #[must_use]
    pub fn free(size: (usize, usize)) -> Self {
        let all = vec![f32::INFINITY; size.0 * size.1];
        Self { size, right: all.clone(), down: all }
    }

    /// The limits of a patch: its subdivision's bounds, and banks, which may be as steep as the ground was.
    ///
    /// A bound is split between both axes. A gradient (x, y) is within g if both x and y are within g / √2. A
    /// slope along the direction (dx, dy) is within g if the slopes along both axes are within g / (|dx| +
    /// |dy|). Steps of steep ground remain allowed, so that ground that need not move respects the limits
    /// unchanged.
    #[must_use]
    pub fn of(subdivision: &Subdivision, ground: &Heightmap, bank_slope: Option<f64>) -> Self {
        let (width, height) = ground.domain().size;
        let spacing = ground.spacing();
        let rise = |a: usize, b: usize| {
            (f64::from(ground.samples()[a]) - f64::from(ground.samples()[b])).abs() / spacing
        };
        let slopes = |at: usize| {
            let (x, y) = (at % width, at / width);
            let path = f64::from(subdivision.slope[at]);
            if path.is_finite() {
                return [PATH_PART * path * std::f64::consts::FRAC_1_SQRT_2; 2];
            }
            let [dx, dy] = subdivision.direction[at].map(|along| f64::from(along).abs());
            let beside = f64::from(subdivision.directional[at]);
            let beside = if beside.is_finite() { PATH_PART * beside / (dx + dy) } else { f64::INFINITY };
            let bank = bank_slope.map_or([f64::INFINITY; 2], |steepest| {
                let across = if x + 1 < width { rise(at, at + 1) } else { 0.0 };
                let across = across.max(if x > 0 { rise(at, at - 1) } else { 0.0 });
                let along = if y + 1 < height { rise(at, at + width) } else { 0.0 };
                let along = along.max(if y > 0 { rise(at, at - width) } else { 0.0 });
                bank([across, along], steepest)
            });
            bank.map(|bank| bank.min(beside))
        };
        let slopes: Vec<[f64; 2]> = (0..width * height).map(slopes).collect();
        let mut out = Self::free((width, height));
        for at in 0..width * height {
            if at % width + 1 < width {
                out.right[at] = limit(slopes[at][0].min(slopes[at + 1][0]), spacing);
            }
            if at + width < width * height {
                out.down[at] = limit(slopes[at][1].min(slopes[at + width][1]), spacing);
            }
        }
        out
    }

    /// Merges the limits of a part whose first sample is at (x, y), as far as it lies inside. Where both have
    /// a limit, the stricter one applies. Steps that lead out of the part have infinite limits.
    pub fn put(&mut self, part: &Self, (x, y): Place) {
        let (columns, rows) = part.size;
        let within = |from: i64, count: usize, size: usize| {
            (-from).clamp(0, count as i64) as usize..(size as i64 - from).clamp(0, count as i64) as usize
        };
        let inside = within(x, columns, self.size.0);
        for row in within(y, rows, self.size.1) {
            let to = (y + row as i64) as usize * self.size.0;
            for column in inside.clone() {
                let (from, to) = (row * columns + column, to + (x + column as i64) as usize);
                self.right[to] = self.right[to].min(part.right[from]);
                self.down[to] = self.down[to].min(part.down[from]);
            }
        }
    }
}

/// A limit, rounded up so that unchanged ground stays within it.
fn limit(slope: f64, spacing: f64) -> f32 {
    ((slope * spacing) as f32).next_up()
}

/// A bank's maximum slopes along both axes: its slope split evenly, except for ground that was steeper along
/// one axis or overall.
fn bank([across, along]: [f64; 2], steepest: f64) -> [f64; 2] {
    let square = (steepest * steepest).max(across * across + along * along);
    let even = BANK_PART * square.sqrt();
    if across > even {
        [across, (square - across * across).max(along * along).sqrt()]
    } else if along > even {
        [(square - along * along).max(across * across).sqrt(), along]
    } else {
        [even; 2]
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, PlanarGraph, Seed};

    use super::*;
    use crate::Silent;
    use crate::path::{Borders, Costs, Details, Search, Subdivide, Surround, extended, subdivide};
    use crate::relax::{Field, Given, bounds};

    #[test]
    fn banks_keep_the_steps_of_steep_ground() {
        let close = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-12;
        let half = 0.5f64.sqrt();
        assert!(close(bank([0.1, 0.2], 1.0), [half, half]));
        assert!(close(bank([0.8, 0.2], 1.0), [0.8, 0.6]));
        assert!(close(bank([0.2, 0.8], 1.0), [0.6, 0.8]));
        assert!(close(bank([3.0, 4.0], 1.0), [3.0, 4.0]));
    }

    /// Heights within the limits meet every bound, whatever heights are wanted; and far from paths rough
    /// ground does not change.
    #[test]
    fn heights_within_the_limits_meet_all_bounds() {
        let lattice = Seed(8).lattice();
        let map = Heightmap::from_fn(Domain::new(65, 65).with_spacing(0.5), |x, y| {
            3.0 * lattice.unit(x as i64 / 9, y as i64 / 9) + 0.1 * lattice.unit(x as i64, y as i64)
        });
        let parameters = Subdivide {
            search: Search::by(Costs::Thesis { alpha: 1.0, beta: 1.0 }),
            width: 2.0,
            node_width: 3.0,
            border: 2.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.2,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details: Details::default(),
        };
        let graph =
            PlanarGraph { nodes: vec![(3.0, 4.0), (9.0, 14.0), (15.0, 6.0)], edges: vec![(0, 1), (1, 2)] };
        let subdivision = subdivide(&map, &graph, &parameters, &Silent).unwrap();
        let limits = StepLimits::of(&subdivision, &map, Some(0.7));
        let wanted: Vec<f64> = map.samples().iter().map(|&height| f64::from(height)).collect();
        let heights = extended(&wanted, &[(30 * 65 + 30, 1.0)], &[], &limits, &Silent).unwrap();
        let given = Given {
            border: None,
            slope_tolerance: 1e-5,
            bank_slope: Some(0.7),
            roughness_tolerance: Some(0.04),
            change: None,
            widening: &[],
            scales: &[1],
            border_slope: false,
        };
        let field = Field { domain: map.domain(), heights };
        for constraint in bounds(&Field::new(&map), &subdivision, &given) {
            let missed =
                (0..constraint.samples().len()).filter(|&index| constraint.excess(&field, index) > 0.0);
            assert_eq!(missed.count(), 0, "{:?}", constraint.kind());
        }
        let kept = (60 * 65..65 * 65).filter(|&at| field.heights[at] == wanted[at]).count();
        assert_eq!(kept, 5 * 65, "rows far from the path");
    }
}
