//! Slopes, and Olsen's erosion score (2004, "Defining erosion").

use crate::parallel::{for_each, slices};
use terrane_grid::{Grid, Heightmap};

use crate::beside_holes::beside_holes;
use crate::{Boundary, dispatch};

/// Definitions of slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum SlopeKind {
    /// The largest difference to one of the four neighbours, divided by the spacing.
    ///
    /// The paper's definition.
    Olsen,
    /// The magnitude of the gradient, by central differences.
    ///
    /// One-sided on an open border. On a sharp crest it is nearly 0.
    Gradient,
    /// The magnitude of the steepest differences to a neighbour along x and along y.
    ///
    /// A crest is as steep as its steeper side. Even ground has the slope of `Gradient`.
    Steepest,
}

/// Slopes as rise over run. O(samples).
#[must_use]
pub fn slope_map(map: &Heightmap, kind: SlopeKind, boundary: Boundary) -> Heightmap {
    let (w, h) = map.domain().size;
    let mut out = vec![0.0f32; w * h];
    let per_unit = (1.0 / map.spacing()) as f32;
    for_each(slices(&mut out, w.max(1)), 16, |row, out| {
        let rows = Rows::new(map, row, boundary);
        match kind {
            SlopeKind::Olsen => rows.greatest_difference(out, boundary),
            SlopeKind::Gradient => rows.gradient(out, boundary),
            SlopeKind::Steepest => rows.steepest(out, boundary),
        }
        dispatch!(_ => out.iter_mut().for_each(|slope| *slope *= per_unit));
    });
    map.with_grid(Grid::from_vec(w, h, out))
}

/// The upper quartile of a map of slopes: a quarter of the samples is steeper. Samples that are not numbers
/// do not count; without others it is 0. O(samples).
#[must_use]
pub fn upper_quartile(slopes: &Heightmap) -> f32 {
    let mut slopes: Vec<f32> = slopes.samples().iter().copied().filter(|slope| !slope.is_nan()).collect();
    let at = 3 * slopes.len() / 4;
    if slopes.is_empty() { 0.0 } else { *slopes.select_nth_unstable_by(at, f32::total_cmp).1 }
}

/// Slopes of a map with holes: a neighbour that is a hole counts like one beyond an open border, and a hole
/// has no slope. O(samples).
#[must_use]
pub fn slope_with_holes(map: &Heightmap, kind: SlopeKind, boundary: Boundary) -> Heightmap {
    let mut slopes = slope_map(map, kind, boundary);
    let per_unit = (1.0 / map.spacing()) as f32;
    beside_holes(map, boundary, &mut slopes, |window| {
        let steepness = match kind {
            SlopeKind::Olsen => {
                let here = window.known().1;
                window.nearest().map(|height| (height - here).abs()).fold(0.0, f32::max)
            }
            SlopeKind::Gradient => {
                let [_, up, _, left, _, right, _, down, _] = window.continued();
                let (dx, dy) = ((right - left) / 2.0, (down - up) / 2.0);
                magnitude(dx, dy)
            }
            SlopeKind::Steepest => {
                let [_, up, _, left, here, right, _, down, _] = window.continued();
                magnitude(steeper(left, here, right), steeper(up, here, down))
            }
        };
        steepness * per_unit
    });
    slopes
}

/// A row with the rows above and below; on an open border a missing row is the row itself.
struct Rows<'a> {
    above: &'a [f32],
    here: &'a [f32],
    below: &'a [f32],
    /// Distance between `above` and `below` in rows.
    apart: f32,
}

impl<'a> Rows<'a> {
    fn new(map: &'a Heightmap, row: usize, boundary: Boundary) -> Self {
        let h = map.height();
        let (up, down) = match boundary {
            Boundary::Wrap => ((row + h - 1) % h, (row + 1) % h),
            Boundary::Open => (row.saturating_sub(1), (row + 1).min(h - 1)),
        };
        let apart = if boundary == Boundary::Wrap { 2 } else { down - up };
        Self {
            above: map.grid().row(up),
            here: map.grid().row(row),
            below: map.grid().row(down),
            apart: apart as f32,
        }
    }

