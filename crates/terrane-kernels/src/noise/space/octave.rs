//! Octaves in space: every sample is worked out by itself.

use terrane_grid::Domain;

use super::super::axis::{Axis, LANES, Tile, locate};
use super::super::octave::Octave;
use super::super::real::{Depth, Real};
use super::cube::Cube;
use super::perlin::Perlin;
use super::points::SpacePoints;
use super::polynomial::{Adini, Value, ZeroGradient};
use super::simplex::Simplex;
use crate::ScalarMap;
use crate::simd::{self, Bits, Floats, LaneWork};

/// What an octave is made of. Octaves of all models have one type, so that what is around them is compiled
/// once.
#[derive(Clone, Copy)]
pub enum SpaceModel {
    Perlin(Cube<Perlin>),
    ZeroGradient(Cube<ZeroGradient>),
    Adini(Cube<Adini>),
    Value(Cube<Value>),
    Simplex(Simplex),
}

/// How places of the world become coordinates of a lattice in space.
#[derive(Clone, Copy, Debug)]
pub struct SpaceFrame {
    /// The lattice's coordinates, in `cell`s, by x, y and z.
    factors: [[f64; 3]; 3],
    /// World units a cell.
    cell: f64,
    /// By how many cells the lattice is moved.
    shift: [f64; 3],
    /// Where the lattice is turned in the plane: the plane's coordinates before it is skewed, by x and y.
    turn: Option<[[f64; 2]; 2]>,
}

impl SpaceFrame {
    /// Cubes, which may be turned about the third axis.
    pub fn cubes(turn: Option<[[f64; 2]; 2]>, cell: f64, [x, y]: [f64; 2]) -> Self {
        let [a, b] = turn.unwrap_or([[1.0, 0.0], [0.0, 1.0]]);
        let factors = [[a[0], a[1], 0.0], [b[0], b[1], 0.0], [0.0, 0.0, 1.0]];
        Self { factors, cell, shift: [x, y, y], turn }
    }

    /// Cubes skewed along their diagonal, six tetrahedra each.
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
    /// Per column, its share in the lattice's coordinates.
    columns: [Axis; 3],
}

/// A row's share in the lattice's coordinates, with that of z where it is the same everywhere.
pub struct Row {
    located: [(u32, f32); 3],
    /// Position of the row's first sample in the map.
    start: usize,
}

/// The values of a tile's row, at places that may be moved.
struct Places<'a, D: Depth, P> {
    octave: &'a SpaceOctave<'a>,
    points: P,
    values: &'a mut Tile<D::Value<f32>>,
    first: usize,
    row: &'a Row,
    by: Option<[&'a [[f32; LANES]]; 2]>,
}

impl<'a> SpaceOctave<'a> {
    /// An octave of such points, where samples stand at `z`.
    pub fn new(domain: &Domain, z: ScalarMap<'a>, model: SpaceModel, frame: SpaceFrame) -> Self {
        let columns = frame.factors.map(|[factor, ..]| {
            Axis::new(domain.width(), |column| locate(domain.x(column) * factor, frame.cell, 0.0))
        });
        Self { model, frame, z, width: domain.width(), columns }
    }

    /// The values of a tile's row, at places that may be moved.
    #[inline(never)]
    fn places<D: Depth>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row,
        by: Option<[&[[f32; LANES]]; 2]>,
    ) {
        let octave = self;
        match self.model {
            SpaceModel::Perlin(points) => {
                simd::run_lanes(Places::<D, _> { octave, points, values, first, row, by });
            }
            SpaceModel::ZeroGradient(points) => {
                simd::run_lanes(Places::<D, _> { octave, points, values, first, row, by });
            }
            SpaceModel::Adini(points) => {
                simd::run_lanes(Places::<D, _> { octave, points, values, first, row, by });
            }
            SpaceModel::Value(points) => {
                simd::run_lanes(Places::<D, _> { octave, points, values, first, row, by });
            }
            SpaceModel::Simplex(points) => {
                simd::run_lanes(Places::<D, _> { octave, points, values, first, row, by });
            }
        }
    }

    /// Where the samples of a place stand along z, where each stands elsewhere; `start` is the position of
    /// the first in the map.
    #[inline(always)]
    fn heights(&self, start: usize, column: usize) -> Option<[f32; LANES]> {
        let ScalarMap::Map(map) = self.z else { return None };
        let (mut heights, count) = ([0.0; LANES], LANES.min(self.width.saturating_sub(column)));
        heights[..count].copy_from_slice(&map.samples()[start..start + count]);
        Some(heights)
    }
}

