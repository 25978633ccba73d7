//! OpenSimplex2 in the plane.

#![expect(
    clippy::needless_range_loop,
    reason = "arrays side by side, in step: the form that becomes vectors"
)]

use terrane_grid::{Domain, Seed};

use super::axis::{Axis, LANES, TILE, Tile, locate, moved};
use super::hash::{Direction, LatticeHash};
use super::octave::Octave;
use super::real::{Depth, Real};

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
    hash: LatticeHash,
    cell: f64,
    /// Per column, its share in the skewed lattice's two coordinates.
    columns: [Axis; 2],
}

/// A row's share in the skewed lattice's two coordinates.
pub struct Row([(u32, f32); 2]);

impl SimplexOctave {
    /// An octave whose triangles have sides such that one lies in the square of `cell` world units, skewed.
    pub fn new(domain: &Domain, seed: Seed, cell: f64) -> Self {
        let share = |factor: f64| Axis::new(domain.width(), cell, 0.0, |column| domain.x(column) * factor);
        Self { hash: LatticeHash::new(seed), cell, columns: [share(1.0 + SKEW), share(SKEW)] }
    }

    /// The values of a tile's row, at places that may be moved.
    #[inline(always)]
    fn places<D: Depth>(
        &self,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &Row,
        by: Option<[&[f32]; 2]>,
    ) {
        let [i_axis, j_axis] = &self.columns;
        let range = i_axis.tile(first);
        let (i_cells, i_inside) = (&i_axis.cells[range.clone()], &i_axis.inside[range.clone()]);
        let (j_cells, j_inside) = (&j_axis.cells[range.clone()], &j_axis.inside[range]);
        let count = i_inside.len().min(TILE);
        let values = &mut values.as_flattened_mut()[..count];
        let Row([(row_i, row_x), (row_j, row_y)]) = *row;
        let place = |c: usize| {
            let i = carried(i_cells[c].wrapping_add(row_i), i_inside[c] + row_x);
            (i, carried(j_cells[c].wrapping_add(row_j), j_inside[c] + row_y))
        };
        let Some([by_x, by_y]) = by else {
            for c in 0..count {
                let (i, j) = place(c);
                values[c] = self.at::<D>(i, j);
            }
            return;
        };
        let count = by_x.len().min(by_y.len()).min(count);
        let inverse = (1.0 / self.cell) as f32;
        for c in 0..count {
            let ((i, x), (j, y)) = place(c);
            let skew = (by_x[c] + by_y[c]) * SKEW as f32;
            let i = moved(i, x, (by_x[c] + skew) * inverse);
            let j = moved(j, y, (by_y[c] + skew) * inverse);
            values[c] = self.at::<D>(i, j);
        }
    }

    /// The value at (x, y) inside the skewed cell (i, j).
    #[inline(always)]
    fn at<D: Depth>(&self, (i, x): (u32, f32), (j, y): (u32, f32)) -> D::Value {
        // Distances from the first corner, in the plane.
        let back = (x + y) * UNSKEW;
        let (dx, dy) = (x - back, y - back);
        // The third corner lies right of the diagonal between the others, or left of it.
        let right = dx >= dy;
        let (step_x, step_y) = if right { (1.0 - UNSKEW, -UNSKEW) } else { (-UNSKEW, 1.0 - UNSKEW) };
        let [column, next_column] = self.hash.pair(i).map(|i| self.hash.column(i));
        let [row, next_row] = self.hash.pair(j).map(|j| self.hash.row(j));
        let (third_column, third_row) = if right { (next_column, row) } else { (column, next_row) };
        let far = 1.0 - 2.0 * UNSKEW;
        let sum = self.bell::<D>(column, row, dx, dy)
            + self.bell::<D>(third_column, third_row, dx - step_x, dy - step_y)
            + self.bell::<D>(next_column, next_row, dx - far, dy - far);
        D::stretched(sum, self.cell as f32)
    }

    /// A corner's share at a distance from it.
    #[inline(always)]
    fn bell<D: Depth>(&self, column: u32, row: u32, dx: f32, dy: f32) -> D::Value {
        let (f, g) = const { Direction::of_length(SCALE) }.of(self.hash.point(column, row));
        let k = D::Value::constant;
        let (x, y) = D::place(dx, dy);
        let bell = (k(0.5) - x * x - y * y).or_zero();
        let square = bell * bell;
        square * square * (x * k(f) + y * k(g))
    }
}

impl<D: Depth> Octave<D> for SimplexOctave {
    type Row = Row;
    type Tile = Tile<D::Value>;

    fn row(&self, y: f64) -> Row {
        let [i, j] = self.hash.shift;
        Row([locate(y * SKEW, self.cell, i), locate(y * (1.0 + SKEW), self.cell, j)])
    }

    fn tile(&self) -> Tile<D::Value> {
        Tile::of(D::Value::constant(0.0))
    }

    fn leave(_: &mut Tile<D::Value>) {}

    #[inline(always)]
    fn enter(&self, tile: &mut Tile<D::Value>, first: usize, row: &Row) {
        self.places::<D>(tile, first, row, None);
    }

    #[inline(always)]
    fn values(&self, tile: &Tile<D::Value>, _: &Row, place: usize) -> [D::Value; LANES] {
        tile[place]
    }

    #[inline(always)]
    fn warped(&self, values: &mut Tile<D::Value>, first: usize, row: &Row, by: [&[f32]; 2]) {
        self.places::<D>(values, first, row, Some(by));
    }
}

/// A cell and a position in [0, 2): the next cell, where the position lies there.
#[inline(always)]
fn carried(cell: u32, inside: f32) -> (u32, f32) {
    if inside >= 1.0 { (cell.wrapping_add(1), inside - 1.0) } else { (cell, inside) }
}
