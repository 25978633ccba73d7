//! Octaves of spectral synthesis whose lattice is rotated. Every sample is computed separately.

use terrane_grid::{Domain, Lattice, Seed};

use super::super::hash::LatticeHash;
use super::super::layout::turn;
use super::cell::{catmull_rom, locate};
use super::parameters::Interpolation;

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
        weights: impl Fn(f32) -> [f32; N],
    ) {
        let before = N as i64 / 2 - 1;
        let (mut held, mut values) = (None, [[0.0; N]; N]);
        for (index, row) in rows.chunks_mut(domain.width()).enumerate() {
            let y = domain.y(first_row + index);
            for (column, sample) in row.iter_mut().enumerate() {
                let x = domain.x(column);
                let [(i, u), (j, v)] = [0, 1].map(|axis| {
                    let [by_x, by_y] = self.factors[axis];
                    locate(x * by_x + y * by_y + self.shift[axis])
                });
                if held != Some((i, j)) {
                    held = Some((i, j));
                    values = std::array::from_fn(|row| {
                        std::array::from_fn(|column| {
                            let (i, j) = (i - before + column as i64, j - before + row as i64);
                            self.amplitude * self.lattice.unit(i, j)
                        })
                    });
                }
                let (across, down) = (weights(u), weights(v));
                let along = |row: &[f32; N]| row.iter().zip(&across).map(|(value, w)| value * w).sum::<f32>();
                *sample += values.iter().zip(&down).map(|(row, w)| along(row) * w).sum::<f32>();
            }
        }
    }
}
