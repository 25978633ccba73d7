//! Thorimbert & Chopard's figures 6, 14 and 15: distributions of heights and slopes, fractal dimension of coastlines; and
//! spectra, which show what streaks a lattice leaves.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use rayon::prelude::*;
use terrane::nodes::pictures::Curve;
use terrane_grid::{Domain, Grid, Heightmap, Seed};
use terrane_kernels::metric::{
    SlopeKind, coastline, fractal_dimension, histogram, kullback_leibler, slope_map, statistics,
};
use terrane_kernels::noise::{Basis, Drive, Fractal, Noise, Smoothstep};
use terrane_kernels::{Boundary, ScalarMap, Silent};

use crate::{Result, plot, say};

const BASES: [(&str, Basis); 3] = [
    ("zero-gradient", Basis::ZeroGradient(Smoothstep::CUBIC)),
    ("Perlin", Basis::Perlin(Smoothstep::CUBIC)),
    ("OpenSimplex", Basis::OpenSimplex),
];

const PERSISTENCES: [f32; 5] = [0.3, 0.4, 0.5, 0.6, 0.7];

/// Writes tables and plots.
pub fn thorimbert(seeds: u64, out: &Path) -> Result<()> {
    let mut text = String::from("# Thorimbert & Chopard's figures\n");
    text += &distributions(seeds, out)?;
    text += &by_persistence(seeds.div_ceil(20), out)?;
    text += &by_octaves(seeds.div_ceil(20), out)?;
    text += &spectra(seeds.div_ceil(20), out)?;
    terrane_io::write_atomic(&out.join("figures.md"), false, |file| file.write_all(text.as_bytes()))?;
    say(&text);
    Ok(())
}

/// The paper's setting: the first octave has two cells a side, the map a side of 1.
fn terrain(basis: Basis, side: usize, octaves: u32, persistence: f32, seed: u64) -> Result<Heightmap> {
    let noise = Noise { basis, fractal: Fractal::Fbm, octaves, wavelength: 0.5, lacunarity: 2.0 };
    let drive = Drive { persistence: ScalarMap::Constant(persistence), ..Drive::default() };
    let domain = Domain::new(side, side).with_spacing(1.0 / side as f64);
    Ok(noise.heights(&domain, Seed(seed), &drive, &Silent)?)
}

/// Figure 6: how often heights and slopes occur, over many terrains of 512².
fn distributions(seeds: u64, out: &Path) -> Result<String> {
    const BINS: usize = 128;
    let mut text = format!(
        "\n## Figure 6: distributions over {seeds} terrains, 512 x 512, 8 octaves\n\n| noise | mean height | deviation | mean slope | deviation |\n|---|---|---|---|---|\n"
    );
    let mut curves = [Vec::new(), Vec::new()];
    let mut counted = Vec::new();
    for (name, basis) in BASES {
        let one = |seed: u64| -> Result<_> {
            let map = terrain(basis, 512, 8, 0.5, seed)?;
            let slope = slope_map(&map, SlopeKind::Gradient, Boundary::Open);
            let (h, s) = (statistics(&map), statistics(&slope));
            let counts = [histogram(&map, BINS, Some((0.0, 1.0))), histogram(&slope, BINS, Some((0.0, 8.0)))];
            Ok(([h.mean, h.deviation, s.mean, s.deviation], counts.map(|h| h.counts)))
        };
        let (mut numbers, mut counts) = ([0.0; 4], [vec![0u64; BINS], vec![0u64; BINS]]);
        for seed in 0..seeds {
            let (these, count) = one(seed)?;
            numbers.iter_mut().zip(these).for_each(|(sum, this)| *sum += this / seeds as f64);
            for (sum, count) in counts.iter_mut().zip(count) {
                sum.iter_mut().zip(count).for_each(|(sum, count)| *sum += count);
            }
        }
        let [height, deviation, slope, spread] = numbers;
        let _infallible =
            writeln!(text, "| {name} | {height:.3} | {deviation:.3} | {slope:.2} | {spread:.2} |");
        for ((curves, counts), range) in curves.iter_mut().zip(&counts).zip([1.0, 8.0]) {
            let (total, width) = (counts.iter().sum::<u64>() as f64, range / BINS as f64);
            let point =
                |(bin, &count): (usize, &u64)| ((bin as f64 + 0.5) * width, count as f64 / total / width);
            curves.push((name, counts.iter().enumerate().map(point).collect()));
        }
        counted.push(counts);
    }
    text += "\nJensen-Shannon divergence from zero-gradient noise (0 the same, 0.693 nothing in common):\n\n";
    for ((name, _), counts) in BASES.iter().zip(&counted).skip(1) {
        let apart = |which: usize| kullback_leibler(&counted[0][which], &counts[which], 1.0).jensen_shannon;
        let _infallible = writeln!(text, "- {name}: heights {:.4}, slopes {:.4}", apart(0), apart(1));
    }
    let [heights, slopes] = curves;
    plot(&out.join("heights.svg"), ["height", "density"], &heights, ("", &[]))?;
    plot(&out.join("slopes.svg"), ["slope", "density"], &slopes, ("", &[]))?;
    Ok(text)
}

/// The coasts of many terrains.
struct Coasts {
    mean: f64,
    deviation: f64,
    /// Mean logarithm of length over that of the boxes' size.
    lengths: Vec<(f64, f64)>,
}

