//! Wood, marble and clouds: regular patterns that noise disturbs (Perlin 1985; Thorimbert & Chopard 2018,
//! figure 7).

use crate::parallel::{for_each, slices};
use terrane_grid::{Grid, Heightmap};

use super::smoothstep::Smoothstep;

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Texture {
    /// Rings around a point of the world. Each ring grows lighter outwards, and is dark at its outer edge.
    Wood {
        /// World units between rings.
        wavelength: f64,
        /// Maximum displacement by noise, in rings.
        turbulence: f64,
        /// World position of the centre.
        center: (f64, f64),
    },
    /// Parallel veins that follow a sine.
    Marble {
        /// World units between veins.
        wavelength: f64,
        /// Maximum displacement by noise, in veins.
        turbulence: f64,
        /// Direction across the veins, in degrees from the x axis towards y.
        angle: f64,
    },
    /// The noise itself above a threshold.
    Clouds {
        /// Share of the noise's range that is cloud: 0 is a clear sky, 1 is overcast.
        cover: f64,
    },
}

/// Computes the pattern over `noise`. Values of the noise and of the pattern lie in [0, 1]. O(samples).
#[must_use]
pub fn texture(noise: &Heightmap, texture: &Texture) -> Heightmap {
    let domain = noise.domain();
    let (w, h) = domain.size;
    let mut out = vec![0.0f32; w * h];
    for_each(slices(&mut out, w.max(1)), 1, |row, out| {
        let y = domain.y(row);
        for (column, (out, &n)) in out.iter_mut().zip(noise.grid().row(row)).enumerate() {
            *out = texture.at(domain.x(column), y, f64::from(n)) as f32;
        }
    });
    noise.with_grid(Grid::from_vec(w, h, out))
}

impl Texture {
    /// The value at a world position with noise `n`.
    fn at(&self, x: f64, y: f64, n: f64) -> f64 {
        /// The fraction of a ring's width over which the ring grows lighter.
        const EARLY: f64 = 0.85;
        match *self {
            Self::Wood { wavelength, turbulence, center } => {
                let ring = libm::hypot(x - center.0, y - center.1) / wavelength + turbulence * n;
                let inside = ring - ring.floor();
                let t = if inside < EARLY { inside / EARLY } else { (1.0 - inside) / (1.0 - EARLY) };
                f64::from(Smoothstep::CUBIC.at_one(t as f32))
            }
            Self::Marble { wavelength, turbulence, angle } => {
                let (sin, cos) = libm::sincos(angle.to_radians());
                let turn = std::f64::consts::TAU * ((x * cos + y * sin) / wavelength + turbulence * n);
                0.5 + 0.5 * libm::sin(turn)
            }
            Self::Clouds { cover } if cover > 0.0 => ((n - (1.0 - cover)) / cover).clamp(0.0, 1.0),
            Self::Clouds { .. } => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    fn flat(value: f32) -> Heightmap {
        Heightmap::constant(Domain::new(9, 5).with_spacing(2.0), value)
    }

    #[test]
    fn veins_by_hand() {
        let marble = Texture::Marble { wavelength: 8.0, turbulence: 1.0, angle: 0.0 };
        let map = texture(&flat(0.0), &marble);
        for (column, expected) in [(0, 0.5), (1, 1.0), (2, 0.5), (3, 0.0), (4, 0.5)] {
            assert!((map[(column, 3)] - expected).abs() < 1e-6);
        }
        // Noise of 0.25 moves the pattern by a quarter of a vein.
        assert!((texture(&flat(0.25), &marble)[(0, 0)] - 1.0).abs() < 1e-6);
        let down = texture(&flat(0.0), &Texture::Marble { wavelength: 8.0, turbulence: 1.0, angle: 90.0 });
        assert!((down[(5, 1)] - 1.0).abs() < 1e-6);
    }

    #[test]
    fn rings_are_round_and_meet_at_their_ends() {
        let wood = Texture::Wood { wavelength: 4.0, turbulence: 0.0, center: (8.0, 4.0) };
        let map = texture(&flat(0.0), &wood);
        assert_eq!(map[(4, 2)], 0.0, "the middle");
        assert_eq!(map[(4, 0)], map[(2, 2)], "as far up as left");
        assert!(map.samples().iter().all(|v| (0.0..=1.0).contains(v)));
        assert!(wood.at(8.0 + 3.999_999, 4.0, 0.0) < 1e-6 && wood.at(12.000_001, 4.0, 0.0) < 1e-6);
        assert!((wood.at(8.0 + 4.0 * 0.85, 4.0, 0.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn clouds_are_what_lies_above() {
        for (cover, n, expected) in [(1.0, 0.3, 0.3), (0.5, 0.4, 0.0), (0.5, 0.75, 0.5), (0.0, 0.9, 0.0)] {
            assert!((texture(&flat(n), &Texture::Clouds { cover })[(0, 0)] - expected).abs() < 1e-6);
        }
    }
}
