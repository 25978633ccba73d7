//! Octaves of spectral synthesis whose lattice is rotated.
//!
//! The map is divided into tiles. The lattice values near a tile are computed once, as long as cells are not
//! much smaller than samples; every sample then reads those around it.

use std::array::from_fn;

use terrane_grid::{Domain, Lattice, Seed};

use super::super::hash::LatticeHash;
use super::super::layout::turn;
use super::cell::{catmull_rom, split};
use super::parameters::Interpolation;
use crate::dispatch;
use crate::simd::whole;

/// Columns of a tile. A tile has all rows of a band.
const TILE: usize = 64;

/// Positions below this size, in cells, are numbers of cells that `f64` counts one by one.
const EXACT: f64 = (1u64 << 52) as f64;

/// One octave, rotated about the world's origin.
pub struct Turned {
    lattice: Lattice,
    /// Coefficients of the world's x and y in the lattice's two coordinates, in cells.
    factors: [[f64; 2]; 2],
    /// Shift of the lattice, in cells.
    shift: [f64; 2],
    amplitude: f32,
    interpolation: Interpolation,
}

impl Turned {
    /// The octave of a seed with cells of this side.
    pub fn new(octave: u32, seed: Seed, cell: f64, amplitude: f32, interpolation: Interpolation) -> Self {
        Self {
            lattice: seed.lattice(),
            factors: turn(octave, 4.0).map(|row| row.map(|factor| factor / cell)),
            shift: LatticeHash::new(seed).shift,
            amplitude,
            interpolation,
        }
    }

    /// Adds the octave to the rows from `first_row` on.
    pub fn add(&self, domain: &Domain, first_row: usize, rows: &mut [f32]) {
        match self.interpolation {
            Interpolation::Linear => self.add_with::<2>(domain, first_row, rows, |t| [1.0 - t, t]),
            Interpolation::Cubic => self.add_with::<4>(domain, first_row, rows, catmull_rom),
        }
    }

    /// Adds the octave, interpolated between N x N lattice points.
    fn add_with<const N: usize>(
        &self,
        domain: &Domain,
        first_row: usize,
        rows: &mut [f32],
        weights: impl Fn(f32) -> [f32; N] + Copy,
    ) {
        let (width, height) = (domain.width(), rows.len() / domain.width());
        let of_row = |row: usize| self.factors.map(|[_, by_y]| domain.y(first_row + row) * by_y);
        let (mut places, mut values, mut sums) = (Places::new(), [[[0.0f32; TILE]; N]; N], [0.0; TILE]);
        for first in (0..width).step_by(TILE) {
            let count = TILE.min(width - first);
            // Lanes without a column repeat the last one.
            let x: [f64; TILE] = from_fn(|lane| domain.x(first + lane.min(count - 1)));
            let of_columns = self.factors.map(|[by_x, _]| x.map(|x| x * by_x));
            // Positions grow or fall with the column and with the row, so the extremes are at the corners.
            let corners = [0, height - 1].map(|row| {
                places.locate(&of_columns, of_row(row), self.shift);
                [0, TILE - 1].map(|lane| places.cells.map(|cells| cells[lane]))
            });
            let points = Points::<N>::new(self, corners.as_flattened(), count * height);
            for (row, samples) in rows.chunks_mut(width).enumerate() {
                places.locate(&of_columns, of_row(row), self.shift);
                match &points {
                    Some(points) => points.read(&places, &mut values),
                    None => self.compute(&places, count, &mut values),
                }
                dispatch!(_ => interpolate(&places.inside, &values, weights, &mut sums));
                samples[first..].iter_mut().zip(sums).for_each(|(sample, sum)| *sample += sum);
            }
        }
    }

    /// Computes the values of the lattice points around the first `count` places.
    fn compute<const N: usize>(&self, places: &Places, count: usize, values: &mut [[[f32; TILE]; N]; N]) {
        for lane in 0..count {
            let [i, j] = places.cells.map(|cells| cells[lane].clamp(-4.0e18, 4.0e18) as i64 - before(N));
            for (row, values) in values.iter_mut().enumerate() {
                for (column, values) in values.iter_mut().enumerate() {
                    values[lane] = self.amplitude * self.lattice.unit(i + column as i64, j + row as i64);
                }
            }
        }
    }
}

