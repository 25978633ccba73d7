//! Spectral synthesis: octaves of interpolated lattice noise (Olsen 2004, "Spectral synthesis").
//!
//! Octave `i` has lattice cells of `wavelength / 2^i` world units, a random value in [0, 1) at each lattice
//! point, and the amplitude `persistence^i`. Values are distributed uniformly. The sum of octaves is divided
//! by the sum of amplitudes.
//! O(samples · octaves).

mod aligned;
mod cell;
mod parameters;
#[cfg(test)]
mod tests;
mod turned;

use crate::parallel::{slices, try_for_each};
use terrane_grid::{Domain, Heightmap, Seed};

pub use self::parameters::{Interpolation, Spectral};

use self::aligned::Aligned;
use self::turned::Turned;
use super::layout::Layout;
use crate::{Cancelled, Progress};

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

/// One octave, with all data that are the same for all rows.
enum Octave {
    Aligned(Aligned),
    Turned(Turned),
}

impl Octave {
    /// Adds the octave to the rows from `first_row` on.
    fn add(&self, domain: &Domain, first_row: usize, rows: &mut [f32]) {
        match self {
            Self::Aligned(octave) => octave.add(domain, first_row, rows),
            Self::Turned(octave) => octave.add(domain, first_row, rows),
        }
    }
}

fn octaves(domain: &Domain, seed: Seed, parameters: &Spectral) -> Vec<Octave> {
    let amplitudes = || {
        (0..parameters.octaves).scan(1.0f32, |next, _| {
            let amplitude = *next;
            *next *= parameters.persistence;
            Some(amplitude)
        })
    };
    let total: f32 = amplitudes().sum();
    let mut cell = parameters.wavelength;
    let octave = |(index, amplitude): (u32, f32)| {
        let (seed, own, amplitude) = (seed.part(u64::from(index)), cell, amplitude / total);
        cell *= 0.5;
        match parameters.layout {
            Layout::Turned => {
                Octave::Turned(Turned::new(index, seed, own, amplitude, parameters.interpolation))
            }
            _ => Octave::Aligned(Aligned::new(domain, seed, own, amplitude, parameters)),
        }
    };
    (0..).zip(amplitudes()).map(octave).collect()
}
