use std::f64::consts::TAU;

use proptest::prelude::*;
use terrane_grid::Domain;

use super::fft::{Lines, Smooth};
use super::transform::Transform;
use super::*;
use crate::{Boundary, Silent};
use terrane_compute::Stop;

mod slow;
mod transforms;
mod weather;

/// The defaults of the theory's paper, on a torus.
fn paper() -> Weather {
    Weather {
        from: 270.0,
        speed: 15.0,
        sensitivity: 0.0083,
        vapour_height: 2500.0,
        stability: 0.005,
        conversion: 1000.0,
        fallout: 1000.0,
        background: 0.0,
        metres: 1.0,
        boundary: Boundary::Wrap,
    }
}

/// More background rain than any descent removes, so that nothing is clamped at 0.
const MUCH: f64 = 1000.0;

fn rain(map: &Heightmap, weather: &Weather) -> Heightmap {
    orographic_rain(map, weather, &Silent).unwrap()
}

/// The rain that the terrain adds.
fn lifted(map: &Heightmap, weather: &Weather) -> Vec<f64> {
    let out = rain(map, &Weather { background: MUCH, ..*weather });
    out.samples().iter().map(|&rain| f64::from(rain) - MUCH).collect()
}

/// Hills of all sizes.
fn hills(size: (usize, usize), spacing: f64, seed: u64) -> Heightmap {
    let lattice = terrane_grid::Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(size.0, size.1).with_spacing(spacing), |x, y| {
        let octave = |cell: usize| {
            lattice.unit((x / cell) as i64, (y / cell + 1000 * cell) as i64) * (cell as f32).sqrt()
        };
        100.0 * (octave(16) + octave(4) + octave(1))
    })
}

/// A ridge or a hill 500 m high, in the middle.
fn gauss(size: (usize, usize), spacing: f64, (across, along): (f64, f64)) -> Heightmap {
    Heightmap::from_fn(Domain::new(size.0, size.1).with_spacing(spacing), |x, y| {
        let part = |at: usize, count: usize, width: f64| {
            let far = (at as f64 - (count / 2) as f64) * spacing / width;
            if width.is_finite() { far * far } else { 0.0 }
        };
        (500.0 * libm::exp(-0.5 * (part(x, size.0, across) + part(y, size.1, along)))) as f32
    })
}

fn greatest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |greatest, number| greatest.max(number.abs()))
}

fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |worst, (a, b)| worst.max((a - b).abs()))
}
