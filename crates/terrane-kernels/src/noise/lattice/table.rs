//! Per-column data of an octave. The loops over these data are compiled separately for each model.

use fearless_simd::{Fallback, prelude::*, u32x4};
use terrane_grid::Domain;

use super::super::axis::{Axis, GROUPS, LANES, Scale, Tile, moved};
use super::super::points::Points;
use super::super::real::{Depth, Stored};
use super::any::{AnyPoints, with_each};
use super::model::{MOST_TERMS, Model};
use super::points::LatticePoints;
use crate::simd::{by_itself, load, load_words};

/// The data that all samples of a row share.
pub struct LatticeRow<D: Depth> {
    pub cell: u32,
    pub inside: f32,
    /// The factor of each term that depends on the row's position.
    pub factors: [<D::Along as Stored>::One; MOST_TERMS],
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
    smooth: Vec<D::Along>,
}

impl<D: Depth> Table<D> {
    /// The columns of a domain.
    pub fn new<M: Copy>(domain: &Domain, points: &LatticePoints<M>, scale: Scale) -> Self {
        let simd = Fallback::new();
        let columns = Axis::new(domain.width(), |column| scale.locate(domain.x(column)));
        let hashes = vec![[0; LANES]; columns.cells.len()];
        let mut hashes = [hashes.clone(), hashes];
        let mut smooth = vec![D::Along::ZERO; columns.cells.len()];
        for (group, smooth) in smooth.iter_mut().enumerate() {
            for at in (0..LANES).step_by(u32x4::<Fallback>::LEN) {
                let pair = points.pair(simd, 0, load_words(simd, &columns.cells[group][at..]));
                for (hashes, index) in hashes.iter_mut().zip(pair) {
                    let hashes = &mut hashes[group][at..at + u32x4::<Fallback>::LEN];
                    points.hash.column(simd, index).store_slice(hashes);
                }
                let u = D::coordinate::<Fallback>(load(simd, &columns.inside[group][at..]));
                smooth.store(points.smoothstep.at(u), at);
            }
        }
        Self { columns, hashes, smooth }
    }

    /// Computes the factors of a tile's terms, for one row of cells.
    #[inline(never)]
    pub fn terms<S: Simd>(
        &self,
        simd: S,
        points: &AnyPoints,
        terms: &mut [Tile<D::Along>; MOST_TERMS],
        first: usize,
        cell: u32,
    ) {
        let table = self;
        with_each!(AnyPoints, points, points => {
            let work = Terms { points, table, terms, first, cell };
            by_itself(simd, #[inline(always)] || work.run(simd));
        });
    }

    /// Computes the values of a tile's row at moved positions.
    #[inline(never)]
    #[expect(clippy::too_many_arguments, reason = "a token, and the state of one tile")]
    pub fn warped<S: Simd>(
        &self,
        simd: S,
        points: &AnyPoints,
        sides: Sides,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &LatticeRow<D>,
        by: [&[[f32; LANES]]; 2],
    ) {
        let table = self;
        with_each!(AnyPoints, points, points => {
            let work = WarpedValues { points, table, sides, values, first, row, by };
            by_itself(simd, #[inline(always)] || work.run(simd));
        });
    }
}

/// The work of [`Table::terms`], for one model.
struct Terms<'a, M, D: Depth> {
    points: &'a LatticePoints<M>,
    table: &'a Table<D>,
    terms: &'a mut [Tile<D::Along>; MOST_TERMS],
    first: usize,
    cell: u32,
}

impl<M: Model, D: Depth> Terms<'_, M, D> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { points: &points, table, terms, first, cell } = self;
        let [upper, lower] = points.pair(simd, 1, S::u32s::splat(simd, cell));
        let rows = [points.hash.row(simd, upper), points.hash.row(simd, lower)];
        let range = table.columns.tile(first);
        let (before, after) = (&table.hashes[0][range.clone()], &table.hashes[1][range.clone()]);
        let (inside, smooth) = (&table.columns.inside[range.clone()], &table.smooth[range]);
        let groups = before.iter().zip(after).zip(inside).zip(smooth).take(GROUPS);
        for (group, (((before, after), inside), smooth)) in groups.enumerate() {
            for at in (0..LANES).step_by(S::f32s::LEN) {
                let columns = [load_words(simd, &before[at..]), load_words(simd, &after[at..])];
                let corners = points.corners(simd, columns, rows);
                let u = D::coordinate::<S>(load(simd, &inside[at..]));
                let column = points.model.column(corners, u, smooth.load(simd, at));
                for term in 0..M::TERMS {
                    terms[term][group].store::<S>(column[term], at);
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
    values: &'a mut Tile<D::Value>,
    first: usize,
    row: &'a LatticeRow<D>,
    by: [&'a [[f32; LANES]]; 2],
}

impl<M: Model, D: Depth> WarpedValues<'_, M, D> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        // The common orders have separate loops.
        match self.points.order() {
            1 => self.with_order(simd, 1),
            2 => self.with_order(simd, 2),
            order => self.with_order(simd, order),
        }
    }

    /// Runs with `order` as the smoothstep's order.
    #[inline(always)]
    fn with_order<S: Simd>(self, simd: S, order: usize) {
        let Self { points: &points, table, sides, values, first, row, by: [by_x, by_y] } = self;
        let range = table.columns.tile(first);
        let samples = table.columns.cells[range.clone()].iter().zip(&table.columns.inside[range]);
        let (row_cell, row_inside) = (S::u32s::splat(simd, row.cell), S::f32s::splat(simd, row.inside));
        let [inverse_x, inverse_y] = sides.inverse;
        let groups = samples.zip(by_x.iter().zip(by_y)).zip(values.iter_mut());
        for (((cells, inside), (by_x, by_y)), values) in groups {
            for at in (0..LANES).step_by(S::f32s::LEN) {
                let (cell, inside) = (load_words(simd, &cells[at..]), load(simd, &inside[at..]));
                let x = moved(simd, cell, inside, load(simd, &by_x[at..]) * inverse_x);
                let y = moved(simd, row_cell, row_inside, load(simd, &by_y[at..]) * inverse_y);
                let value = points.at::<D, S>(simd, order, x, y);
                values.store::<S>(D::stretched::<S>(value, sides.lengths), at);
            }
        }
    }
}