    /// The heights left and right of a column, and their distance in columns.
    fn sides(&self, column: usize, boundary: Boundary) -> (f32, f32, f32) {
        let w = self.here.len();
        match boundary {
            Boundary::Wrap => (self.here[(column + w - 1) % w], self.here[(column + 1) % w], 2.0),
            Boundary::Open => {
                let (left, right) = (column.saturating_sub(1), (column + 1).min(w - 1));
                (self.here[left], self.here[right], (right - left) as f32)
            }
        }
    }

    fn greatest_difference(&self, out: &mut [f32], boundary: Boundary) {
        self.each(
            out,
            boundary,
            #[inline(always)]
            |[above, left, here, right, below], _| {
                let differs = |height: f32| (height - here).abs();
                differs(above).max(differs(below)).max(differs(left)).max(differs(right))
            },
        );
    }

    fn steepest(&self, out: &mut [f32], boundary: Boundary) {
        self.each(
            out,
            boundary,
            #[inline(always)]
            |[above, left, here, right, below], _| {
                magnitude(steeper(left, here, right), steeper(above, here, below))
            },
        );
    }

    fn gradient(&self, out: &mut [f32], boundary: Boundary) {
        self.each(
            out,
            boundary,
            #[inline(always)]
            |[above, left, _, right, below], [columns, rows]| {
                magnitude((right - left) / columns, (below - above) / rows)
            },
        );
    }

    /// Writes `f` of each height and its neighbours, above, left, here, right and below, and of the distances
    /// between left and right and between above and below. These are at least 1: a single row or column has
    /// no slope along the missing axis.
    #[inline(always)]
    fn each(&self, out: &mut [f32], boundary: Boundary, f: impl Fn([f32; 5], [f32; 2]) -> f32 + Copy) {
        let (width, rows) = (out.len(), self.apart.max(1.0));
        let (above, here, below) = (&self.above[..width], &self.here[..width], &self.below[..width]);
        dispatch!(_ => inside(out, [above, here, below], rows, f));
        for column in [0, width - 1] {
            let (left, right, apart) = self.sides(column, boundary);
            let around = [above[column], left, here[column], right, below[column]];
            out[column] = f(around, [apart.max(1.0), rows]);
        }
    }
}

/// Writes `f` of all columns but the first and the last.
#[inline(always)]
fn inside(
    out: &mut [f32],
    [above, here, below]: [&[f32]; 3],
    rows: f32,
    f: impl Fn([f32; 5], [f32; 2]) -> f32,
) {
    for column in 1..out.len().max(2) - 1 {
        let (left, right) = (here[column - 1], here[column + 1]);
        out[column] = f([above[column], left, here[column], right, below[column]], [2.0, rows]);
    }
}

/// The larger difference between a height and those on either side.
#[inline(always)]
fn steeper(before: f32, here: f32, after: f32) -> f32 {
    (before - here).abs().max((after - here).abs())
}

/// The length of a vector.
#[inline(always)]
fn magnitude(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

/// How eroded a map is: mean and population deviation of its slopes, and their ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErosionScore {
    /// Mean slope, rise over run.
    pub mean: f64,
    /// Population standard deviation of the slopes.
    pub deviation: f64,
    /// Deviation over mean: the erosion score ε, 0 for a flat map. It does not depend on the unit of heights.
    pub score: f64,
}

