//! Per-column data of an octave. The loops over these data are compiled separately for each model.

use terrane_grid::Domain;

use super::super::axis::{Axis, GROUPS, LANES, Scale, Tile, moved};
use super::super::points::Points;
use super::super::real::Depth;
use super::any::{AnyPoints, with_each};
use super::model::{MOST_TERMS, Model};
use super::points::LatticePoints;
use crate::simd::{Bits, Floats, LaneWork};

/// The data that all samples of a row share.
pub struct LatticeRow<A> {
    pub cell: u32,
    pub inside: f32,
    /// The factor of each term that depends on the row's position.
    pub factors: [A; MOST_TERMS],
}

/// The sides of a cell.
#[derive(Clone, Copy)]
pub struct Sides {
    pub lengths: [f32; 2],
    /// One over each length.
    pub inverse: [f32; 2],
}

/// The data of all columns.
pub struct Table<D: Depth> {
    columns: Axis,
    /// The hashes of the lattice columns before and after each sample.
    hashes: [Vec<[u32; LANES]>; 2],
    /// The smoothstep of each sample's position in its cell.
    smooth: Vec<[D::Along<f32>; LANES]>,
}

impl<D: Depth> Table<D> {
    /// The columns of a domain.
    pub fn new<M: Copy>(domain: &Domain, points: &LatticePoints<M>, scale: Scale) -> Self {
        let columns = Axis::new(domain.width(), |column| scale.locate(domain.x(column)));
        let hashes = [0, 1].map(|by| {
            let hash = |x: u32| points.hash.column(points.pair(0, x)[by]);
            columns.cells.iter().map(|cells| cells.map(hash)).collect()
        });
        let smooth = |inside: &[f32; LANES]| inside.map(|t| points.smoothstep.at(D::coordinate(t)));
        let smooth = columns.inside.iter().map(smooth).collect();
        Self { columns, hashes, smooth }
    }

    /// Computes the factors of a tile's terms, for one row of cells.
    #[inline(never)]
    pub fn terms<F: Floats>(
        &self,
        points: &AnyPoints,
        terms: &mut [Tile<D::Along<f32>>; MOST_TERMS],
        first: usize,
        cell: u32,
    ) {
        let table = self;
        with_each!(AnyPoints, points, points => {
            F::by_itself(Terms { points, table, terms, first, cell });
        });
    }

    /// Computes the values of a tile's row at moved positions.
    #[inline(never)]
    pub fn warped<F: Floats>(
        &self,
        points: &AnyPoints,
        sides: Sides,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &LatticeRow<D::Along<f32>>,
        by: [&[[f32; LANES]]; 2],
    ) {
        let table = self;
        with_each!(AnyPoints, points, points => {
            F::by_itself(WarpedValues { points, table, sides, values, first, row, by });
        });
    }
}

/// The work of [`Table::terms`], for one model.
struct Terms<'a, M, D: Depth> {
    points: &'a LatticePoints<M>,
    table: &'a Table<D>,
    terms: &'a mut [Tile<D::Along<f32>>; MOST_TERMS],
    first: usize,
    cell: u32,
}

impl<M: Model, D: Depth> LaneWork for Terms<'_, M, D> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let Self { points: &points, table, terms, first, cell } = self;
        let rows = points.pair(1, cell).map(|row| F::Bits::splat(points.hash.row(row)));
        let range = table.columns.tile(first);
        let (before, after) = (&table.hashes[0][range.clone()], &table.hashes[1][range.clone()]);
        let (inside, smooth) = (&table.columns.inside[range.clone()], &table.smooth[range]);
        let groups = before.iter().zip(after).zip(inside).zip(smooth).take(GROUPS);
        for (group, (((before, after), inside), smooth)) in groups.enumerate() {
            for at in (0..LANES).step_by(F::LANES) {
                let columns = [F::Bits::load(&before[at..]), F::Bits::load(&after[at..])];
                let corners = points.corners::<F>(columns, rows);
                let u = D::coordinate(F::load(&inside[at..]));
                let column = points.model.column(corners, u, D::load(smooth, at));
                for term in 0..M::TERMS {
                    D::store_along(column[term], &mut terms[term][group], at);
                }
            }
        }
    }
}

/// The work of [`Table::warped`], for one model.
struct WarpedValues<'a, M, D: Depth> {
    points: &'a LatticePoints<M>,
    table: &'a Table<D>,
    sides: Sides,
    values: &'a mut Tile<D::Value<f32>>,
    first: usize,
    row: &'a LatticeRow<D::Along<f32>>,
    by: [&'a [[f32; LANES]]; 2],
}

impl<M: Model, D: Depth> LaneWork for WarpedValues<'_, M, D> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        // The common orders have separate loops.
        match self.points.order() {
            1 => self.with_order::<F>(1),
            2 => self.with_order::<F>(2),
            order => self.with_order::<F>(order),
        }
    }
}

impl<M: Model, D: Depth> WarpedValues<'_, M, D> {
    /// Runs with `order` as the smoothstep's order.
    #[inline(always)]
    fn with_order<F: Floats>(self, order: usize) {
        let Self { points: &points, table, sides, values, first, row, by: [by_x, by_y] } = self;
        let range = table.columns.tile(first);
        let samples = table.columns.cells[range.clone()].iter().zip(&table.columns.inside[range]);
        let (row_cell, row_inside) = (F::Bits::splat(row.cell), F::splat(row.inside));
        let [inverse_x, inverse_y] = [F::splat(sides.inverse[0]), F::splat(sides.inverse[1])];
        let groups = samples.zip(by_x.iter().zip(by_y)).zip(values.iter_mut());
        for (((cells, inside), (by_x, by_y)), values) in groups {
            for at in (0..LANES).step_by(F::LANES) {
                let (cell, inside) = (F::Bits::load(&cells[at..]), F::load(&inside[at..]));
                let x = moved(cell, inside, F::load(&by_x[at..]) * inverse_x);
                let y = moved(row_cell, row_inside, F::load(&by_y[at..]) * inverse_y);
                D::store(D::stretched(points.at::<D, F>(order, x, y), sides.lengths), values, at);
            }
        }
    }
}
