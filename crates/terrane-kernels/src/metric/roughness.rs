//! Roughness (Riley, DeGloria & Elliot 1999) in Velzel's form (equation 7).

use crate::parallel::{for_each, slices};
use terrane_grid::{Grid, Heightmap, Shape};

use crate::beside_holes::beside_holes;
use crate::{Boundary, dispatch};

/// The roughness of every sample (R): the root of the sum of squared slopes to its eight neighbours. A slope
/// is the height difference over one spacing, also along diagonals. On an open border only existing
/// neighbours count. O(samples).
#[must_use]
pub fn roughness_map(map: &Heightmap, boundary: Boundary) -> Heightmap {
    let (width, height) = map.domain().size;
    let shape = Shape { width, height, wrap: boundary == Boundary::Wrap };
    let mut out = vec![0.0f32; width * height];
    for_each(slices(&mut out, width.max(1)), 16, |row, out| {
        for column in [0, width - 1] {
            out[column] = map.roughness_at(shape, row * width + column);
        }
        // The rows above and below, also across the border.
        let beside = |step: isize| shape.neighbour((0, row), (0, step)).map(|at| map.grid().row(at / width));
        match (beside(-1), beside(1)) {
            (Some(above), Some(below)) => inside(out, [above, map.grid().row(row), below], map.spacing()),
            _ => {
                for (column, out) in out.iter_mut().enumerate().take(width - 1).skip(1) {
                    *out = map.roughness_at(shape, row * width + column);
                }
            }
        }
    });
    map.with_grid(Grid::from_vec(width, height, out))
}

/// The roughness of all samples of a row but the first and the last, from three rows. It has the bits of
/// [`Heightmap::roughness_at`].
fn inside(out: &mut [f32], [above, here, below]: [&[f32]; 3], spacing: f64) {
    let width = out.len();
    let (above, here, below) = (&above[..width], &here[..width], &below[..width]);
    dispatch!(_ => for column in 1..width.max(2) - 1 {
        let own = f64::from(here[column]);
        let square = |height: f32| {
            let slope = (f64::from(height) - own) / spacing;
            slope * slope
        };
        let straight = square(above[column]) + square(here[column - 1]) + square(here[column + 1])
            + square(below[column]);
        let sum = straight + square(above[column - 1]) + square(above[column + 1])
            + square(below[column - 1]) + square(below[column + 1]);
        out[column] = sum.sqrt() as f32;
    });
}

/// The roughness of a map with holes: only neighbours with a height count. O(samples).
#[must_use]
pub fn roughness_with_holes(map: &Heightmap, boundary: Boundary) -> Heightmap {
    let mut out = roughness_map(map, boundary);
    beside_holes(map, boundary, &mut out, |window| {
        let (neighbours, here) = window.known();
        let squares = neighbours.map(|height| {
            let slope = (f64::from(height) - f64::from(here)) / map.spacing();
            slope * slope
        });
        squares.sum::<f64>().sqrt() as f32
    });
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    proptest! {
        #[test]
        fn a_row_has_the_bits_of_its_samples(
            (w, h) in (1usize..40, 1usize..9), spacing in 0.1f64..9.0, wrap: bool, holes: bool,
        ) {
            let map = Heightmap::from_fn(Domain::new(w, h).with_spacing(spacing), |x, y| {
                let mixed = (x * 7919 + y * 104_729) % 1009;
                if holes && mixed % 13 == 0 { f32::NAN } else { mixed as f32 * 0.37 }
            });
            let shape = Shape { width: w, height: h, wrap };
            let out = roughness_map(&map, if wrap { Boundary::Wrap } else { Boundary::Open });
            for (at, rough) in out.samples().iter().enumerate() {
                let expected = map.roughness_at(shape, at);
                prop_assert!(rough.to_bits() == expected.to_bits() || rough.is_nan() && expected.is_nan());
            }
        }
    }

    /// A peak of 6 on flat ground, two units between samples: each slope is 3.
    #[test]
    fn a_peak_by_hand() {
        let peak = |x: usize, y: usize| if (x, y) == (1, 1) { 6.0 } else { 0.0 };
        let map = Heightmap::from_fn(Domain::new(4, 3).with_spacing(2.0), peak);
        let rough = roughness_map(&map, Boundary::Open);
        let eight = 72.0f32.sqrt();
        #[rustfmt::skip]
        let wanted = [
            3.0, 3.0, 3.0, 0.0,
            3.0, eight, 3.0, 0.0,
            3.0, 3.0, 3.0, 0.0,
        ];
        assert_eq!(rough.samples(), wanted);
        // A corner has three neighbours, and eight on a torus; columns 3 and 0 are adjacent there.
        let corner = |x: usize, y: usize| if (x, y) == (0, 0) { 2.0 } else { 0.0 };
        let map = Heightmap::from_fn(Domain::new(4, 3).with_spacing(2.0), corner);
        assert_eq!(roughness_map(&map, Boundary::Open)[(0, 0)], 3.0f32.sqrt());
        let torus = roughness_map(&map, Boundary::Wrap);
        assert_eq!((torus[(0, 0)], torus[(3, 2)], torus[(2, 1)]), (8.0f32.sqrt(), 1.0, 0.0));
        assert_eq!(
            roughness_map(&Heightmap::constant(Domain::new(1, 1), 5.0), Boundary::Open).samples(),
            [0.0]
        );
    }
}
