//! One octave of lattice noise over a domain.

use fearless_simd::{Fallback, f32x4, prelude::*};
use terrane_grid::Domain;

use super::super::axis::{GROUPS, LANES, Scale, Tile};
use super::super::octave::Octave;
use super::super::real::{Depth, Stored, Value};
use super::any::{AnyPoints, with_each};
use super::model::{MOST_TERMS, Model};
use super::table::{LatticeRow, Sides, Table};

/// One octave of a model's noise. Octaves of all models with the same number of terms share a type, so that
/// the code around them is compiled once.
pub struct LatticeOctave<const TERMS: usize, D: Depth> {
    points: AnyPoints,
    /// The lattice along y.
    scale: Scale,
    sides: Sides,
    table: Table<D>,
}

/// The factors of the terms for the columns of a tile, inside one row of cells.
pub struct Columns<A> {
    cell: Option<u32>,
    terms: [Tile<A>; MOST_TERMS],
}

impl<const TERMS: usize, D: Depth> LatticeOctave<TERMS, D> {
    /// An octave whose lattice has these scales along x and y.
    pub fn new(domain: &Domain, points: AnyPoints, scales: [Scale; 2]) -> Self {
        let table = with_each!(AnyPoints, &points, points => Table::new(domain, points, scales[0]));
        let sides = Sides {
            lengths: scales.map(|scale| scale.cell as f32),
            inverse: scales.map(|scale| (1.0 / scale.cell) as f32),
        };
        Self { points, scale: scales[1], sides, table }
    }
}

impl<const TERMS: usize, D: Depth> Octave<D> for LatticeOctave<TERMS, D> {
    type Row = LatticeRow<D>;
    type Tile = Columns<D::Along>;

    fn row(&self, _: usize, y: f64) -> LatticeRow<D> {
        let (cell, inside) = self.scale.locate(y);
        let v = D::coordinate::<Fallback>(f32x4::splat(Fallback::new(), inside));
        let factors =
            with_each!(AnyPoints, &self.points, points => points.model.row(v, points.smoothstep.at(v)));
        LatticeRow { cell, inside, factors: factors.map(D::Along::first::<Fallback>) }
    }

    fn tile(&self) -> Columns<D::Along> {
        Columns { cell: None, terms: [Tile([D::Along::ZERO; GROUPS]); MOST_TERMS] }
    }

    fn leave(tile: &mut Columns<D::Along>) {
        tile.cell = None;
    }

    #[inline(always)]
    fn enter<S: Simd>(&self, simd: S, tile: &mut Columns<D::Along>, first: usize, row: &LatticeRow<D>) {
        if tile.cell != Some(row.cell) {
            tile.cell = Some(row.cell);
            self.table.terms(simd, &self.points, &mut tile.terms, first, row.cell);
        }
    }

    #[inline(always)]
    fn values<S: Simd>(
        &self,
        simd: S,
        tile: &Columns<D::Along>,
        row: &LatticeRow<D>,
        group: usize,
        lane: usize,
    ) -> Value<D, S> {
        let mut value = D::of_column::<S>(tile.terms[0][group].load(simd, lane));
        for term in 1..TERMS {
            let factor = D::Along::everywhere(simd, row.factors[term]);
            value = value + D::product::<S>(tile.terms[term][group].load(simd, lane), factor);
        }
        D::stretched::<S>(value, self.sides.lengths)
    }

    #[inline(always)]
    fn warped<S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &LatticeRow<D>,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.table.warped(simd, &self.points, self.sides, values, first, row, by);
    }
}
