//! Results of samples beside holes: heights that are not numbers.
//!
//! Kernels that look at the eight neighbours of a sample treat a neighbour that is a hole like one beyond the
//! map's border.

use terrane_compute::has_hole;
use terrane_grid::{Heightmap, Shape};

use crate::Boundary;
use crate::parallel::{collect, for_each, slices};

/// A sample and its eight neighbours, row by row. Those that are missing are not numbers.
pub struct Window([f32; 9]);

impl Window {
    const CENTRE: usize = 4;

    fn new(map: &Heightmap, shape: Shape, (column, row): (usize, usize)) -> Self {
        let at = |index: usize| {
            let offset = (index as isize % 3 - 1, index as isize / 3 - 1);
            let found = if index == Self::CENTRE {
                Some(row * shape.width + column)
            } else {
                shape.neighbour((column, row), offset)
            };
            found.map_or(f32::NAN, |at| map.samples()[at])
        };
        Self(std::array::from_fn(at))
    }

    /// The heights of the neighbours that are there, and of the sample itself.
    pub fn known(&self) -> (impl Iterator<Item = f32>, f32) {
        let neighbours = self.0.iter().enumerate().filter(|(index, _)| *index != Self::CENTRE);
        (neighbours.map(|(_, height)| *height).filter(|height| !height.is_nan()), self.0[Self::CENTRE])
    }

    /// The heights of those of the four nearest neighbours that are there.
    pub fn nearest(&self) -> impl Iterator<Item = f32> {
        [1, 3, 5, 7].into_iter().map(|index| self.0[index]).filter(|height| !height.is_nan())
    }

    /// The window without missing heights: each continues the heights that are there along its row, or else
    /// along its column, or completes a parallelogram. What then is still missing has the height of the
    /// sample. The heights of a plane are those of the plane, if they are determined.
    pub fn continued(&self) -> [f32; 9] {
        let mut heights = self.0;
        for _ in 0..2 {
            for line in [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]] {
                let [a, b, c] = line.map(|index| heights[index]);
                let continued = match [a, b, c].map(f32::is_nan) {
                    [true, false, false] => (0, 2.0 * b - c),
                    [false, true, false] => (1, 0.5 * (a + c)),
                    [false, false, true] => (2, 2.0 * b - a),
                    _ => continue,
                };
                heights[line[continued.0]] = continued.1;
            }
            for index in (0..9).filter(|&index| self.0[index].is_nan()) {
                let (row, column) = (index / 3 * 3, index % 3);
                let others = (0..9).map(|other| (other / 3 * 3, other % 3));
                let corners = others.filter(|(r, c)| *r != row && *c != column);
                let completed = corners.map(|(r, c)| heights[row + c] + heights[r + column] - heights[r + c]);
                if heights[index].is_nan() {
                    heights[index] = completed.into_iter().find(|h| !h.is_nan()).unwrap_or(f32::NAN);
                }
            }
        }
        heights.map(|height| if height.is_nan() { self.0[Self::CENTRE] } else { height })
    }
}