/// Fractal dimensions of coastlines at the mean height, over seeds.
fn coasts(basis: Basis, octaves: u32, persistence: f32, seeds: u64) -> Result<Coasts> {
    const SIZES: [u32; 7] = [2, 4, 8, 16, 32, 64, 128];
    let (mut all, mut lengths) = (Vec::new(), vec![0.0; SIZES.len()]);
    for seed in 0..seeds {
        let map = terrain(basis, 1024, octaves, persistence, seed)?;
        let found = fractal_dimension(&coastline(&map, statistics(&map).mean as f32), &SIZES);
        all.push(found.dimension);
        for (sum, boxes) in lengths.iter_mut().zip(&found.boxes) {
            *sum += libm::log10(boxes.length) / seeds as f64;
        }
    }
    let mean = all.iter().sum::<f64>() / seeds as f64;
    let deviation = (all.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / seeds as f64).sqrt();
    let sizes = SIZES.iter().map(|&size| libm::log10(f64::from(size)));
    Ok(Coasts { mean, deviation, lengths: sizes.zip(lengths).collect() })
}

/// Figure 14: lengths of coasts over the size of boxes, for several persistences, beside Richardson's coasts.
fn by_persistence(seeds: u64, out: &Path) -> Result<String> {
    let mut text = format!(
        "\n## Figure 14: fractal dimension by persistence, {seeds} terrains, 1024 x 1024, 8 octaves\n\n| persistence | zero-gradient | Perlin | OpenSimplex |\n|---|---|---|---|\n"
    );
    let names = PERSISTENCES.map(|p| format!("persistence {p}"));
    let mut curves = Vec::new();
    for (persistence, name) in PERSISTENCES.into_iter().zip(&names) {
        let _infallible = write!(text, "| {persistence} |");
        for (index, (_, basis)) in BASES.into_iter().enumerate() {
            let Coasts { mean, deviation, lengths } = coasts(basis, 8, persistence, seeds)?;
            let _infallible = write!(text, " {mean:.3} ± {deviation:.3} |");
            if index == 0 {
                curves.push((name.as_str(), lengths));
            }
        }
        text += "\n";
    }
    // Straight lines of the slopes that Mandelbrot reports of Richardson's measurements; their heights are arbitrary.
    let real = [("South Africa, 1.02", 1.02), ("Germany, 1.15", 1.15), ("Britain, 1.25", 1.25)];
    for (index, (name, dimension)) in real.into_iter().enumerate() {
        let line = |x: f64| (x, 3.1 - 0.12 * index as f64 + (1.0 - dimension) * x);
        curves.push((name, vec![line(libm::log10(2.0)), line(libm::log10(128.0))]));
    }
    text += "\nRichardson's coasts: South Africa 1.02, land frontier of Germany 1.15, west coast of Britain 1.25.\n";
    plot(&out.join("coasts.svg"), ["log10 of box size", "log10 of length"], &curves, ("", &[]))?;
    Ok(text)
}

/// Figure 15: fractal dimension as octaves are added.
fn by_octaves(seeds: u64, out: &Path) -> Result<String> {
    let seeds = seeds.div_ceil(2);
    let mut text = format!(
        "\n## Figure 15: fractal dimension by octaves, {seeds} terrains, 1024 x 1024\n\n| persistence | noise | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |\n|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    let mut curves: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for persistence in [0.3, 0.5, 0.7] {
        for (name, basis) in BASES {
            let _infallible = write!(text, "| {persistence} | {name} |");
            let mut curve = Vec::new();
            for octaves in 1..=9 {
                let mean = coasts(basis, octaves, persistence, seeds)?.mean;
                let _infallible = write!(text, " {mean:.2} |");
                curve.push((f64::from(octaves), mean));
            }
            curves.push((format!("{name}, {persistence}"), curve));
            text += "\n";
        }
    }
    let curves: Vec<Curve<'_>> = curves.iter().map(|(name, curve)| (name.as_str(), curve.clone())).collect();
    plot(&out.join("dimensions.svg"), ["octaves", "fractal dimension"], &curves, ("", &[]))?;
    Ok(text)
}

/// Samples a side of what is transformed.
const SIDE: usize = 256;

/// Power of each wave across a map whose borders are faded out, the mean in the middle of the grid.
fn power(map: &Heightmap) -> Vec<f64> {
    let mean = statistics(map).mean;
    let window: Vec<f64> =
        (0..SIDE).map(|i| 0.5 - 0.5 * libm::cos(std::f64::consts::TAU * i as f64 / SIDE as f64)).collect();
    let waves: Vec<(f64, f64)> = (0..SIDE)
        .map(|k| libm::sincos(-std::f64::consts::TAU * k as f64 / SIDE as f64))
        .map(|(sin, cos)| (cos, sin))
        .collect();
    // Rows, then columns; each sum straight from the definition.
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

/// Spectra: the mean power of waves over seeds as a picture, and how it differs by direction.
fn spectra(seeds: u64, out: &Path) -> Result<String> {
    let mut text = format!(
        "\n## Spectra of one octave, cells of 8 samples, {seeds} terrains\n\nMean power of waves of 6 to 12 samples, by direction, over that of all directions: 1 everywhere is no direction preferred.\n\n| noise | 0° | 15° | 30° | 45° | 60° | 75° |\n|---|---|---|---|---|---|---|\n"
    );
    for (name, basis) in BASES {
        let noise = Noise { basis, fractal: Fractal::Fbm, octaves: 1, wavelength: 8.0, lacunarity: 2.0 };
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
                // Both axes are one: directions count from the nearer.
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
        // Six powers of ten from black to white.
        let grey = |power: &f64| ((1.0 + libm::log10((power / brightest).max(1e-6)) / 6.0) * 255.0) as u8;
        let picture = Grid::from_vec(SIDE, SIDE, mean.iter().map(grey).map(|g| [g; 3]).collect());
        let file = out.join(format!("spectrum-{}.png", name.to_lowercase()));
        terrane_io::write_picture(&file, &picture)?;
    }
    Ok(text)
}
