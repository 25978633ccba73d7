//! OpenSimplex2 in the plane.

use terrane_grid::{Domain, Seed};

use super::axis::{Axis, LANES, Tile, locate};
use super::hash::{Direction, LatticeHash};
use super::octave::Octave;
use super::real::{Depth, Real};
use crate::simd::{Bits, Floats};

/// (√3 − 1) / 2: brings the triangles' lattice onto squares.
const SKEW: f64 = 0.366_025_403_784_438_65;

/// (3 − √3) / 6: brings the squares back.
const UNSKEW: f32 = 0.211_324_87;

/// What brings the sum of three bells times slopes of length 1 to [−1, 1]: K. Spencer's 1 / 0.01001634121365712. With the eight
/// directions here the most is 0.998.
pub(super) const SCALE: f32 = 99.836_85;

/// One octave of OpenSimplex2 (K. Spencer's successor of OpenSimplex, in its fast form): in each triangle of a lattice, three
/// bells (½ − d²)⁴ times planes through the corners, whose slopes have one of eight directions, none along an axis or a side of
/// the triangles.
pub struct SimplexOctave {
    bells: Bells,
    /// Per column, its share in the skewed lattice's two coordinates.
    columns: [Axis; 2],
}

/// What makes noise of places. (Copied before loops, so that nothing of it is read again after each value written.)
#[derive(Clone, Copy)]
struct Bells {
    hash: LatticeHash,
    cell: f64,
}

/// A row's share in the skewed lattice's two coordinates.
pub struct Row([(u32, f32); 2]);

impl SimplexOctave {
    /// An octave whose triangles have sides such that one lies in the square of `cell` world units, skewed.
    pub fn new(domain: &Domain, seed: Seed, cell: f64) -> Self {
        let share = |factor: f64| Axis::new(domain.width(), cell, 0.0, |column| domain.x(column) * factor);
        Self {
            bells: Bells { hash: LatticeHash::new(seed), cell },
            columns: [share(1.0 + SKEW), share(SKEW)],
        }
    }

    /// The values of a tile's row, at places that may be moved.
    #[inline(always)]
    fn places<D: Depth, F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row,
        by: Option<[&[[f32; LANES]]; 2]>,
    ) {
        let [i_axis, j_axis] = &self.columns;
        let range = i_axis.tile(first);
        let i_axis = i_axis.cells[range.clone()].iter().zip(&i_axis.inside[range.clone()]);
        let j_axis = j_axis.cells[range.clone()].iter().zip(&j_axis.inside[range]);
        let [(row_i, row_x), (row_j, row_y)] = row.0;
        let (row_i, row_j) = (F::Bits::splat(row_i), F::Bits::splat(row_j));
        let (row_x, row_y) = (F::splat(row_x), F::splat(row_y));
        let bells = self.bells;
        let inverse = F::splat((1.0 / bells.cell) as f32);
        let places = i_axis.zip(j_axis).zip(values.iter_mut()).enumerate();
        for (place, (((i_cells, i_inside), (j_cells, j_inside)), values)) in places {
            for at in (0..LANES).step_by(F::LANES) {
                let (mut x, mut y) = (F::load(&i_inside[at..]) + row_x, F::load(&j_inside[at..]) + row_y);
                if let Some([by_x, by_y]) = by {
                    let (by_x, by_y) = (F::load(&by_x[place][at..]), F::load(&by_y[place][at..]));
                    let skew = (by_x + by_y) * F::splat(SKEW as f32);
                    (x, y) = (x + (by_x + skew) * inverse, y + (by_y + skew) * inverse);
                }
                let ((i, x), (j, y)) = (x.split(), y.split());
                let i = F::Bits::load(&i_cells[at..]).plus(row_i).plus(i);
                let j = F::Bits::load(&j_cells[at..]).plus(row_j).plus(j);
                D::store(bells.at::<D, F>((i, x), (j, y)), values, at);
            }
        }
    }
}

impl Bells {
    /// The values at (x, y) inside the skewed cell (i, j).
    #[inline(always)]
    fn at<D: Depth, F: Floats>(self, (i, x): (F::Bits, F), (j, y): (F::Bits, F)) -> D::Value<F> {
        // Distances from the first corner, in the plane.
        let back = (x + y) * F::splat(UNSKEW);
        let (dx, dy) = (x - back, y - back);
        // The third corner lies right of the diagonal between the others, or left of it.
        let right = dx.at_least(dy);
        let (long, short) = (F::splat(1.0 - UNSKEW), F::splat(-UNSKEW));
        let (step_x, step_y) = (F::select(right, long, short), F::select(right, short, long));
        let ([left, next_left], [upper, next_upper]) = (self.hash.pair(i), self.hash.pair(j));
        let (column, next_column) = (self.hash.column(left), self.hash.column(next_left));
        let (row, next_row) = (self.hash.row(upper), self.hash.row(next_upper));
        let third_column = F::Bits::select(right, next_column, column);
        let third_row = F::Bits::select(right, row, next_row);
        let far = F::splat(1.0 - 2.0 * UNSKEW);
        let sum = self.bell::<D, F>(column, row, dx, dy)
            + self.bell::<D, F>(third_column, third_row, dx - step_x, dy - step_y)
            + self.bell::<D, F>(next_column, next_row, dx - far, dy - far);
        D::stretched(sum, self.cell as f32)
    }

    /// A corner's share at a distance from it.
    #[inline(always)]
    fn bell<D: Depth, F: Floats>(self, column: F::Bits, row: F::Bits, dx: F, dy: F) -> D::Value<F> {
        let (f, g) = const { Direction::of_length(SCALE) }.of(self.hash.point(column, row));
        let (x, y) = D::place(dx, dy);
        let bell = (D::Value::<F>::constant(0.5) - x * x - y * y).or_zero();
        let square = bell * bell;
        square * square * (x * D::Value::<F>::given(f) + y * D::Value::<F>::given(g))
    }
}

impl<D: Depth> Octave<D> for SimplexOctave {
    type Row = Row;
    type Tile = Tile<D::Value<f32>>;

    fn row(&self, y: f64) -> Row {
        let Bells { hash, cell } = self.bells;
        let [i, j] = hash.shift;
        Row([locate(y * SKEW, cell, i), locate(y * (1.0 + SKEW), cell, j)])
    }

    fn tile(&self) -> Tile<D::Value<f32>> {
        Tile::of(D::Value::<f32>::constant(0.0))
    }

    fn leave(_: &mut Tile<D::Value<f32>>) {}

    #[inline(always)]
    fn enter<F: Floats>(&self, tile: &mut Tile<D::Value<f32>>, first: usize, row: &Row) {
        self.places::<D, F>(tile, first, row, None);
    }

    #[inline(always)]
    fn values<F: Floats>(
        &self,
        tile: &Tile<D::Value<f32>>,
        _: &Row,
        place: usize,
        lane: usize,
    ) -> D::Value<F> {
        D::load_value(&tile[place], lane)
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.places::<D, F>(values, first, row, Some(by));
    }
}
