//! The sun and its shadows.

use super::surface::{Surface, Trace};
use super::vector::{Light, Vector, smooth};
use crate::parallel::{slices, try_for_each};
use crate::{Cancelled, Progress};

/// The position and the size of the sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Degrees clockwise from north.
    pub azimuth: f64,
    /// Degrees above the horizon.
    pub altitude: f64,
    /// Diameter in degrees: the larger, the softer the edges of shadows.
    pub size: f64,
}

impl Default for Sun {
    fn default() -> Self {
        Self { azimuth: 290.0, altitude: 32.0, size: 2.0 }
    }
}

impl Sun {
    /// The direction to the sun.
    pub fn direction(&self) -> Vector {
        let (azimuth, altitude) = (self.azimuth.to_radians(), self.altitude.to_radians());
        let level = libm::cos(altitude);
        [libm::sin(azimuth) * level, -libm::cos(azimuth) * level, libm::sin(altitude)]
    }

    /// Sunlight after it has passed through the air: the lower the sun, the longer the path and the redder
    /// the light. The air's mass is that of Kasten and Young (1989).
    pub fn light(&self) -> Light {
        const THROUGH_ONE_AIR: [f64; 3] = [0.040, 0.095, 0.200];
        let altitude = self.altitude.max(0.0);
        let mass =
            1.0 / (libm::sin(altitude.to_radians()) + 0.505_72 * libm::pow(altitude + 6.079_95, -1.636_4));
        let below = smooth(-2.0, 1.0, self.altitude);
        THROUGH_ONE_AIR.map(|depth| (1.45 * below * libm::exp(-depth * mass)) as f32)
    }

    /// For each sample, the share of the sun's disc that no ground hides: 0 in full shadow.
    pub fn shadows(&self, surface: &Surface, progress: &dyn Progress) -> Result<Vec<f32>, Cancelled> {
        let (columns, rows) = surface.size;
        let mut free = vec![0.0f32; columns * rows];
        let [east, south, _] = self.direction();
        let level = (east * east + south * south).sqrt();
        if level < 1e-9 {
            free.fill(1.0);
            return Ok(free);
        }
        let direction = [east / level, south / level];
        let radius = 0.5 * self.size.max(0.05);
        let tangent = |degrees: f64| libm::tan(degrees.clamp(-89.0, 89.0).to_radians());
        let (floor, ceiling) = (tangent(self.altitude - radius), tangent(self.altitude + radius));
        try_for_each(slices(&mut free, columns), 1, |row, free| {
            for (column, free) in free.iter_mut().enumerate() {
                let horizon = surface.horizon([column, row], direction, f64::INFINITY, floor, ceiling);
                let degrees = libm::atan(horizon).to_degrees();
                *free = (1.0 - smooth(self.altitude - radius, self.altitude + radius, degrees)) as f32;
            }
            progress.report(row as f64 / rows as f64)
        })?;
        Ok(free)
    }
}
