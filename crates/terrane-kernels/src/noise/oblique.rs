//! Octaves whose lattice does not lie along the grid's columns and rows: every sample is worked out by itself.

use terrane_grid::Domain;

use super::axis::{Axis, LANES, Tile, locate, within};
use super::octave::Octave;
use super::real::{Depth, Real};
use crate::simd::{Bits, Floats};

/// What makes noise of places in a lattice. (Copied before loops, so that nothing of it is read again after each value written.)
pub trait Points: Copy + Send + Sync {
    /// Which of several forms the formula has: loops over the usual ones, 1 and 2, are compiled by themselves.
    fn order(&self) -> usize;

    /// The values at (x, y) inside the cells (i, j), with derivatives by the plane's coordinates in cells; `order` is
    /// [`Points::order`].
    fn at<D: Depth, F: Floats>(self, order: usize, i: (F::Bits, F), j: (F::Bits, F)) -> D::Value<F>;
}

/// How places of the world become coordinates of a lattice.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The lattice's two coordinates, in `cell`s, by x and y.
    pub factors: [[f64; 2]; 2],
    /// World units a cell.
    pub cell: f64,
    /// By how many cells the lattice is moved.
    pub shift: [f64; 2],
    /// How the lattice is turned or stretched besides.
    pub bend: Bend,
}

/// How a lattice is turned or stretched.
#[derive(Clone, Copy, Debug)]
pub enum Bend {
    /// Skewed by some share of x + y, and else as the world lies.
    Skewed(f32),
    /// By a matrix.
    Turned {
        /// The coordinates of the plane before it is skewed, in cells, by x and y.
        plane: [[f64; 2]; 2],
        /// Where the world begins anew.
        torus: Option<[f64; 2]>,
    },
}

impl Frame {
    /// A lattice of squares with sides of `cell` world units, turned.
    pub fn turned(turn: [[f64; 2]; 2], cell: f64, shift: [f64; 2]) -> Self {
        let plane = turn.map(|row| row.map(|factor| factor / cell));
        Self { factors: turn, cell, shift, bend: Bend::Turned { plane, torus: None } }
    }

    /// The coordinate along an axis of the world that a place has, on a torus within its extent.
    fn world(&self, axis: usize, world: f64) -> f64 {
        match self.bend {
            Bend::Turned { torus: Some(extent), .. } => within(world, extent[axis]),
            _ => world,
        }
    }
}

/// One octave over a domain.
pub struct ObliqueOctave<P> {
    points: P,
    frame: Frame,
    /// Per column, its share in the lattice's two coordinates.
    columns: [Axis; 2],
}

/// A row's share in the lattice's two coordinates.
pub struct Row([(u32, f32); 2]);

impl<P: Points> ObliqueOctave<P> {
    /// An octave of such points.
    pub fn new(domain: &Domain, points: P, frame: Frame) -> Self {
        let columns = frame.factors.map(|[factor, _]| {
            Axis::new(domain.width(), |column| {
                locate(frame.world(0, domain.x(column)) * factor, frame.cell, 0.0)
            })
        });
        Self { points, frame, columns }
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
        match self.points.order() {
            1 => self.places_of::<D, F>(1, values, first, row, by),
            2 => self.places_of::<D, F>(2, values, first, row, by),
            order => self.places_of::<D, F>(order, values, first, row, by),
        }
    }

    #[inline(always)]
    fn places_of<D: Depth, F: Floats>(
        &self,
        order: usize,
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
        let (points, frame) = (self.points, self.frame);
        let places = i_axis.zip(j_axis).zip(values.iter_mut()).enumerate();
        for (place, (((i_cells, i_inside), (j_cells, j_inside)), values)) in places {
            for at in (0..LANES).step_by(F::LANES) {
                let (mut x, mut y) = (F::load(&i_inside[at..]) + row_x, F::load(&j_inside[at..]) + row_y);
                if let Some([by_x, by_y]) = by {
                    let (by_x, by_y) = frame.moves(F::load(&by_x[place][at..]), F::load(&by_y[place][at..]));
                    (x, y) = (x + by_x, y + by_y);
                }
                let ((i, x), (j, y)) = (x.split(), y.split());
                let i = F::Bits::load(&i_cells[at..]).plus(row_i).plus(i);
                let j = F::Bits::load(&j_cells[at..]).plus(row_j).plus(j);
                D::store(frame.slopes::<D, F>(points.at::<D, F>(order, (i, x), (j, y))), values, at);
            }
        }
    }
}

impl Frame {
    /// How far places move in the lattice that move so far in the world.
    #[inline(always)]
    fn moves<F: Floats>(&self, by_x: F, by_y: F) -> (F, F) {
        match self.bend {
            Bend::Skewed(skew) => {
                let inverse = F::splat((1.0 / self.cell) as f32);
                let skew = (by_x + by_y) * F::splat(skew);
                ((by_x + skew) * inverse, (by_y + skew) * inverse)
            }
            Bend::Turned { .. } => {
                let [i, j] = self.factors.map(|[x, y]| {
                    by_x * F::splat((x / self.cell) as f32) + by_y * F::splat((y / self.cell) as f32)
                });
                (i, j)
            }
        }
    }

    /// Values with derivatives by the world's coordinates.
    #[inline(always)]
    fn slopes<D: Depth, F: Floats>(&self, value: D::Value<F>) -> D::Value<F> {
        match self.bend {
            Bend::Skewed(_) => D::stretched(value, [self.cell as f32; 2]),
            Bend::Turned { plane, .. } => D::turned(value, plane.map(|row| row.map(|cells| cells as f32))),
        }
    }
}

impl<D: Depth, P: Points> Octave<D> for ObliqueOctave<P> {
    type Row = Row;
    type Tile = Tile<D::Value<f32>>;

    fn row(&self, _: usize, y: f64) -> Row {
        let Frame { factors, cell, shift, .. } = self.frame;
        let y = self.frame.world(1, y);
        Row([0, 1].map(|axis| locate(y * factors[axis][1], cell, shift[axis])))
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
