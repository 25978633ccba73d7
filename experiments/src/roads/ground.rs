//! Ground for roads: noise, midpoint displacement, and models of Earth.

use std::path::Path;

use terrane_grid::{Domain, Heightmap, Seed};
use terrane_io::{Placement, ReadOptions, read_heightmap};
use terrane_kernels::displacement::{Boundary, Distribution, Midpoint, midpoint_displacement};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::{ScalarMap, Silent};

use super::square;
use crate::Result;

/// Perlin noise with heights from 0 to `amplitude`.
pub fn perlin(
    domain: Domain,
    seed: Seed,
    fractal: Fractal,
    (wavelength, octaves): (f64, u32),
    amplitude: f64,
) -> Result<Heightmap> {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal,
        octaves,
        wavelength,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let drive = Drive { amplitude: ScalarMap::Constant(amplitude as f32), ..Drive::default() };
    Ok(noise.heights(&domain, seed, &drive, &Silent)?)
}

/// Midpoint displacement with heights from about 0 to 1.
pub fn midpoint(domain: Domain, seed: Seed, persistence: f64) -> Result<Heightmap> {
    let parameters = Midpoint {
        roughness: ScalarMap::Constant(1.0),
        persistence: persistence as f32,
        distribution: Distribution::Uniform,
        smoothed: false,
        boundary: Boundary::Open,
        lattice: 2,
    };
    Ok(midpoint_displacement(&domain, seed, &parameters, &Silent)?)
}

/// The radius of the equator in metres.
const RADIUS: f64 = 6_378_137.0;

/// The distances between columns and rows in metres: degrees are taken on a sphere, as in the published
/// tables. On the ellipsoid they differ by up to 0.7 %.
fn apart(placement: &Placement, rows: usize) -> (f64, f64) {
    let Placement { spacing_x, spacing_y, origin, geographic, unit } = *placement;
    if !geographic {
        return (spacing_x * unit, spacing_y * unit);
    }
    let latitude = (unit * (origin.1 + 0.5 * (rows - 1) as f64 * spacing_y)).to_radians();
    let degree = (unit * RADIUS).to_radians();
    (spacing_x * degree * libm::cos(latitude), spacing_y * degree)
}

/// The square in the middle of an elevation model, as wide as the model's shorter side, resampled
/// bilinearly to this many samples a side; the spacing is in metres on the ground.
pub fn model(path: &Path, side: usize) -> Result<Heightmap> {
    let map = read_heightmap(path, &ReadOptions::default())?.map;
    let placement = map.georef().and_then(|georef| Placement::of(georef));
    let placement =
        placement.ok_or_else(|| format!("{}: the spacing of samples is unknown", path.display()))?;
    let (width, height) = map.domain().size;
    let (across, along) = apart(&placement, height);
    let extent = (across * (width - 1) as f64, along * (height - 1) as f64);
    let metres = extent.0.min(extent.1);
    let spacing = metres / (side - 1) as f64;
    let (left, top) = ((extent.0 - metres) / 2.0, (extent.1 - metres) / 2.0);
    Ok(Heightmap::from_fn(square(side, spacing), |x, y| {
        let column = (left + x as f64 * spacing) / across;
        let row = (top + y as f64 * spacing) / along;
        let (x, y) = ((column as usize).min(width - 2), (row as usize).min(height - 2));
        let (u, v) = (column - x as f64, row - y as f64);
        let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let at = |x: usize, y: usize| f64::from(map[(x, y)]);
        mix(mix(at(x, y), at(x + 1, y), u), mix(at(x, y + 1), at(x + 1, y + 1), u), v) as f32
    }))
}
