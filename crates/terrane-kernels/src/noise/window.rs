//! Fills a window with octaves, band by band.

use crate::parallel::{collect, elements, try_for_each};
use std::sync::atomic::{AtomicUsize, Ordering};

use terrane_grid::{Domain, Seed};

use super::band::Band;
use super::error::NoiseError;
use super::fractal::SameAmplitudes;
use super::hash::LatticeHash;
use super::octave::Octave;
use super::parameters::{Drive, Noise};
use super::real::Depth;
use crate::{Progress, ScalarMap, dispatch};

/// A window to fill.
pub struct Plane<'a, D: Depth> {
    pub noise: &'a Noise,
    pub domain: &'a Domain,
    pub seed: Seed,
    pub drive: &'a Drive<'a>,
    pub progress: &'a dyn Progress,
    pub out: [&'a mut [f32]; 3],
    pub depth: std::marker::PhantomData<D>,
}

/// Rows per task. They are enough to amortise the setup of each tile.
const BAND: usize = 128;

impl<D: Depth> Plane<'_, D> {
    /// Fills the window with octaves of one kind. `new` builds each octave from its number, hash and cell
    /// side.
    pub fn octaves<O: Octave<D>>(
        self,
        new: &(dyn Fn(u32, LatticeHash, f64) -> O + Sync),
    ) -> Result<(), NoiseError> {
        let Self { noise, domain, seed, drive, progress, out, .. } = self;
        let octaves: Vec<O> = collect(noise.octaves as usize, 1, |octave| {
            let cell = (0..octave).fold(noise.wavelength, |cell, _| cell / noise.lacunarity);
            new(octave as u32, LatticeHash::new(seed.part(octave as u64)), cell)
        });
        let amplitudes = SameAmplitudes::new(
            noise.octaves,
            if let ScalarMap::Constant(p) = drive.persistence { p } else { 0.0 },
        );
        // Small maps use smaller bands, so that every thread has several bands.
        let height = BAND.min(domain.height().div_ceil(4 * rayon::current_num_threads())).max(8);
        let [heights, along_x, along_y] = out.map(|out| out.chunks_mut(height * domain.width()));
        let (mut along_x, mut along_y) = (along_x, along_y);
        let mut bands: Vec<[&mut [f32]; 3]> = heights
            .map(|heights| [heights, along_x.next().unwrap_or_default(), along_y.next().unwrap_or_default()])
            .collect();
        let (done, count) = (AtomicUsize::new(0), bands.len());
        try_for_each(elements(&mut bands), 1, |band, out| {
            let first_row = band * height;
            let rows = out[0].len() / domain.width();
            let rows: Vec<O::Row> = (first_row..first_row + rows)
                .flat_map(|row| octaves.iter().map(move |octave| octave.row(row, domain.y(row))))
                .collect();
            let fractal = noise.fractal;
            let amplitudes = &amplitudes;
            let band = Band {
                octaves: &octaves,
                rows: &rows,
                domain,
                first_row,
                drive,
                fractal,
                amplitudes,
                out: out.each_mut().map(|out| &mut **out),
            };
            dispatch!(simd => band.run(simd));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress.report(done as f64 / count as f64)
        })?;
        Ok(())
    }
}