/// Replaces the result of each sample that is a number and has a hole among its eight neighbours, or whose
/// result is not a number. O(samples).
pub fn beside_holes(
    map: &Heightmap,
    boundary: Boundary,
    results: &mut Heightmap,
    result: impl Fn(&Window) -> f32 + Sync,
) {
    let (width, height) = map.domain().size;
    let shape = Shape { width, height, wrap: boundary == Boundary::Wrap };
    // Most maps have no hole, and most rows are not near one.
    let has_holes = collect(height, 16, |row| has_hole(map.grid().row(row)));
    if !has_holes.contains(&true) {
        return;
    }
    for_each(slices(results.samples_mut(), width.max(1)), 4, |row, results| {
        // Kernels look at two more rows at most, beside an open border.
        let is_near = match boundary {
            Boundary::Wrap => [row + height - 1, row, row + 1].into_iter().any(|row| has_holes[row % height]),
            Boundary::Open => has_holes[row.saturating_sub(2)..(row + 3).min(height)].contains(&true),
        };
        if !is_near {
            return;
        }
        for (column, (here, out)) in map.grid().row(row).iter().zip(results).enumerate() {
            let is_hole = |offset: &(isize, isize)| {
                let at = shape.neighbour((column, row), *offset);
                at.is_some_and(|at| map.samples()[at].is_nan())
            };
            if !here.is_nan() && (out.is_nan() || terrane_grid::DIRECTIONS[1..].iter().any(is_hole)) {
                *out = result(&Window::new(map, shape, (column, row)));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::metric::{SlopeKind, curvature_with_holes, roughness_with_holes, slope_with_holes};
    use crate::shade::{Light, hillshade, hillshade_with_holes};

    fn plane(hole: (usize, usize)) -> [Heightmap; 2] {
        let whole = Heightmap::from_fn(Domain::new(7, 6).with_spacing(2.0), |x, y| 3.0 * x as f32 - y as f32);
        let mut holed = whole.clone();
        holed.samples_mut()[hole.1 * 7 + hole.0] = f32::NAN;
        [whole, holed]
    }

    #[test]
    fn a_plane_has_its_slope_and_shade_beside_a_hole() {
        let [whole, mut holed] = plane((3, 2));
        // A hole at the border, in a corner, and two that meet at a corner.
        let holes = [2 * 7 + 3, 3 * 7 + 4, 0, 3 * 7, 4 * 7, 41];
        holes.iter().for_each(|&at| holed.samples_mut()[at] = f32::NAN);
        let slope = slope_with_holes(&holed, SlopeKind::Gradient, Boundary::Open);
        let sides = slope_with_holes(&holed, SlopeKind::Steepest, Boundary::Open);
        let curved = curvature_with_holes(&holed, Boundary::Open);
        let shade = hillshade_with_holes(&holed, &Light::default());
        let bright = hillshade(&whole, &Light::default());
        for at in (0..42).filter(|at| !holes.contains(at)) {
            assert_eq!(slope.samples()[at], 2.5f32.sqrt());
            assert_eq!(sides.samples()[at], 2.5f32.sqrt());
            assert_eq!((curved.profile.samples()[at], curved.plan.samples()[at].abs()), (0.0, 0.0));
            assert_eq!(shade.samples()[at], bright.samples()[at]);
        }
        let steepest = slope_with_holes(&holed, SlopeKind::Olsen, Boundary::Open);
        assert!((0..42).all(|at| holes.contains(&at) || steepest.samples()[at] <= 1.5));
    }

    #[test]
    fn only_neighbours_that_are_there_count_by_hand() {
        // A sample with a single neighbour, to its right, 4 higher and 2 away.
        let mut map = Heightmap::constant(Domain::new(3, 3).with_spacing(2.0), f32::NAN);
        map.samples_mut()[4..6].copy_from_slice(&[1.0, 5.0]);
        assert_eq!(roughness_with_holes(&map, Boundary::Open)[(1, 1)], 2.0);
        assert_eq!(slope_with_holes(&map, SlopeKind::Olsen, Boundary::Open)[(1, 1)], 2.0);
        assert_eq!(slope_with_holes(&map, SlopeKind::Gradient, Boundary::Open)[(1, 1)], 2.0);
        // A sample with none.
        map.samples_mut()[5] = f32::NAN;
        assert_eq!(roughness_with_holes(&map, Boundary::Open)[(1, 1)], 0.0);
        assert_eq!(slope_with_holes(&map, SlopeKind::Olsen, Boundary::Open)[(1, 1)], 0.0);
        // On a torus, the neighbours beyond the border are there.
        let row = Heightmap::from_fn(Domain::new(3, 1), |x, _| [0.0, f32::NAN, 4.0][x]);
        assert_eq!(slope_with_holes(&row, SlopeKind::Olsen, Boundary::Wrap)[(0, 0)], 4.0);
    }

    #[test]
    fn holes_change_nothing_farther_away() {
        let lattice = Seed(3).lattice();
        let whole = Heightmap::from_fn(Domain::new(40, 30), |x, y| lattice.unit(x as i64, y as i64));
        let mut holed = whole.clone();
        holed.samples_mut()[15 * 40 + 20] = f32::NAN;
        for boundary in [Boundary::Open, Boundary::Wrap] {
            let of = |map: &Heightmap| {
                let curved = curvature_with_holes(map, boundary);
                let slope = |kind| slope_with_holes(map, kind, boundary);
                let rough = roughness_with_holes(map, boundary);
                [slope(SlopeKind::Olsen), slope(SlopeKind::Gradient), curved.profile, curved.plan, rough]
            };
            for (whole, holed) in of(&whole).iter().zip(&of(&holed)) {
                for (x, y) in (0..40usize).flat_map(|x| (0..30usize).map(move |y| (x, y))) {
                    let near = x.abs_diff(20) <= 1 && y.abs_diff(15) <= 1;
                    assert!(near || whole[(x, y)].to_bits() == holed[(x, y)].to_bits(), "{x} {y}");
                    assert!((x, y) == (20, 15) || holed[(x, y)].is_finite());
                }
            }
        }
    }
}
