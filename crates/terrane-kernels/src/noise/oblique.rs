//! Octaves whose lattice is not aligned with the grid's columns and rows. Every sample is computed
//! separately.

use terrane_grid::Domain;

use super::axis::{Axis, LANES, Tile, locate};
use super::frame::Frame;
use super::lattice::{self, with_each};
use super::octave::Octave;
use super::points::Points;
use super::real::{Depth, Real};
use super::simplex::Bells;
use crate::simd::{Bits, Floats, LaneWork};

/// The evaluator of an octave. Octaves of all kinds share one type, so that the code around them is
/// compiled once.
pub enum ObliquePoints {
    Lattice(lattice::AnyPoints),
    Simplex(Bells),
}

/// One octave over a domain.
pub struct ObliqueOctave {
    points: ObliquePoints,
    frame: Frame,
    /// Each column's contribution to the lattice's two coordinates.
    columns: [Axis; 2],
}

/// A row's contribution to the lattice's two coordinates.
pub struct ObliqueRow([(u32, f32); 2]);

/// The values of a tile's row, at positions that may be moved.
struct RowValues<'a, P, D: Depth> {
    points: &'a P,
    frame: &'a Frame,
    columns: &'a [Axis; 2],
    values: &'a mut Tile<D::Value<f32>>,
    first: usize,
    row: &'a ObliqueRow,
    by: Option<[&'a [[f32; LANES]]; 2]>,
}

impl ObliqueOctave {
    /// An octave with this evaluator.
    pub fn new(domain: &Domain, points: ObliquePoints, frame: Frame) -> Self {
        let columns = frame.factors.map(|[factor, _]| {
            Axis::new(domain.width(), |column| {
                locate(frame.world(0, domain.x(column)) * factor, frame.cell, 0.0)
            })
        });
        Self { points, frame, columns }
    }

    /// Computes the values of a tile's row, at positions that may be moved.
    #[inline(never)]
    fn row_values<D: Depth, F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &ObliqueRow,
        by: Option<[&[[f32; LANES]]; 2]>,
    ) {
        let (frame, columns) = (&self.frame, &self.columns);
        match &self.points {
            ObliquePoints::Lattice(points) => with_each!(AnyPoints, points, points => {
                F::by_itself(RowValues::<_, D> { points, frame, columns, values, first, row, by });
            }),
            ObliquePoints::Simplex(points) => {
                F::by_itself(RowValues::<_, D> { points, frame, columns, values, first, row, by });
            }
        }
    }
}

impl<P: Points, D: Depth> LaneWork for RowValues<'_, P, D> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        match self.points.order() {
            1 => self.with_order::<F>(1),
            2 => self.with_order::<F>(2),
            order => self.with_order::<F>(order),
        }
    }
}

impl<P: Points, D: Depth> RowValues<'_, P, D> {
    #[inline(always)]
    fn with_order<F: Floats>(self, order: usize) {
        let Self { points: &points, frame: &frame, columns: [i_axis, j_axis], values, first, row, by } = self;
        let range = i_axis.tile(first);
        let i_axis = i_axis.cells[range.clone()].iter().zip(&i_axis.inside[range.clone()]);
        let j_axis = j_axis.cells[range.clone()].iter().zip(&j_axis.inside[range]);
        let [(row_i, row_x), (row_j, row_y)] = row.0;
        let (row_i, row_j) = (F::Bits::splat(row_i), F::Bits::splat(row_j));
        let (row_x, row_y) = (F::splat(row_x), F::splat(row_y));
        let moves = by.map(|by| (frame.moves::<F>(), by));
        let groups = i_axis.zip(j_axis).zip(values.iter_mut()).enumerate();
        for (group, (((i_cells, i_inside), (j_cells, j_inside)), values)) in groups {
            for at in (0..LANES).step_by(F::LANES) {
                let (mut x, mut y) = (F::load(&i_inside[at..]) + row_x, F::load(&j_inside[at..]) + row_y);
                if let Some((moves, [by_x, by_y])) = moves {
                    let (by_x, by_y) = moves.of(F::load(&by_x[group][at..]), F::load(&by_y[group][at..]));
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

impl<D: Depth> Octave<D> for ObliqueOctave {
    type Row = ObliqueRow;
    type Tile = Tile<D::Value<f32>>;

    fn row(&self, _: usize, y: f64) -> ObliqueRow {
        let Frame { factors, cell, shift, .. } = self.frame;
        let y = self.frame.world(1, y);
        ObliqueRow([0, 1].map(|axis| locate(y * factors[axis][1], cell, shift[axis])))
    }

    fn tile(&self) -> Tile<D::Value<f32>> {
        Tile::of(D::Value::<f32>::constant(0.0))
    }

    fn leave(_: &mut Tile<D::Value<f32>>) {}

    #[inline(always)]
    fn enter<F: Floats>(&self, tile: &mut Tile<D::Value<f32>>, first: usize, row: &ObliqueRow) {
        self.row_values::<D, F>(tile, first, row, None);
    }

    #[inline(always)]
    fn values<F: Floats>(
        &self,
        tile: &Tile<D::Value<f32>>,
        _: &ObliqueRow,
        group: usize,
        lane: usize,
    ) -> D::Value<F> {
        D::load_value(&tile[group], lane)
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &ObliqueRow,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.row_values::<D, F>(values, first, row, Some(by));
    }
}
