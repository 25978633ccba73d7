//! Spectra of noise, which reveal the streaks of a lattice.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use rayon::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, Seed};
use terrane_kernels::Silent;
use terrane_kernels::metric::statistics;
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use crate::{Result, say};

const BASES: [(&str, Basis); 3] = [
    ("zero-gradient", Basis::ZeroGradient(Smoothstep::CUBIC)),
    ("Perlin", Basis::Perlin(Smoothstep::CUBIC)),
    ("OpenSimplex", Basis::OpenSimplex),
];

/// Writes the table and the pictures.
pub fn thorimbert(seeds: u64, out: &Path) -> Result<()> {
    let text = spectra(seeds, out)?;
    terrane_io::write_atomic(&out.join("spectra.md"), false, |file| file.write_all(text.as_bytes()))?;
    say(&text);
    Ok(())
}

/// Side of the transformed map, in samples.
const SIDE: usize = 256;

/// The power spectrum of a map with faded borders. The mean is in the middle of the grid.
fn power(map: &Heightmap) -> Vec<f64> {
    let mean = statistics(map).mean;
    let window: Vec<f64> =
        (0..SIDE).map(|i| 0.5 - 0.5 * libm::cos(std::f64::consts::TAU * i as f64 / SIDE as f64)).collect();
    let waves: Vec<(f64, f64)> = (0..SIDE)
        .map(|k| libm::sincos(-std::f64::consts::TAU * k as f64 / SIDE as f64))
        .map(|(sin, cos)| (cos, sin))
        .collect();
    // Transforms rows, then columns. Each sum follows the definition directly.
    let transform = |rows: &[Vec<(f64, f64)>]| -> Vec<Vec<(f64, f64)>> {
        rows.par_iter()
            .map(|row| {
                let wave = |k: usize| {
                    row.iter().enumerate().fold((0.0, 0.0), |(re, im), (i, &(a, b))| {
                        let (c, s) = waves[i * k % SIDE];
                        (re + a * c - b * s, im + a * s + b * c)
                    })
                };
                (0..SIDE).map(wave).collect()
            })
            .collect()
    };
    let transpose = |rows: &[Vec<(f64, f64)>]| -> Vec<Vec<(f64, f64)>> {
        (0..SIDE).map(|x| rows.iter().map(|row| row[x]).collect()).collect()
    };
    let faded: Vec<Vec<(f64, f64)>> = (0..SIDE)
        .map(|y| (0..SIDE).map(|x| ((f64::from(map[(x, y)]) - mean) * window[x] * window[y], 0.0)).collect())
        .collect();
    let waves = transform(&transpose(&transform(&faded)));
    let middle = SIDE / 2;
    (0..SIDE * SIDE)
        .map(|at| waves[(at % SIDE + middle) % SIDE][(at / SIDE + middle) % SIDE])
        .map(|(re, im)| re * re + im * im)
        .collect()
}

/// Draws the mean power spectrum over seeds, and returns a table of its dependence on direction.
fn spectra(seeds: u64, out: &Path) -> Result<String> {
    let mut text = format!(
        "# Spectra of one octave, cells of 8 samples, {seeds} terrains\n\nMean power of waves of 6 to 12 \
        samples, by direction, over that of all directions: 1 everywhere is no direction preferred.\n\n| \
        noise | 0° | 15° | 30° | 45° | 60° | 75° |\n|---|---|---|---|---|---|---|\n"
    );
    for (name, basis) in BASES {
        let noise = Noise {
            basis,
            fractal: Fractal::Fbm,
            octaves: 1,
            wavelength: 8.0,
            lacunarity: 2.0,
            layout: Layout::Straight,
        };
        let mut mean = vec![0.0; SIDE * SIDE];
        for seed in 0..seeds {
            let map = noise.heights(&Domain::new(SIDE, SIDE), Seed(seed), &Drive::default(), &Silent)?;
            mean.iter_mut().zip(power(&map)).for_each(|(sum, power)| *sum += power / seeds as f64);
        }
        let (mut sums, mut counts) = ([0.0; 6], [0.0; 6]);
        for (at, power) in mean.iter().enumerate() {
            let (x, y) = ((at % SIDE) as f64 - 128.0, (at / SIDE) as f64 - 128.0);
            let waves = libm::hypot(x, y);
            if (SIDE as f64 / 12.0..SIDE as f64 / 6.0).contains(&waves) {
                // Both axes are equivalent: directions are measured from the nearer one.
                let degrees = libm::atan2(y, x).to_degrees().rem_euclid(90.0);
                let sector = ((degrees / 15.0).round() as usize) % 6;
                sums[sector] += power;
                counts[sector] += 1.0;
            }
        }
        let all = sums.iter().sum::<f64>() / counts.iter().sum::<f64>();
        let _infallible = write!(text, "| {name} |");
        for (sum, count) in sums.iter().zip(counts) {
            let _infallible = write!(text, " {:.2} |", sum / count / all);
        }
        text += "\n";
        let brightest = mean.iter().copied().fold(0.0, f64::max);
        // Black to white covers six powers of ten.
        let grey = |power: &f64| ((1.0 + libm::log10((power / brightest).max(1e-6)) / 6.0) * 255.0) as u8;
        let picture = Grid::from_vec(SIDE, SIDE, mean.iter().map(grey).map(|g| [g; 3]).collect());
        let file = out.join(format!("spectrum-{}.png", name.to_lowercase()));
        terrane_io::write_picture(&file, &picture, terrane_io::Effort::Fast)?;
    }
    Ok(text)
}
