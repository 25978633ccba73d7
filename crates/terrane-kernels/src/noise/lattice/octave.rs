//! One octave of lattice noise over a domain.

#![expect(
    clippy::needless_range_loop,
    reason = "arrays side by side, in step: the form that becomes vectors"
)]

use terrane_grid::{Domain, Seed};

use super::super::axis::{Axis, LANES, TILE, Tile, locate, moved};
use super::super::hash::LatticeHash;
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::super::smoothstep::Smoothstep;
use super::{MOST_TERMS, Model};

/// One octave of a model's noise.
pub struct LatticeOctave<M, D: Depth> {
    model: M,
    smoothstep: Smoothstep,
    hash: LatticeHash,
    cell: f64,
    columns: Axis,
    /// The hashed columns before and after each sample.
    hashes: [Vec<u32>; 2],
    /// Smoothstep of each sample's position.
    smooth: Vec<D::Along>,
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

impl<M: Model, D: Depth> LatticeOctave<M, D> {
    /// An octave whose cells have sides of `cell` world units.
    pub fn new(domain: &Domain, seed: Seed, model: M, smoothstep: Smoothstep, cell: f64) -> Self {
        let hash = LatticeHash::new(seed);
        let columns = Axis::new(domain.width(), cell, hash.shift[0], |column| domain.x(column));
        let hashes = [0, 1].map(|by| columns.cells.iter().map(|x| hash.column(x.wrapping_add(by))).collect());
        let smooth = columns.inside.iter().map(|&t| smoothstep.at(D::coordinate(t))).collect();
        Self { model, smoothstep, hash, cell, columns, hashes, smooth }
    }

    /// Finds the terms' factors of a tile for a row of cells.
    #[inline(always)]
    fn terms(&self, terms: &mut [Tile<D::Along>; MOST_TERMS], first: usize, cell: u32) {
        let rows = self.hash.pair(cell).map(|y| self.hash.row(y));
        let range = self.columns.tile(first);
        let (before, after) = (&self.hashes[0][range.clone()], &self.hashes[1][range.clone()]);
        let (inside, smooth) = (&self.columns.inside[range.clone()], &self.smooth[range]);
        let count = inside.len().min(TILE);
        // One loop over slices, not over lanes: it can be made of vectors, not unrolled. All are of one length that the
        // compiler sees, so that it cannot end early.
        let (before, after, inside, smooth) =
            (&before[..count], &after[..count], &inside[..count], &smooth[..count]);
        let [a, b, c, d, e, f] = terms.each_mut().map(|term| &mut term.as_flattened_mut()[..count]);
        for i in 0..count {
            let columns = [before[i], after[i]];
            let corners = rows.map(|row| columns.map(|c| self.model.corner(self.hash.point(c, row))));
            let column = self.model.column(corners, D::coordinate(inside[i]), smooth[i]);
            (a[i], b[i]) = (column[0], column[1]);
            if M::TERMS > 2 {
                c[i] = column[2];
            }
            if M::TERMS > 3 {
                d[i] = column[3];
            }
            if M::TERMS > 4 {
                (e[i], f[i]) = (column[4], column[5]);
            }
        }
    }

    /// The value at one moved place; `order` is the smoothstep's.
    #[inline(always)]
    fn at(&self, order: usize, (x, u): (u32, f32), (y, v): (u32, f32)) -> D::Value {
        let columns = self.hash.pair(x).map(|x| self.hash.column(x));
        let rows = self.hash.pair(y).map(|y| self.hash.row(y));
        let corners = rows.map(|row| columns.map(|c| self.model.corner(self.hash.point(c, row))));
        let (u, v) = (D::coordinate(u), D::coordinate(v));
        let column = self.model.column(corners, u, self.smoothstep.with_order(order, u));
        let row = self.model.row(v, self.smoothstep.with_order(order, v));
        let mut value = D::of_column(column[0]);
        for term in 1..M::TERMS {
            value = value + D::product(column[term], row[term]);
        }
        D::stretched(value, self.cell as f32)
    }

    /// The values of a tile's row at moved places; `order` is the smoothstep's.
    #[inline(always)]
    fn places(
        &self,
        order: usize,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &Row<D::Along>,
        [by_x, by_y]: [&[f32]; 2],
    ) {
        let range = self.columns.tile(first);
        let (cells, inside) = (&self.columns.cells[range.clone()], &self.columns.inside[range]);
        let count = inside.len().min(TILE).min(by_x.len()).min(by_y.len());
        let values = &mut values.as_flattened_mut()[..count];
        let (cells, inside, by_x, by_y) = (&cells[..count], &inside[..count], &by_x[..count], &by_y[..count]);
        let inverse = (1.0 / self.cell) as f32;
        for i in 0..count {
            let x = moved(cells[i], inside[i], by_x[i] * inverse);
            let y = moved(row.cell, row.inside, by_y[i] * inverse);
            values[i] = self.at(order, x, y);
        }
    }
}

impl<M: Model, D: Depth> Octave<D> for LatticeOctave<M, D> {
    type Row = Row<D::Along>;
    type Tile = Columns<D::Along>;

    fn row(&self, y: f64) -> Row<D::Along> {
        let (cell, inside) = locate(y, self.cell, self.hash.shift[1]);
        let v = D::coordinate(inside);
        Row { cell, inside, factors: self.model.row(v, self.smoothstep.at(v)) }
    }

    fn tile(&self) -> Columns<D::Along> {
        Columns { cell: None, terms: [Tile::of(D::Along::constant(0.0)); MOST_TERMS] }
    }

    fn leave(tile: &mut Columns<D::Along>) {
        tile.cell = None;
    }

    #[inline(always)]
    fn enter(&self, tile: &mut Columns<D::Along>, first: usize, row: &Row<D::Along>) {
        if tile.cell != Some(row.cell) {
            tile.cell = Some(row.cell);
            self.terms(&mut tile.terms, first, row.cell);
        }
    }

    #[inline(always)]
    fn values(&self, tile: &Columns<D::Along>, row: &Row<D::Along>, place: usize) -> [D::Value; LANES] {
        let mut values = [D::Value::constant(0.0); LANES];
        for i in 0..LANES {
            let mut value = D::of_column(tile.terms[0][place][i]);
            for term in 1..M::TERMS {
                value = value + D::product(tile.terms[term][place][i], row.factors[term]);
            }
            values[i] = D::stretched(value, self.cell as f32);
        }
        values
    }

    #[inline(always)]
    fn warped(&self, values: &mut Tile<D::Value>, first: usize, row: &Row<D::Along>, by: [&[f32]; 2]) {
        // The usual orders have loops of their own.
        match self.smoothstep.order() {
            1 => self.places(1, values, first, row, by),
            2 => self.places(2, values, first, row, by),
            order => self.places(order, values, first, row, by),
        }
    }
}
