//! Octaves whose lattice is not aligned with the grid's columns and rows. Every sample is computed
//! separately.

use fearless_simd::prelude::*;
use terrane_grid::Domain;

use super::axis::{Axis, GROUPS, LANES, Tile, locate};
use super::frame::Frame;
use super::lattice::{self, with_each};
use super::octave::Octave;
use super::points::Points;
use super::real::{Depth, Stored, Value};
use super::simplex::Bells;
use crate::simd::{by_itself, load, load_words, split};

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
    values: &'a mut Tile<D::Value>,
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
    fn row_values<D: Depth, S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &ObliqueRow,
        by: Option<[&[[f32; LANES]]; 2]>,
    ) {
        let (frame, columns) = (&self.frame, &self.columns);
        match &self.points {
            ObliquePoints::Lattice(points) => with_each!(AnyPoints, points, points => {
                let work = RowValues::<_, D> { points, frame, columns, values, first, row, by };
                by_itself(simd, #[inline(always)] || work.run(simd));
            }),
            ObliquePoints::Simplex(points) => {
                let work = RowValues::<_, D> { points, frame, columns, values, first, row, by };
                by_itself(
                    simd,
                    #[inline(always)]
                    || work.run(simd),
                );
            }
        }
    }
}

impl<P: Points, D: Depth> RowValues<'_, P, D> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        match self.points.order() {
            1 => self.with_order(simd, 1),
            2 => self.with_order(simd, 2),
            order => self.with_order(simd, order),
        }
    }

    #[inline(always)]
    fn with_order<S: Simd>(self, simd: S, order: usize) {
        let Self { points: &points, frame: &frame, columns: [i_axis, j_axis], values, first, row, by } = self;
        let range = i_axis.tile(first);
        let i_axis = i_axis.cells[range.clone()].iter().zip(&i_axis.inside[range.clone()]);
        let j_axis = j_axis.cells[range.clone()].iter().zip(&j_axis.inside[range]);
        let [(row_i, row_x), (row_j, row_y)] = row.0;
        let moves = by.map(|by| (frame.moves(), by));
        let groups = i_axis.zip(j_axis).zip(values.iter_mut()).enumerate();
        for (group, (((i_cells, i_inside), (j_cells, j_inside)), values)) in groups {
            for at in (0..LANES).step_by(S::f32s::LEN) {
                let mut x = load(simd, &i_inside[at..]) + row_x;
                let mut y = load(simd, &j_inside[at..]) + row_y;
                if let Some((moves, [by_x, by_y])) = moves {
                    let (by_x, by_y) =
                        moves.of(simd, load(simd, &by_x[group][at..]), load(simd, &by_y[group][at..]));
                    (x, y) = (x + by_x, y + by_y);
                }
                let ((i, x), (j, y)) = (split(simd, x), split(simd, y));
                let i = load_words(simd, &i_cells[at..]) + row_i + i;
                let j = load_words(simd, &j_cells[at..]) + row_j + j;
                values.store::<S>(frame.slopes::<D, S>(points.at::<D, S>(simd, order, (i, x), (j, y))), at);
            }
        }
    }
}

impl<D: Depth> Octave<D> for ObliqueOctave {
    type Row = ObliqueRow;
    type Tile = Tile<D::Value>;

    fn row(&self, _: usize, y: f64) -> ObliqueRow {
        let Frame { factors, cell, shift, .. } = self.frame;
        let y = self.frame.world(1, y);
        ObliqueRow([0, 1].map(|axis| locate(y * factors[axis][1], cell, shift[axis])))
    }

    fn tile(&self) -> Tile<D::Value> {
        Tile([D::Value::ZERO; GROUPS])
    }

    fn leave(_: &mut Tile<D::Value>) {}

    #[inline(always)]
    fn enter<S: Simd>(&self, simd: S, tile: &mut Tile<D::Value>, first: usize, row: &ObliqueRow) {
        self.row_values::<D, S>(simd, tile, first, row, None);
    }

    #[inline(always)]
    fn values<S: Simd>(
        &self,
        simd: S,
        tile: &Tile<D::Value>,
        _: &ObliqueRow,
        group: usize,
        lane: usize,
    ) -> Value<D, S> {
        tile[group].load(simd, lane)
    }

    #[inline(always)]
    fn warped<S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &ObliqueRow,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.row_values::<D, S>(simd, values, first, row, Some(by));
    }
}