/// Interpolates between N x N values of each lane, by the weights of its position inside the cell.
#[inline(always)]
fn interpolate<const N: usize>(
    inside: &[[f32; TILE]; 2],
    values: &[[[f32; TILE]; N]; N],
    weights: impl Fn(f32) -> [f32; N],
    sums: &mut [f32; TILE],
) {
    let mut of_axes = [[[0.0f32; TILE]; N]; 2];
    for (of_axis, inside) in of_axes.iter_mut().zip(inside) {
        for (lane, &inside) in inside.iter().enumerate() {
            for (of_axis, weight) in of_axis.iter_mut().zip(weights(inside)) {
                of_axis[lane] = weight;
            }
        }
    }
    let [across, down] = of_axes;
    *sums = [0.0; TILE];
    for (values, down) in values.iter().zip(&down) {
        let mut along = [0.0f32; TILE];
        for (values, across) in values.iter().zip(&across) {
            for lane in 0..TILE {
                along[lane] += values[lane] * across[lane];
            }
        }
        for lane in 0..TILE {
            sums[lane] += along[lane] * down[lane];
        }
    }
}

/// The number of lattice points that the interpolation between N points needs before a cell's own.
const fn before(points: usize) -> i64 {
    points as i64 / 2 - 1
}

/// The places of a tile's row in the lattice.
struct Places {
    /// Per axis, the cells.
    cells: [[f64; TILE]; 2],
    /// Per axis, the positions inside the cells.
    inside: [[f32; TILE]; 2],
}

impl Places {
    const fn new() -> Self {
        Self { cells: [[0.0; TILE]; 2], inside: [[0.0; TILE]; 2] }
    }

    /// Finds the places from the parts that columns, a row and the lattice's shift have in the position.
    fn locate(&mut self, of_columns: &[[f64; TILE]; 2], of_row: [f64; 2], shift: [f64; 2]) {
        for axis in 0..2 {
            let (cells, inside) = (&mut self.cells[axis], &mut self.inside[axis]);
            let rest = (of_row[axis], shift[axis]);
            dispatch!(_ => locate(&of_columns[axis], rest, cells, inside));
        }
    }
}

/// Finds the cells of an axis, and the positions inside them.
#[inline(always)]
fn locate(
    of_columns: &[f64; TILE],
    (of_row, shift): (f64, f64),
    cells: &mut [f64; TILE],
    inside: &mut [f32; TILE],
) {
    for lane in 0..TILE {
        (cells[lane], inside[lane]) = split(of_columns[lane] + of_row + shift);
    }
}

/// The values of the lattice points near a tile, for interpolation between N x N of them.
struct Points<const N: usize> {
    /// The first cell along each axis.
    first: [f64; 2],
    /// The number of points in a row.
    width: usize,
    values: Vec<f32>,
}

impl<const N: usize> Points<N> {
    /// The points near a tile with so many samples, from the cells at its corners. `None` if there are more
    /// of them than half of those that the samples read.
    fn new(octave: &Turned, corners: &[[f64; 2]], samples: usize) -> Option<Self> {
        let range = [0, 1].map(|axis| {
            let cells = corners.iter().map(|cell| cell[axis]);
            cells.fold((f64::MAX, f64::MIN), |(low, high), cell| (low.min(cell), high.max(cell)))
        });
        let is_exact = range.iter().all(|(low, high)| low.abs().max(high.abs()) < EXACT);
        let [width, height] = range.map(|(low, high)| high - low + N as f64);
        if !is_exact || width * height > (samples * N * N / 2) as f64 {
            return None;
        }
        let first = range.map(|(low, _)| low);
        let [i, j] = first.map(|first| first as i64 - before(N));
        let (width, height) = (width as usize, height as usize);
        let mut values = vec![0.0; width * height];
        for (row, values) in values.chunks_mut(width).enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value = octave.amplitude * octave.lattice.unit(i + column as i64, j + row as i64);
            }
        }
        Some(Self { first, width, values })
    }

    /// Reads the values of the points around each place.
    fn read(&self, places: &Places, values: &mut [[[f32; TILE]; N]; N]) {
        let (width, [i, j]) = (self.width as f64, self.first);
        let mut at = [0u32; TILE];
        dispatch!(_ => {
            // Copies, so that stores do not make the compiler load them anew.
            let (width, i, j) = (width, i, j);
            for (lane, at) in at.iter_mut().enumerate() {
                *at = whole((places.cells[1][lane] - j) * width + (places.cells[0][lane] - i)) as u32;
            }
        });
        for (row, values) in values.iter_mut().enumerate() {
            let points = &self.values[row * self.width..];
            for (lane, &at) in at.iter().enumerate() {
                let points = &points[at as usize..][..N];
                for (values, point) in values.iter_mut().zip(points) {
                    values[lane] = *point;
                }
            }
        }
    }
}
