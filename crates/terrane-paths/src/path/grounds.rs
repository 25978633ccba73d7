//! Twenty grounds on which tests look for roads.

use terrane_grid::{Domain, Heightmap, ScalarMap, Seed};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};

use crate::Silent;

/// Samples on each side of a ground.
pub const SIDE: usize = 129;

pub const GROUNDS: u64 = 20;

/// Fractal hills, from 5 to 100 m high and 4 m from sample to sample.
pub fn hills(number: u64) -> Heightmap {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 7,
        wavelength: 250.0,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let amplitude = ScalarMap::Constant(5.0 * (number + 1) as f32);
    let drive = Drive { amplitude, ..Drive::default() };
    noise.heights(&Domain::new(SIDE, SIDE).with_spacing(4.0), Seed(number), &drive, &Silent).unwrap()
}

/// Samples at the left and the right side of a ground.
pub fn ends(number: u64) -> [(usize, usize); 2] {
    let lattice = Seed(number).lattice();
    let row = |at: i64| 8 + (lattice.unit(at, 3) * (SIDE - 16) as f32) as usize;
    [(8, row(0)), (SIDE - 9, row(1))]
}

/// A mask that is 1 on squares and on diagonals of samples that touch at corners, with ways between them.
pub fn obstacles(number: u64) -> Heightmap {
    let (lattice, ends) = (Seed(number + 100).lattice(), ends(number));
    let is_near = |x: usize, y: usize| ends.iter().any(|end| x.abs_diff(end.0).max(y.abs_diff(end.1)) < 6);
    Heightmap::from_fn(Domain::new(SIDE, SIDE).with_spacing(4.0), |x, y| {
        let is_square = lattice.unit(x as i64 / 12, y as i64 / 12) > 0.5;
        let is_closed = is_square || x % 12 == y % 12;
        f32::from(u8::from(!is_near(x, y) && x % 12 > 2 && y % 12 > 2 && is_closed))
    })
}