impl<D: Depth, P: SpacePoints> LaneWork for Places<'_, D, P> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let Self { octave, points, values, first, row, by } = self;
        let frame = octave.frame;
        let range = octave.columns[0].tile(first);
        for (index, place) in range.enumerate() {
            let z = octave.heights(row.start + first + index * LANES, first + index * LANES);
            for at in (0..LANES).step_by(F::LANES) {
                let (mut cells, mut inside) = ([F::Bits::splat(0); 3], [F::splat(0.0); 3]);
                for axis in 0..3 {
                    let column = &octave.columns[axis];
                    let (row_cell, row_inside) = row.located[axis];
                    let mut cell = F::Bits::load(&column.cells[place][at..]).plus(F::Bits::splat(row_cell));
                    let mut position = F::load(&column.inside[place][at..]) + F::splat(row_inside);
                    if let Some(z) = z {
                        let (whole, part) = (F::load(&z[at..]) * F::splat(frame.share(axis, 2))).split();
                        (cell, position) = (cell.plus(whole), position + part);
                    }
                    if let Some([x, y]) = by {
                        let along_x = F::load(&x[index][at..]) * F::splat(frame.share(axis, 0));
                        let along_y = F::load(&y[index][at..]) * F::splat(frame.share(axis, 1));
                        position = position + (along_x + along_y);
                    }
                    let (whole, part) = position.split();
                    (cells[axis], inside[axis]) = (cell.plus(whole), part);
                }
                let value = points.at::<D, F>(cells, inside);
                D::store(frame.slopes::<D, F>(value), &mut values[index], at);
            }
        }
    }
}

impl SpaceFrame {
    /// How far a coordinate moves by a unit along an axis of the world.
    #[inline(always)]
    fn share(&self, coordinate: usize, axis: usize) -> f32 {
        (self.factors[coordinate][axis] / self.cell) as f32
    }

    /// Values with derivatives by the world's coordinates.
    #[inline(always)]
    fn slopes<D: Depth, F: Floats>(&self, value: D::Value<F>) -> D::Value<F> {
        match self.turn {
            None => D::stretched(value, [self.cell as f32; 2]),
            Some([a, b]) => {
                let share = [
                    [(a[0] / self.cell) as f32, (a[1] / self.cell) as f32],
                    [(b[0] / self.cell) as f32, (b[1] / self.cell) as f32],
                ];
                D::turned(value, share)
            }
        }
    }
}

impl<D: Depth> Octave<D> for SpaceOctave<'_> {
    type Row = Row;
    type Tile = Tile<D::Value<f32>>;

    fn row(&self, row: usize, y: f64) -> Row {
        let SpaceFrame { factors, cell, shift, .. } = self.frame;
        let z = if let ScalarMap::Constant(z) = self.z { f64::from(z) } else { 0.0 };
        let located =
            [0, 1, 2].map(|axis| locate(y * factors[axis][1] + z * factors[axis][2], cell, shift[axis]));
        Row { located, start: row * self.width }
    }

    fn tile(&self) -> Tile<D::Value<f32>> {
        Tile::of(D::Value::<f32>::constant(0.0))
    }

    fn leave(_: &mut Tile<D::Value<f32>>) {}

    #[inline(always)]
    fn enter<F: Floats>(&self, tile: &mut Tile<D::Value<f32>>, first: usize, row: &Row) {
        self.places::<D>(tile, first, row, None);
    }

    #[inline(always)]
    fn values<F: Floats>(
        &self,
        tile: &Tile<D::Value<f32>>,
        _: &Row,
        place: usize,
        lane: usize,
    ) -> D::Value<F> {
        D::load_value(&tile[place], lane)
    }

    #[inline(always)]
    fn warped<F: Floats>(
        &self,
        values: &mut Tile<D::Value<f32>>,
        first: usize,
        row: &Row,
        by: [&[[f32; LANES]]; 2],
    ) {
        self.places::<D>(values, first, row, Some(by));
    }
}
