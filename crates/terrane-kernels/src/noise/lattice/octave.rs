//! One octave of lattice noise over a domain.

use terrane_grid::Domain;

use super::super::axis::{LANES, Scale, Tile};
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::any::{AnyPoints, with_each};
use super::model::{MOST_TERMS, Model};
use super::table::{LatticeRow, Sides, Table};
use crate::simd::Floats;

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
    type Row = LatticeRow<D::Along<f32>>;
    type Tile = Columns<D::Along<f32>>;

    fn row(&self, _: usize, y: f64) -> LatticeRow<D::Along<f32>> {
        let (cell, inside) = self.scale.locate(y);
        let v = D::coordinate(inside);
        let factors =
            with_each!(AnyPoints, &self.points, points => points.model.row(v, points.smoothstep.at(v)));
        LatticeRow { cell, inside, factors }
    }

    fn tile(&self) -> Columns<D::Along<f32>> {
        Columns { cell: None, terms: [Tile::of(D::Along::<f32>::constant(0.0)); MOST_TERMS] }
    }

    fn leave(tile: &mut Columns<D::Along<f32>>) {
        tile.cell = None;
    }

    #[inline(always)]
    fn enter<F: Floats>(
        &self,
        tile: &mut Columns<D::Along<f32>>,
        first: usize,
        row: &LatticeRow<D::Along<f32>>,
    ) {
        if tile.cell != Some(row.cell) {
            tile.cell = Some(row.cell);
            self.table.terms::<F>(&self.points, &mut tile.terms, first, row.cell);
        }
    }

    #[inline(always)]
    fn values<F: Floats>(
        &self,
        tile: &Columns<D::Along<f32>>,
        row: &LatticeRow<D::Along<f32>>,
        group: usize,
        lane: usize,
    ) -> D::Value<F> {
        let mut value = D::of_column(D::load(&tile.terms[0][group], lane));
        for term in 1..TERMS {
            let factor = D::everywhere(row.factors[term]);
            value = value + D::product(D::load(&tile.terms[term][group], lane), factor);
        }
        D::stretched(value, self.sides.lengths)
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &LatticeRow<D::Along<f32>>,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.table.warped::<F>(&self.points, self.sides, values, first, row, by);
    }
}
