//! One octave of lattice noise over a domain.

use terrane_grid::Domain;

use super::super::axis::{LANES, Scale, Tile};
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::any::{AnyModel, with_model};
use super::model::{MOST_TERMS, Model};
use super::points::LatticePoints;
use super::table::{Row, Table};
use crate::simd::Floats;

/// One octave of a model's noise. Octaves of all models with so many terms have one type, so that what is around them is compiled
/// once.
pub struct LatticeOctave<const TERMS: usize, D: Depth> {
    points: LatticePoints<AnyModel>,
    scales: [Scale; 2],
    table: Table<D>,
}

/// The columns of a tile inside one row of cells: the terms' factors.
pub struct Columns<A> {
    cell: Option<u32>,
    terms: [Tile<A>; MOST_TERMS],
}

impl<const TERMS: usize, D: Depth> LatticeOctave<TERMS, D> {
    /// An octave whose lattice lies so along the axes.
    pub fn new(domain: &Domain, points: LatticePoints<AnyModel>, scales: [Scale; 2]) -> Self {
        debug_assert_eq!(points.model.terms(), TERMS);
        Self { points, scales, table: Table::new(domain, points, scales[0]) }
    }

    /// Sides of a cell.
    #[inline(always)]
    fn sides(&self) -> [f64; 2] {
        self.scales.map(|scale| scale.cell)
    }
}

impl<const TERMS: usize, D: Depth> Octave<D> for LatticeOctave<TERMS, D> {
    type Row = Row<D::Along<f32>>;
    type Tile = Columns<D::Along<f32>>;

    fn row(&self, _: usize, y: f64) -> Row<D::Along<f32>> {
        let (cell, inside) = self.scales[1].locate(y);
        let v = D::coordinate(inside);
        let smooth = self.points.smoothstep.at(v);
        Row { cell, inside, factors: with_model!(self.points.model, model => model.row(v, smooth)) }
    }

    fn tile(&self) -> Columns<D::Along<f32>> {
        Columns { cell: None, terms: [Tile::of(D::Along::<f32>::constant(0.0)); MOST_TERMS] }
    }

    fn leave(tile: &mut Columns<D::Along<f32>>) {
        tile.cell = None;
    }

    #[inline(always)]
    fn enter<F: Floats>(&self, tile: &mut Columns<D::Along<f32>>, first: usize, row: &Row<D::Along<f32>>) {
        if tile.cell != Some(row.cell) {
            tile.cell = Some(row.cell);
            self.table.terms::<F>(self.points, &mut tile.terms, first, row.cell);
        }
    }

    #[inline(always)]
    fn values<F: Floats>(
        &self,
        tile: &Columns<D::Along<f32>>,
        row: &Row<D::Along<f32>>,
        place: usize,
        lane: usize,
    ) -> D::Value<F> {
        let mut value = D::of_column(D::load(&tile.terms[0][place], lane));
        for term in 1..TERMS {
            let factor = D::everywhere(row.factors[term]);
            value = value + D::product(D::load(&tile.terms[term][place], lane), factor);
        }
        D::stretched(value, self.sides().map(|side| side as f32))
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row<D::Along<f32>>,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.table.places::<F>(self.points, self.sides(), values, first, row, by);
    }
}
