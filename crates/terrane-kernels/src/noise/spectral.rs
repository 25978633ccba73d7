//! Spectral synthesis: octaves of interpolated lattice noise (Olsen 2004, "Spectral synthesis").
//!
//! Octave `i` has lattice cells of `wavelength / 2^i` world units, a random value in [0, 1) at each lattice
//! point, and the amplitude `persistence^i`. Values are distributed uniformly. The sum of octaves is divided
//! by the sum of amplitudes.
//!
//! The work for a lattice cell (hashing, interpolation across rows, the cell's polynomial) is done once per
//! cell and row of samples. A sample then costs one multiply-add per octave with `Linear`, three with
//! `Cubic`. O(samples · octaves).

use crate::parallel::{slices, try_for_each};
use terrane_grid::{Domain, Heightmap, Lattice, Seed};

use super::axis::whole_cells;
use super::hash::LatticeHash;
use crate::{Cancelled, Progress};

/// How values between lattice points are interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Interpolation {
    /// Linear: fast, but shows rectangles along the axes.
    ///
    /// Heights stay in [0, 1].
    Linear,
    /// Cubic, through four points per axis: smoother, overshoots slightly.
    ///
    /// Catmull-Rom cubics. Heights overshoot to at most [-0.282, 1.282].
    Cubic,
}

/// Parameters of [`spectral_synthesis`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spectral {
    /// Number of octaves.
    pub octaves: u32,
    /// Side of the first octave's cells, in world units.
    pub wavelength: f64,
    /// Amplitude of an octave relative to the previous one.
    pub persistence: f32,
    /// How values between lattice points are interpolated.
    pub interpolation: Interpolation,
    /// Whether the window tiles with itself. If so, its extent (w · spacing × h · spacing) holds a whole
    /// number of each octave's cells.
    pub wrap: bool,
}

impl Default for Spectral {
    fn default() -> Self {
        Self {
            octaves: 8,
            wavelength: 256.0,
            persistence: 0.5,
            interpolation: Interpolation::Linear,
            wrap: false,
        }
    }
}

/// Number of rows per task. These rows share lattice rows.
const BAND: usize = 64;

/// Spectral synthesis over `domain`: heights in [0, 1] (`Linear`).
///
/// Unless the window wraps, a sample depends only on its world position and the seed. All windows that hold
/// the same point thus have the same bits there.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn spectral_synthesis(
    domain: &Domain,
    seed: Seed,
    parameters: &Spectral,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    let width = domain.width();
    let mut samples = vec![0.0f32; domain.len()];
    let octaves = octaves(domain, seed, parameters);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let bands = domain.height().div_ceil(BAND).max(1);
    if width > 0 {
        try_for_each(slices(&mut samples, width * BAND), 1, |band, rows| {
            for octave in &octaves {
                octave.add(domain, band * BAND, rows);
            }
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            progress.report(done as f64 / bands as f64)
        })?;
    }
    Ok(Heightmap::from_vec(*domain, samples))
}

