//! Polynomial noise in space, for caves, clouds and terrain that changes with time.

use rayon::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

use super::axis::locate;
use super::cell::Cell3;
use super::hash::LatticeHash;
use super::lattice::Draws;

/// D3M1N3 noise: random heights and slopes at the points of a lattice in space, joined by the polynomial of [`Cell3`], in
/// octaves. Continuous; across the faces of cells the slope jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume {
    /// Number of octaves.
    pub octaves: u32,
    /// World units a side of the first octave's cells; greater than 0.
    pub wavelength: f64,
    /// How many times finer an octave is than the one before; greater than 0.
    pub lacunarity: f64,
    /// Amplitude of an octave over that of the one before.
    pub persistence: f32,
    /// Greatest slope of a lattice point, per cell side, over its greatest height.
    pub gradient_weight: f32,
}

/// The most that heights within [−1, 1] make, and slopes.
const BOUNDS: (f32, f32) = (1.0225, 0.75);

impl Volume {
    /// The noise at a place of the world, in [0, 1]: a function of place and seed alone. O(octaves).
    #[must_use]
    pub fn at(&self, place: [f64; 3], seed: Seed) -> f32 {
        let draws = Draws::new(self.gradient_weight, BOUNDS.0, BOUNDS.1);
        let (mut sum, mut total, mut amplitude, mut cell) = (0.0f32, 0.0f32, 1.0f32, self.wavelength);
        for octave in 0..self.octaves {
            let hash = LatticeHash::new(seed.part(u64::from(octave)));
            let located = [0, 1, 2].map(|axis| locate(place[axis], cell, hash.shift[axis.min(1)]));
            let [columns, rows, layers] = located.map(|(index, _)| hash.pair(index));
            let bits: [u32; 8] = std::array::from_fn(|corner| {
                let (i, j, k) = (corner & 1, corner >> 1 & 1, corner >> 2);
                hash.point(hash.column(columns[i]) ^ hash.layer(layers[k]), hash.row(rows[j]))
            });
            let noise = Cell3 {
                heights: bits.map(|bits| draws.height(bits)),
                slopes: bits.map(|bits| draws.derivatives(bits)),
            };
            sum += amplitude * noise.at(located.map(|(_, inside)| inside));
            total += amplitude;
            amplitude *= self.persistence;
            cell /= self.lacunarity;
        }
        if total > 0.0 { 0.5 + 0.5 * sum / total } else { 0.5 }
    }

    /// The noise in the plane at world height `z`. O(samples · octaves).
    #[must_use]
    pub fn slice(&self, domain: &Domain, z: f64, seed: Seed) -> Heightmap {
        let mut samples = vec![0.0; domain.len()];
        samples.par_chunks_mut(domain.width().max(1)).enumerate().for_each(|(row, samples)| {
            for (column, sample) in samples.iter_mut().enumerate() {
                *sample = self.at([domain.x(column), domain.y(row), z], seed);
            }
        });
        Heightmap::from_vec(*domain, samples)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn volume(octaves: u32, gradient_weight: f32) -> Volume {
        Volume { octaves, wavelength: 10.0, lacunarity: 2.0, persistence: 0.5, gradient_weight }
    }

    proptest! {
        #[test]
        fn it_stays_in_its_range(place in prop::array::uniform3(-1.0e9f64..1.0e9), seed: u64, weight in 0.0f32..4.0) {
            let value = volume(4, weight).at(place, Seed(seed));
            prop_assert!((0.0..=1.0).contains(&value), "{value}");
        }

        #[test]
        fn it_is_continuous_everywhere(place in prop::array::uniform3(-50.0f64..50.0), axis in 0usize..3) {
            let mut beside = place;
            beside[axis] += 1.0e-4;
            let noise = volume(3, 1.0);
            // 1e-4 units are 4e-5 cells of the finest octave; no slope exceeds 4 a cell.
            prop_assert!((noise.at(place, Seed(2)) - noise.at(beside, Seed(2))).abs() < 2.0e-4);
        }
    }

    #[test]
    fn no_corners_go_beyond_the_bound() {
        let (mut most, mut steepest) = (0.0f32, 0.0f32);
        for at in 0..21 * 21 * 21 {
            let position = [at % 21, at / 21 % 21, at / 441].map(|i| i as f32 / 20.0);
            let share = |corner: usize, axis: Option<usize>| {
                let mut cell = Cell3 { heights: [0.0; 8], slopes: [[0.0; 3]; 8] };
                match axis {
                    None => cell.heights[corner] = 1.0,
                    Some(axis) => cell.slopes[corner][axis] = 1.0,
                }
                cell.at(position).abs()
            };
            most = most.max((0..8).map(|corner| share(corner, None)).sum());
            steepest = steepest.max((0..24).map(|i| share(i / 3, Some(i % 3))).sum());
        }
        assert!(most <= BOUNDS.0 && most > BOUNDS.0 - 0.01, "{most}");
        assert!(steepest <= BOUNDS.1 + 1e-6 && steepest > BOUNDS.1 - 0.01, "{steepest}");
    }

    #[test]
    fn layers_differ_and_slices_are_points() {
        let (noise, domain) = (volume(5, 0.5), Domain::new(20, 10).with_spacing(0.7).with_origin(1.0e6, 5.0));
        let slice = noise.slice(&domain, -3.25, Seed(4));
        assert_eq!(slice[(7, 9)], noise.at([domain.x(7), domain.y(9), -3.25], Seed(4)));
        assert_ne!(slice, noise.slice(&domain, 20.0, Seed(4)));
        // A plane of space is not the plane's noise turned: axes are hashed by themselves.
        assert_ne!(noise.at([1.0, 2.0, 3.0], Seed(4)), noise.at([3.0, 2.0, 1.0], Seed(4)));
    }
}
