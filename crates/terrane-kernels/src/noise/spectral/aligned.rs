//! Octaves of spectral synthesis whose lattice is aligned with the map's rows and columns.
//!
//! The work for a lattice cell (hashing, interpolation across rows, the cell's polynomial) is done once per
//! cell and row of samples. A sample then costs one multiply-add with `Linear`, three with `Cubic`.

use terrane_grid::{Domain, Lattice, Seed};

use super::super::axis::whole_cells;
use super::super::hash::LatticeHash;
use super::super::layout::Layout;
use super::cell::{catmull_rom, locate};
use super::parameters::{Interpolation, Spectral};

/// A run of columns in one lattice cell.
struct Run {
    start: usize,
    end: usize,
    /// Position of the cell's first lattice column in [`Aligned::columns`].
    first: usize,
}

/// Placement of an octave's lattice along an axis.
struct Axis {
    cell: f64,
    /// On a torus, the number of cells, and the lattice's shift as a fraction of a cell. The shift keeps the
    /// octaves' lattice lines apart.
    torus: Option<(i64, f64)>,
}

impl Axis {
    fn new(cell: f64, torus: Option<(usize, f64, f64)>) -> Self {
        match torus {
            None => Self { cell, torus: None },
            Some((samples, spacing, shift)) => {
                let extent = samples as f64 * spacing;
                let count = whole_cells(extent, cell);
                Self { cell: extent / f64::from(count), torus: Some((i64::from(count), shift)) }
            }
        }
    }

    /// The lattice cell that holds a world coordinate, and the coordinate's position inside the cell.
    fn locate(&self, world: f64) -> (i64, f32) {
        locate(self.torus.map_or(world / self.cell, |(_, shift)| world / self.cell + shift))
    }

    /// The index of a lattice point, from which the point's random value is computed.
    fn index(&self, point: i64) -> i64 {
        self.torus.map_or(point, |(count, _)| point.rem_euclid(count))
    }
}

/// One octave, with all data that are the same for all rows.
pub struct Aligned {
    lattice: Lattice,
    axes: [Axis; 2],
    amplitude: f32,
    /// Lattice columns that some cell needs, in ascending order.
    pub(super) columns: Vec<i64>,
    runs: Vec<Run>,
    /// Position of each column inside its cell, in [0, 1).
    fraction: Vec<f32>,
    /// The number of lattice points that the interpolation needs before a cell's own points, and after them.
    reach: i64,
}

impl Aligned {
    /// The octave of a seed with cells of this side.
    pub fn new(domain: &Domain, seed: Seed, cell: f64, amplitude: f32, parameters: &Spectral) -> Self {
        let reach = i64::from(parameters.interpolation == Interpolation::Cubic);
        let shift = LatticeHash::new(seed).shift;
        let axis = |samples: usize, shift: f64| {
            Axis::new(
                cell,
                (parameters.layout == Layout::Wrapped).then_some((samples, domain.spacing, shift)),
            )
        };
        let mut this = Self {
            lattice: seed.lattice(),
            axes: [axis(domain.width(), shift[0]), axis(domain.height(), shift[1])],
            amplitude,
            columns: Vec::new(),
            runs: Vec::new(),
            fraction: Vec::with_capacity(domain.width()),
            reach,
        };
        let mut last = None;
        for column in 0..domain.width() {
            let (lattice, fraction) = this.axes[0].locate(domain.x(column));
            this.fraction.push(fraction);
            if last == Some(lattice) {
                if let Some(run) = this.runs.last_mut() {
                    run.end = column + 1;
                }
                continue;
            }
            last = Some(lattice);
            let first = this.need(lattice);
            this.runs.push(Run { start: column, end: column + 1, first });
        }
        this
    }

    /// Ensures that a cell's lattice columns are listed one after another. Returns the position of the first.
    fn need(&mut self, cell: i64) -> usize {
        let (from, to) = (cell - self.reach, cell + 1 + self.reach);
        let next = match self.columns.last() {
            Some(&last) if last >= from => last + 1,
            _ => from,
        };
        self.columns.extend(next..=to);
        self.columns.len() - (to - from + 1) as usize
    }

    /// Adds the octave to the rows from `first_row` on.
    pub fn add(&self, domain: &Domain, first_row: usize, rows: &mut [f32]) {
        let points = 2 + 2 * self.reach as usize;
        let mut lattice_rows: Vec<Vec<f32>> = vec![vec![0.0; self.columns.len()]; points];
        let mut held = None;
        let mut across = vec![0.0; self.columns.len()];
        for (index, row) in rows.chunks_mut(domain.width()).enumerate() {
            let (cell, fraction) = self.axes[1].locate(domain.y(first_row + index));
            if held != Some(cell) {
                for (offset, values) in lattice_rows.iter_mut().enumerate() {
                    let y = self.axes[1].index(cell - self.reach + offset as i64);
                    for (value, &x) in values.iter_mut().zip(&self.columns) {
                        *value = self.lattice.unit(self.axes[0].index(x), y);
                    }
                }
                held = Some(cell);
            }
            if self.reach == 0 {
                blend_linear(&mut across, &lattice_rows, fraction);
                self.add_linear(row, &across);
            } else {
                blend_cubic(&mut across, &lattice_rows, fraction);
                self.add_cubic(row, &across);
            }
        }
    }

    fn add_linear(&self, row: &mut [f32], across: &[f32]) {
        for run in &self.runs {
            let base = across[run.first] * self.amplitude;
            let slope = across[run.first + 1] * self.amplitude - base;
            for (sample, t) in row[run.start..run.end].iter_mut().zip(&self.fraction[run.start..run.end]) {
                *sample += base + slope * t;
            }
        }
    }

    fn add_cubic(&self, row: &mut [f32], across: &[f32]) {
        for run in &self.runs {
            let p: [f32; 4] = std::array::from_fn(|i| across[run.first + i] * self.amplitude);
            let a = 1.5 * (p[1] - p[2]) + 0.5 * (p[3] - p[0]);
            let b = p[0] - 2.5 * p[1] + 2.0 * p[2] - 0.5 * p[3];
            let c = 0.5 * (p[2] - p[0]);
            for (sample, t) in row[run.start..run.end].iter_mut().zip(&self.fraction[run.start..run.end]) {
                *sample += ((a * t + b) * t + c) * t + p[1];
            }
        }
    }
}

fn blend_linear(across: &mut [f32], rows: &[Vec<f32>], t: f32) {
    for ((value, a), b) in across.iter_mut().zip(&rows[0]).zip(&rows[1]) {
        *value = a + (b - a) * t;
    }
}

/// Blends four lattice rows by the Catmull-Rom weights at `t`.
fn blend_cubic(across: &mut [f32], rows: &[Vec<f32>], t: f32) {
    let weights = catmull_rom(t);
    for (column, value) in across.iter_mut().enumerate() {
        *value = weights[0] * rows[0][column]
            + weights[1] * rows[1][column]
            + weights[2] * rows[2][column]
            + weights[3] * rows[3][column];
    }
}