/// The erosion score ε of a map, over slopes of [`SlopeKind::Olsen`].
#[must_use]
pub fn erosion_score(map: &Heightmap, boundary: Boundary) -> ErosionScore {
    let slopes = slope_map(map, SlopeKind::Olsen, boundary);
    let statistics = super::statistics(&slopes);
    let (mean, deviation) = (statistics.mean, statistics.deviation);
    ErosionScore { mean, deviation, score: if mean > 0.0 { deviation / mean } else { 0.0 } }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn slopes_by_hand() {
        let map =
            Heightmap::from_vec(Domain::new(3, 2).with_spacing(2.0), vec![0.0, 1.0, 5.0, 0.0, 0.0, 2.0]);
        let open = slope_map(&map, SlopeKind::Olsen, Boundary::Open);
        assert_eq!(open.samples(), [0.5, 2.0, 2.0, 0.0, 1.0, 1.5]);
        let wrap = slope_map(&map, SlopeKind::Olsen, Boundary::Wrap);
        assert_eq!(wrap.samples(), [2.5, 2.0, 2.5, 1.0, 1.0, 1.5]);
    }

    #[test]
    fn a_quarter_is_steeper_than_the_upper_quartile() {
        let map = |slopes: &[f32]| Heightmap::from_vec(Domain::new(slopes.len(), 1), slopes.to_vec());
        assert_eq!(upper_quartile(&map(&[4.0, 1.0, f32::NAN, 3.0, 2.0])), 4.0);
        assert_eq!(upper_quartile(&map(&[5.0, 1.0, 6.0, 3.0, 2.0, 7.0, 8.0, 4.0])), 7.0);
        assert_eq!(upper_quartile(&map(&[f32::NAN])), 0.0);
    }

    #[test]
    fn a_plane_has_one_gradient() {
        let map =
            Heightmap::from_fn(Domain::new(9, 7).with_spacing(0.5), |x, y| 1.5 * x as f32 - 2.0 * y as f32);
        for kind in [SlopeKind::Gradient, SlopeKind::Steepest] {
            let slope = slope_map(&map, kind, Boundary::Open);
            assert!(slope.samples().iter().all(|&s| (s - 5.0).abs() < 1e-6));
        }
    }

    /// Twenty tents of slope 1 in random directions: the steepest slope is 1 on the crest too, while central
    /// differences there are flatter than half of it.
    #[test]
    fn a_crest_is_as_steep_as_its_sides() {
        for seed in 0..20 {
            let lattice = terrane_grid::Seed(seed).lattice();
            let angle = std::f32::consts::TAU * lattice.unit(0, 0);
            let (sin, cos) = libm::sincosf(angle);
            let map = Heightmap::from_fn(Domain::new(40, 40).with_spacing(2.0), |x, y| {
                100.0 - 2.0 * ((x as f32 - 20.0) * cos + (y as f32 - 20.0) * sin).abs()
            });
            let steepest = slope_map(&map, SlopeKind::Steepest, Boundary::Open);
            let inside = |at: &usize| (1..39).contains(&(at % 40)) && (1..39).contains(&(at / 40));
            let wrong = (0..1600).filter(inside).find(|&at| (steepest.samples()[at] - 1.0).abs() > 1e-4);
            assert_eq!(wrong, None, "{seed}: {:?}", wrong.map(|at| steepest.samples()[at]));
            assert!(slope_map(&map, SlopeKind::Gradient, Boundary::Open)[(20, 20)] < 0.5);
        }
    }

    #[test]
    fn a_single_sample_is_flat() {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            for kind in [SlopeKind::Olsen, SlopeKind::Gradient, SlopeKind::Steepest] {
                assert_eq!(
                    slope_map(&Heightmap::constant(Domain::new(1, 1), 3.0), kind, boundary).samples(),
                    [0.0]
                );
            }
        }
        assert_eq!(erosion_score(&Heightmap::constant(Domain::new(4, 4), 3.0), Boundary::Wrap).score, 0.0);
    }

    #[test]
    fn the_score_does_not_depend_on_units() {
        let map = Heightmap::from_fn(Domain::new(32, 32), |x, y| ((x * 37 + y * 91) % 17) as f32);
        let scaled = Heightmap::from_grid(Domain::new(32, 32).with_spacing(4.0), map.grid().map(|h| h * 8.0));
        let (a, b) = (erosion_score(&map, Boundary::Wrap), erosion_score(&scaled, Boundary::Wrap));
        assert_eq!(a.score, b.score);
        assert_eq!(b.mean, 2.0 * a.mean);
    }
}