/// A run of columns in one lattice cell.
struct Run {
    start: usize,
    end: usize,
    /// Position of the cell's first lattice column in [`Octave::columns`].
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
struct Octave {
    lattice: Lattice,
    axes: [Axis; 2],
    amplitude: f32,
    /// Lattice columns that some cell needs, in ascending order.
    columns: Vec<i64>,
    runs: Vec<Run>,
    /// Position of each column inside its cell, in [0, 1).
    fraction: Vec<f32>,
    /// The number of lattice points that the interpolation needs before a cell's own points, and after them.
    reach: i64,
}

fn octaves(domain: &Domain, seed: Seed, parameters: &Spectral) -> Vec<Octave> {
    let mut amplitude = 1.0f32;
    let mut cell = parameters.wavelength;
    let mut octaves = Vec::new();
    for index in 0..parameters.octaves {
        octaves.push(Octave::new(domain, seed.part(u64::from(index)), cell, amplitude, parameters));
        amplitude *= parameters.persistence;
        cell *= 0.5;
    }
    let total: f32 = octaves.iter().map(|octave| octave.amplitude).sum();
    for octave in &mut octaves {
        octave.amplitude /= total;
    }
    octaves
}

/// The cell that holds a position measured in cells, and the position inside it.
fn locate(position: f64) -> (i64, f32) {
    let floor = position.floor();
    // A fraction that rounds up to 1 in f32 is the end of this cell, where values have the same bits as at
    // the start of the next cell.
    (floor.clamp(-4.0e18, 4.0e18) as i64, (position - floor) as f32)
}

impl Octave {
    fn new(domain: &Domain, seed: Seed, cell: f64, amplitude: f32, parameters: &Spectral) -> Self {
        let reach = i64::from(parameters.interpolation == Interpolation::Cubic);
        let shift = LatticeHash::new(seed).shift;
        let axis = |samples: usize, shift: f64| {
            Axis::new(cell, parameters.wrap.then_some((samples, domain.spacing, shift)))
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
    fn add(&self, domain: &Domain, first_row: usize, rows: &mut [f32]) {
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
    let weights = [
        ((-0.5 * t + 1.0) * t - 0.5) * t,
        (1.5 * t - 2.5) * t * t + 1.0,
        ((-1.5 * t + 2.0) * t + 0.5) * t,
        (0.5 * t - 0.5) * t * t,
    ];
    for (column, value) in across.iter_mut().enumerate() {
        *value = weights[0] * rows[0][column]
            + weights[1] * rows[1][column]
            + weights[2] * rows[2][column]
            + weights[3] * rows[3][column];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Silent;
    use terrane_compute::Stop;

    fn parameters(octaves: u32, interpolation: Interpolation) -> Spectral {
        Spectral { octaves, wavelength: 37.5, persistence: 0.5, interpolation, wrap: false }
    }

    /// One sample, computed directly from the definition.
    fn slow(domain: &Domain, seed: Seed, p: &Spectral, column: usize, row: usize) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for octave in 0..p.octaves {
            let cell = p.wavelength / f64::from(1u32 << octave);
            let amplitude = (0..octave).fold(1.0, |a, _| a * f64::from(p.persistence));
            let lattice = seed.part(u64::from(octave)).lattice();
            let (x, y) = (domain.x(column) / cell, domain.y(row) / cell);
            let at = |i: i64, j: i64| f64::from(lattice.unit(x.floor() as i64 + i, y.floor() as i64 + j));
            let (tx, ty) = (x - x.floor(), y - y.floor());
            let value = match p.interpolation {
                Interpolation::Linear => {
                    let low = at(0, 0) * (1.0 - tx) + at(1, 0) * tx;
                    let high = at(0, 1) * (1.0 - tx) + at(1, 1) * tx;
                    low * (1.0 - ty) + high * ty
                }
                Interpolation::Cubic => {
                    let cubic = |p: [f64; 4], t: f64| {
                        p[1] + 0.5
                            * t
                            * (p[2] - p[0]
                                + t * (2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3]
                                    + t * (3.0 * (p[1] - p[2]) + p[3] - p[0])))
                    };
                    let row = |j: i64| cubic([at(-1, j), at(0, j), at(1, j), at(2, j)], tx);
                    cubic([row(-1), row(0), row(1), row(2)], ty)
                }
            };
            sum += amplitude * value;
            total += amplitude;
        }
        sum / total
    }

    #[test]
    fn agrees_with_the_definition() {
        for interpolation in [Interpolation::Linear, Interpolation::Cubic] {
            let p = parameters(7, interpolation);
            let domain = Domain::new(83, 71).with_spacing(1.25).with_origin(-41.0, 17.5);
            let map = spectral_synthesis(&domain, Seed(9), &p, &Silent).unwrap();
            for row in 0..71 {
                for column in 0..83 {
                    let expected = slow(&domain, Seed(9), &p, column, row);
                    assert!((f64::from(map[(column, row)]) - expected).abs() < 2e-6, "{column} {row}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_window_is_a_crop_of_the_plane(
            x in 0usize..60, y in 0usize..60, w in 1usize..40, h in 1usize..40,
            far in prop::sample::select(vec![0.0, -3.0e5, 1.0e9]), cubic: bool,
        ) {
            let p = parameters(6, if cubic { Interpolation::Cubic } else { Interpolation::Linear });
            let whole = Domain::new(100, 100).with_spacing(0.5).with_origin(far, -far);
            let part = Domain::new(w, h).with_spacing(0.5).with_origin(whole.x(x), whole.y(y));
            let a = spectral_synthesis(&whole, Seed(3), &p, &Silent).unwrap();
            let b = spectral_synthesis(&part, Seed(3), &p, &Silent).unwrap();
            for row in 0..h {
                for column in 0..w {
                    prop_assert_eq!(a[(x + column, y + row)].to_bits(), b[(column, row)].to_bits());
                }
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let domain = Domain::new(200, 300);
        let run = |threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                spectral_synthesis(&domain, Seed(1), &parameters(9, Interpolation::Linear), &Silent).unwrap()
            })
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn cells_far_smaller_than_a_sample_are_sampled_and_cost_no_memory() {
        let p = Spectral { wavelength: 1.0e-3, ..parameters(20, Interpolation::Cubic) };
        let map = spectral_synthesis(&Domain::new(50, 3), Seed(1), &p, &Silent).unwrap();
        assert!(map.samples().iter().all(|h| h.is_finite()));
        let octave = Octave::new(&Domain::new(50, 3), Seed(1), 1.0e-9, 1.0, &p);
        assert!(octave.columns.len() <= 200);
    }

    #[test]
    fn stops_when_asked() {
        let result =
            spectral_synthesis(&Domain::new(9, 9), Seed(1), &parameters(2, Interpolation::Linear), &Stop);
        assert_eq!(result, Err(Cancelled));
    }
}
