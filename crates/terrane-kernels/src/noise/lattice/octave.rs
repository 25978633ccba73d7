//! One octave of lattice noise over a domain.

use terrane_grid::{Domain, Seed};

use super::super::axis::{Axis, LANES, PLACES, Tile, locate, moved};
use super::super::hash::LatticeHash;
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::super::smoothstep::Smoothstep;
use super::{Corners, MOST_TERMS, Model};
use crate::simd::{Bits, Floats};

/// One octave of a model's noise.
pub struct LatticeOctave<M, D: Depth> {
    formula: Formula<M>,
    columns: Axis,
    /// The hashed columns before and after each sample.
    hashes: [Vec<[u32; LANES]>; 2],
    /// Smoothstep of each sample's position.
    smooth: Vec<[D::Along<f32>; LANES]>,
}

/// What makes noise of places. (Copied before loops, so that nothing of it is read again after each value written.)
#[derive(Clone, Copy)]
struct Formula<M> {
    model: M,
    smoothstep: Smoothstep,
    hash: LatticeHash,
    /// World units a side of a cell.
    cell: f64,
}

/// What a row has in common over all columns.
pub struct Row<A> {
    cell: u32,
    inside: f32,
    /// What the row's position has as factor in each term.
    factors: [A; MOST_TERMS],
}

/// The columns of a tile inside one row of cells: the terms' factors.
pub struct Columns<A> {
    cell: Option<u32>,
    terms: [Tile<A>; MOST_TERMS],
}

impl<M: Model> Formula<M> {
    /// What the corners between two hashed columns and two hashed rows hold.
    #[inline(always)]
    fn corners<F: Floats>(self, columns: [F::Bits; 2], rows: [F::Bits; 2]) -> Corners<M::Corner<F>> {
        let [[a, b], [c, d]] = self.hash.points(columns, rows);
        let model = self.model;
        [[model.corner::<F>(a), model.corner::<F>(b)], [model.corner::<F>(c), model.corner::<F>(d)]]
    }

    /// The values at moved places; `order` is the smoothstep's.
    #[inline(always)]
    fn at<D: Depth, F: Floats>(
        self,
        order: usize,
        (x, u): (F::Bits, F),
        (y, v): (F::Bits, F),
    ) -> D::Value<F> {
        let ([left, right], [upper, lower]) = (self.hash.pair(x), self.hash.pair(y));
        let columns = [self.hash.column(left), self.hash.column(right)];
        let corners = self.corners::<F>(columns, [self.hash.row(upper), self.hash.row(lower)]);
        let (u, v) = (D::coordinate(u), D::coordinate(v));
        let column = self.model.column(corners, u, self.smoothstep.with_order(order, u));
        let row = self.model.row(v, self.smoothstep.with_order(order, v));
        let mut value = D::of_column(column[0]);
        for term in 1..M::TERMS {
            value = value + D::product(column[term], row[term]);
        }
        D::stretched(value, self.cell as f32)
    }
}

impl<M: Model, D: Depth> LatticeOctave<M, D> {
    /// An octave whose cells have sides of `cell` world units.
    pub fn new(domain: &Domain, seed: Seed, model: M, smoothstep: Smoothstep, cell: f64) -> Self {
        let hash = LatticeHash::new(seed);
        let columns = Axis::new(domain.width(), cell, hash.shift[0], |column| domain.x(column));
        let hashes = [0, 1].map(|by| {
            columns.cells.iter().map(|cells| cells.map(|x| hash.column(x.wrapping_add(by)))).collect()
        });
        let smooth =
            columns.inside.iter().map(|inside| inside.map(|t| smoothstep.at(D::coordinate(t)))).collect();
        Self { formula: Formula { model, smoothstep, hash, cell }, columns, hashes, smooth }
    }

    /// Finds the terms' factors of a tile for a row of cells.
    #[inline(always)]
    fn terms<F: Floats>(&self, terms: &mut [Tile<D::Along<f32>>; MOST_TERMS], first: usize, cell: u32) {
        let formula = self.formula;
        let [upper, lower] = formula.hash.pair(cell);
        let rows = [F::Bits::splat(formula.hash.row(upper)), F::Bits::splat(formula.hash.row(lower))];
        let range = self.columns.tile(first);
        let (before, after) = (&self.hashes[0][range.clone()], &self.hashes[1][range.clone()]);
        let (inside, smooth) = (&self.columns.inside[range.clone()], &self.smooth[range]);
        let places = before.iter().zip(after).zip(inside).zip(smooth).take(PLACES);
        for (place, (((before, after), inside), smooth)) in places.enumerate() {
            for at in (0..LANES).step_by(F::LANES) {
                let columns = [F::Bits::load(&before[at..]), F::Bits::load(&after[at..])];
                let corners = formula.corners::<F>(columns, rows);
                let u = D::coordinate(F::load(&inside[at..]));
                let column = formula.model.column(corners, u, D::load(smooth, at));
                for term in 0..M::TERMS {
                    D::store_along(column[term], &mut terms[term][place], at);
                }
            }
        }
    }

    /// The values of a tile's row at moved places; `order` is the smoothstep's.
    #[inline(always)]
    fn places<F: Floats>(
        &self,
        order: usize,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row<D::Along<f32>>,
        [by_x, by_y]: [&[[f32; LANES]]; 2],
    ) {
        let range = self.columns.tile(first);
        let samples = self.columns.cells[range.clone()].iter().zip(&self.columns.inside[range]);
        let (row_cell, row_inside) = (F::Bits::splat(row.cell), F::splat(row.inside));
        let formula = self.formula;
        let inverse = F::splat((1.0 / formula.cell) as f32);
        let places = samples.zip(by_x.iter().zip(by_y)).zip(values.iter_mut());
        for (((cells, inside), (by_x, by_y)), values) in places {
            for at in (0..LANES).step_by(F::LANES) {
                let (cell, inside) = (F::Bits::load(&cells[at..]), F::load(&inside[at..]));
                let x = moved(cell, inside, F::load(&by_x[at..]) * inverse);
                let y = moved(row_cell, row_inside, F::load(&by_y[at..]) * inverse);
                D::store(formula.at::<D, F>(order, x, y), values, at);
            }
        }
    }
}

impl<M: Model, D: Depth> Octave<D> for LatticeOctave<M, D> {
    type Row = Row<D::Along<f32>>;
    type Tile = Columns<D::Along<f32>>;

    fn row(&self, y: f64) -> Row<D::Along<f32>> {
        let (cell, inside) = locate(y, self.formula.cell, self.formula.hash.shift[1]);
        let v = D::coordinate(inside);
        Row { cell, inside, factors: self.formula.model.row(v, self.formula.smoothstep.at(v)) }
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
            self.terms::<F>(&mut tile.terms, first, row.cell);
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
        for term in 1..M::TERMS {
            let factor = D::everywhere(row.factors[term]);
            value = value + D::product(D::load(&tile.terms[term][place], lane), factor);
        }
        D::stretched(value, self.formula.cell as f32)
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row<D::Along<f32>>,
        by: [&[[f32; LANES]]; 2],
    ) {
        // The usual orders have loops of their own.
        match self.formula.smoothstep.order() {
            1 => self.places::<F>(1, values, first, row, by),
            2 => self.places::<F>(2, values, first, row, by),
            order => self.places::<F>(order, values, first, row, by),
        }
    }
}
