//! Octaves in space. Every sample is computed separately.

use fearless_simd::prelude::*;
use terrane_grid::Domain;

use super::super::axis::{Axis, GROUPS, LANES, Tile, locate};
use super::super::octave::Octave;
use super::super::real::{Depth, Stored, Value as Values};
use super::cube::Cube;
use super::perlin::Perlin;
use super::points::SpacePoints;
use super::polynomial::{Adini, Value, ZeroGradient};
use super::simplex::Simplex;
use crate::ScalarMap;
use crate::simd::{by_itself, load, load_words, split};

/// The evaluator of an octave. Octaves of all models share one type, so that the code around them is
/// compiled once.
#[derive(Clone, Copy)]
pub enum SpaceModel {
    Perlin(Cube<Perlin>),
    ZeroGradient(Cube<ZeroGradient>),
    Adini(Cube<Adini>),
    Value(Cube<Value>),
    Simplex(Simplex),
}

/// The transform from world positions to coordinates of a lattice in space.
#[derive(Clone, Copy, Debug)]
pub struct SpaceFrame {
    /// The coefficients of x, y and z in the lattice's coordinates, multiplied by `cell`.
    factors: [[f64; 3]; 3],
    /// World units per cell.
    cell: f64,
    /// Shift of the lattice, in cells.
    shift: [f64; 3],
    /// If the lattice is rotated in the plane: the coefficients of x and y in the plane's coordinates before
    /// skewing.
    turn: Option<[[f64; 2]; 2]>,
}

impl SpaceFrame {
    /// Cubes, which may be rotated about the third axis.
    pub fn cubes(turn: Option<[[f64; 2]; 2]>, cell: f64, [x, y]: [f64; 2]) -> Self {
        let [a, b] = turn.unwrap_or([[1.0, 0.0], [0.0, 1.0]]);
        let factors = [[a[0], a[1], 0.0], [b[0], b[1], 0.0], [0.0, 0.0, 1.0]];
        Self { factors, cell, shift: [x, y, y], turn }
    }

    /// Cubes skewed along their diagonals. Each cube consists of six tetrahedra.
    pub fn skewed(turn: Option<[[f64; 2]; 2]>, cell: f64, shift: [f64; 2]) -> Self {
        let mut frame = Self::cubes(turn, cell, shift);
        let straight = frame.factors;
        let sums: [f64; 3] = [0, 1, 2].map(|axis| straight.iter().map(|row| row[axis]).sum());
        frame.factors = straight.map(|row| [0, 1, 2].map(|axis| row[axis] + sums[axis] / 3.0));
        frame
    }
}

/// One octave over a domain.
pub struct SpaceOctave<'a> {
    model: SpaceModel,
    frame: SpaceFrame,
    z: ScalarMap<'a>,
    width: usize,
    /// Each column's contribution to the lattice's coordinates.
    columns: [Axis; 3],
}

/// A row's contribution to the lattice's coordinates. It includes z's contribution if z is the same
/// everywhere.
pub struct SpaceRow {
    located: [(u32, f32); 3],
    /// Index of the row's first sample in the map.
    start: usize,
}

/// The values of a tile's row, at positions that may be moved.
struct RowValues<'a, D: Depth, P> {
    octave: &'a SpaceOctave<'a>,
    points: P,
    values: &'a mut Tile<D::Value>,
    first: usize,
    row: &'a SpaceRow,
    by: Option<[&'a [[f32; LANES]]; 2]>,
}

impl<'a> SpaceOctave<'a> {
    /// An octave with this evaluator, for samples at `z`.
    pub fn new(domain: &Domain, z: ScalarMap<'a>, model: SpaceModel, frame: SpaceFrame) -> Self {
        let columns = frame.factors.map(|[factor, ..]| {
            Axis::new(domain.width(), |column| locate(domain.x(column) * factor, frame.cell, 0.0))
        });
        Self { model, frame, z, width: domain.width(), columns }
    }

    /// Computes the values of a tile's row, at positions that may be moved.
    #[inline(never)]
    fn row_values<D: Depth, S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &SpaceRow,
        by: Option<[&[[f32; LANES]]; 2]>,
    ) {
        let octave = self;
        macro_rules! run {
            ($points:ident) => {{
                let work = RowValues::<D, _> { octave, points: $points, values, first, row, by };
                by_itself(
                    simd,
                    #[inline(always)]
                    || work.run(simd),
                );
            }};
        }
        match self.model {
            SpaceModel::Perlin(points) => run!(points),
            SpaceModel::ZeroGradient(points) => run!(points),
            SpaceModel::Adini(points) => run!(points),
            SpaceModel::Value(points) => run!(points),
            SpaceModel::Simplex(points) => run!(points),
        }
    }

    /// The z of a group's samples, if z is a map. `start` is the index of the group's first sample in the
    /// map, `column` that sample's column.
    #[inline(always)]
    fn heights(&self, start: usize, column: usize) -> Option<[f32; LANES]> {
        let ScalarMap::Map(map) = self.z else { return None };
        let (mut heights, count) = ([0.0; LANES], LANES.min(self.width.saturating_sub(column)));
        heights[..count].copy_from_slice(&map.samples()[start..start + count]);
        Some(heights)
    }
}

