//! One octave of lattice noise over a domain.

use terrane_grid::Domain;

use super::super::axis::{Axis, LANES, PLACES, Period, Scale, Tile, moved};
use super::super::hash::LatticeHash;
use super::super::oblique::Points;
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::super::smoothstep::Smoothstep;
use super::model::{Corners, MOST_TERMS, Model};
use crate::simd::{Bits, Floats};

/// One octave of a model's noise.
pub struct LatticeOctave<M, D: Depth> {
    points: LatticePoints<M>,
    scales: [Scale; 2],
    columns: Axis,
    /// The hashed columns before and after each sample.
    hashes: [Vec<[u32; LANES]>; 2],
    /// Smoothstep of each sample's position.
    smooth: Vec<[D::Along<f32>; LANES]>,
}

/// What makes noise of places. (Copied before loops, so that nothing of it is read again after each value written.)
#[derive(Clone, Copy)]
pub struct LatticePoints<M> {
    pub model: M,
    pub smoothstep: Smoothstep,
    pub hash: LatticeHash,
    /// Where the lattice begins anew.
    pub periods: [Option<Period>; 2],
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

impl<M: Model> LatticePoints<M> {
    /// The index of a column (axis 0) or row, and the one after it.
    #[inline(always)]
    fn pair<B: Bits>(self, axis: usize, index: B) -> [B; 2] {
        match self.periods[axis] {
            None => self.hash.pair(index),
            Some(period) => {
                let index = period.wrap(index);
                [index, period.next(index)]
            }
        }
    }

    /// What the corners between two hashed columns and two hashed rows hold.
    #[inline(always)]
    fn corners<F: Floats>(self, columns: [F::Bits; 2], rows: [F::Bits; 2]) -> Corners<M::Corner<F>> {
        let [[a, b], [c, d]] = self.hash.points(columns, rows);
        let model = self.model;
        [[model.corner::<F>(a), model.corner::<F>(b)], [model.corner::<F>(c), model.corner::<F>(d)]]
    }
}

impl<M: Model> Points for LatticePoints<M> {
    /// The smoothstep's.
    fn order(&self) -> usize {
        if M::SMOOTHED { self.smoothstep.order() } else { 1 }
    }

    #[inline(always)]
    fn at<D: Depth, F: Floats>(
        self,
        order: usize,
        (x, u): (F::Bits, F),
        (y, v): (F::Bits, F),
    ) -> D::Value<F> {
        let ([left, right], [upper, lower]) = (self.pair(0, x), self.pair(1, y));
        let columns = [self.hash.column(left), self.hash.column(right)];
        let corners = self.corners::<F>(columns, [self.hash.row(upper), self.hash.row(lower)]);
        let (u, v) = (D::coordinate(u), D::coordinate(v));
        let column = self.model.column(corners, u, self.smoothstep.with_order(order, u));
        let row = self.model.row(v, self.smoothstep.with_order(order, v));
        let mut value = D::of_column(column[0]);
        for term in 1..M::TERMS {
            value = value + D::product(column[term], row[term]);
        }
        value
    }
}

impl<M: Model, D: Depth> LatticeOctave<M, D> {
    /// An octave whose lattice lies so along the axes.
    pub fn new(
        domain: &Domain,
        hash: LatticeHash,
        model: M,
        smoothstep: Smoothstep,
        scales: [Scale; 2],
    ) -> Self {
        let periods = [scales[0].period(), scales[1].period()];
        let points = LatticePoints { model, smoothstep, hash, periods };
        let columns = Axis::new(domain.width(), |column| scales[0].locate(domain.x(column)));
        let hashes = [0, 1].map(|by| {
            columns.cells.iter().map(|cells| cells.map(|x| hash.column(points.pair(0, x)[by]))).collect()
        });
        let smooth =
            columns.inside.iter().map(|inside| inside.map(|t| smoothstep.at(D::coordinate(t)))).collect();
        Self { points, scales, columns, hashes, smooth }
    }

    /// Sides of a cell.
    #[inline(always)]
    fn sides(&self) -> [f32; 2] {
        self.scales.map(|scale| scale.cell as f32)
    }

    /// Finds the terms' factors of a tile for a row of cells.
    #[inline(always)]
    fn terms<F: Floats>(&self, terms: &mut [Tile<D::Along<f32>>; MOST_TERMS], first: usize, cell: u32) {
        let points = self.points;
        let rows = points.pair(1, cell).map(|row| F::Bits::splat(points.hash.row(row)));
        let range = self.columns.tile(first);
        let (before, after) = (&self.hashes[0][range.clone()], &self.hashes[1][range.clone()]);
        let (inside, smooth) = (&self.columns.inside[range.clone()], &self.smooth[range]);
        let places = before.iter().zip(after).zip(inside).zip(smooth).take(PLACES);
        for (place, (((before, after), inside), smooth)) in places.enumerate() {
            for at in (0..LANES).step_by(F::LANES) {
                let columns = [F::Bits::load(&before[at..]), F::Bits::load(&after[at..])];
                let corners = points.corners::<F>(columns, rows);
                let u = D::coordinate(F::load(&inside[at..]));
                let column = points.model.column(corners, u, D::load(smooth, at));
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
        let (points, sides) = (self.points, self.sides());
        let [inverse_x, inverse_y] = self.scales.map(|scale| F::splat((1.0 / scale.cell) as f32));
        let places = samples.zip(by_x.iter().zip(by_y)).zip(values.iter_mut());
        for (((cells, inside), (by_x, by_y)), values) in places {
            for at in (0..LANES).step_by(F::LANES) {
                let (cell, inside) = (F::Bits::load(&cells[at..]), F::load(&inside[at..]));
                let x = moved(cell, inside, F::load(&by_x[at..]) * inverse_x);
                let y = moved(row_cell, row_inside, F::load(&by_y[at..]) * inverse_y);
                D::store(D::stretched(points.at::<D, F>(order, x, y), sides), values, at);
            }
        }
    }
}

impl<M: Model, D: Depth> Octave<D> for LatticeOctave<M, D> {
    type Row = Row<D::Along<f32>>;
    type Tile = Columns<D::Along<f32>>;

    fn row(&self, _: usize, y: f64) -> Row<D::Along<f32>> {
        let (cell, inside) = self.scales[1].locate(y);
        let v = D::coordinate(inside);
        Row { cell, inside, factors: self.points.model.row(v, self.points.smoothstep.at(v)) }
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
        D::stretched(value, self.sides())
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
        match self.points.order() {
            1 => self.places::<F>(1, values, first, row, by),
            2 => self.places::<F>(2, values, first, row, by),
            order => self.places::<F>(order, values, first, row, by),
        }
    }
}