impl<D: Depth, P: SpacePoints> RowValues<'_, D, P> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { octave, points, values, first, row, by } = self;
        let frame = octave.frame;
        let range = octave.columns[0].tile(first);
        for (index, group) in range.enumerate() {
            let z = octave.heights(row.start + first + index * LANES, first + index * LANES);
            for at in (0..LANES).step_by(S::f32s::LEN) {
                let (mut cells, mut inside) = ([S::u32s::splat(simd, 0); 3], [S::f32s::splat(simd, 0.0); 3]);
                for axis in 0..3 {
                    let column = &octave.columns[axis];
                    let (row_cell, row_inside) = row.located[axis];
                    let mut cell = load_words(simd, &column.cells[group][at..]) + row_cell;
                    let mut position = load(simd, &column.inside[group][at..]) + row_inside;
                    if let Some(z) = z {
                        let (whole, part) = split(simd, load(simd, &z[at..]) * frame.share(axis, 2));
                        (cell, position) = (cell + whole, position + part);
                    }
                    if let Some([x, y]) = by {
                        let along_x = load(simd, &x[index][at..]) * frame.share(axis, 0);
                        let along_y = load(simd, &y[index][at..]) * frame.share(axis, 1);
                        position += along_x + along_y;
                    }
                    let (whole, part) = split(simd, position);
                    (cells[axis], inside[axis]) = (cell + whole, part);
                }
                let value = points.at::<D, S>(simd, cells, inside);
                values[index].store::<S>(frame.slopes::<D, S>(value), at);
            }
        }
    }
}

impl SpaceFrame {
    /// The change of a lattice coordinate per unit along an axis of the world.
    #[inline(always)]
    fn share(&self, coordinate: usize, axis: usize) -> f32 {
        (self.factors[coordinate][axis] / self.cell) as f32
    }

    /// Converts derivatives with respect to the plane's coordinates in cells to derivatives with respect to
    /// the world's coordinates.
    #[inline(always)]
    fn slopes<D: Depth, S: Simd>(&self, value: Values<D, S>) -> Values<D, S> {
        match self.turn {
            None => D::stretched::<S>(value, [self.cell as f32; 2]),
            Some([a, b]) => {
                let share = [
                    [(a[0] / self.cell) as f32, (a[1] / self.cell) as f32],
                    [(b[0] / self.cell) as f32, (b[1] / self.cell) as f32],
                ];
                D::turned::<S>(value, share)
            }
        }
    }
}

impl<D: Depth> Octave<D> for SpaceOctave<'_> {
    type Row = SpaceRow;
    type Tile = Tile<D::Value>;

    fn row(&self, row: usize, y: f64) -> SpaceRow {
        let SpaceFrame { factors, cell, shift, .. } = self.frame;
        let z = if let ScalarMap::Constant(z) = self.z { f64::from(z) } else { 0.0 };
        let located =
            [0, 1, 2].map(|axis| locate(y * factors[axis][1] + z * factors[axis][2], cell, shift[axis]));
        SpaceRow { located, start: row * self.width }
    }

    fn tile(&self) -> Tile<D::Value> {
        Tile([D::Value::ZERO; GROUPS])
    }

    fn leave(_: &mut Tile<D::Value>) {}

    #[inline(always)]
    fn enter<S: Simd>(&self, simd: S, tile: &mut Tile<D::Value>, first: usize, row: &SpaceRow) {
        self.row_values::<D, S>(simd, tile, first, row, None);
    }

    #[inline(always)]
    fn values<S: Simd>(
        &self,
        simd: S,
        tile: &Tile<D::Value>,
        _: &SpaceRow,
        group: usize,
        lane: usize,
    ) -> Values<D, S> {
        tile[group].load(simd, lane)
    }

    #[inline(always)]
    fn warped<S: Simd>(
        &self,
        simd: S,
        values: &mut Tile<D::Value>,
        first: usize,
        row: &SpaceRow,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.row_values::<D, S>(simd, values, first, row, Some(by));
    }
}
