//! Seas and lakes: reflection and transmission of light.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use super::air::Air;
use super::vector::{Light, Vector, dot, power_of_two, smooth, unit};

/// How water looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// The sea's level in world units, over the map and beyond it.
    pub sea_level: Option<f64>,
    /// Depth, in world units, at which a tenth of the ground still shows.
    pub clarity: f64,
    /// Steepness of ripples, 0 for a mirror.
    pub waves: f64,
}

/// Share of each colour that remains after a depth of one `clarity`; red fades first.
const LEFT: [f64; 3] = [0.02, 0.16, 0.24];

/// The colour of deep water in white light.
const DEEP: Light = [0.004, 0.030, 0.052];

/// A ripple: its direction, and its wavelength in samples.
struct Ripple {
    east: f64,
    south: f64,
    wavelength: f64,
}

static RIPPLES: LazyLock<[Ripple; 6]> = LazyLock::new(|| {
    // Directions in turns.
    let all = [(0.03, 6.1), (0.11, 4.3), (0.93, 3.1), (0.19, 2.3), (0.86, 1.7), (0.27, 1.2)];
    all.map(|(turn, wavelength)| Ripple {
        east: libm::cos(turn * TAU),
        south: libm::sin(turn * TAU),
        wavelength,
    })
});

/// The depth, in clarities, below which no ground shows: less than a hundredth of one step of an 8-bit
/// channel.
const OPAQUE: f64 = 8.0;

impl Water {
    /// The upward direction of a rippled surface at a position, as far as ripples show where a picture's
    /// sample is `footprint` wide. Lengths in samples.
    pub fn normal(&self, x: f64, y: f64, footprint: f64) -> Vector {
        let (mut east, mut south) = (0.0, 0.0);
        for ripple in &*RIPPLES {
            let seen = 1.0 - smooth(0.15, 0.6, footprint / ripple.wavelength);
            if self.waves <= 0.0 || seen <= 0.0 {
                continue;
            }
            let along = (x * ripple.east + y * ripple.south) * TAU / ripple.wavelength;
            let slope = 0.022 * self.waves * seen * libm::cos(along);
            (east, south) = (east + slope * ripple.east, south + slope * ripple.south);
        }
        unit([-east, -south, 1.0])
    }

    /// The share of light that the surface mirrors, seen at the angle of this cosine (Schlick 1994).
    pub fn mirrored(&self, cosine: f64) -> f32 {
        let off = 1.0 - cosine.clamp(0.0, 1.0);
        (0.02 + 0.98 * power_of_two(off, 2) * off) as f32
    }

    /// The ground's light through water, of this depth in clarities, seen at the angle of this cosine.
    pub fn through(&self, ground: Light, depth: f64, cosine: f64, air: &Air) -> Light {
        // Down as steep as refraction lets light be, and back up.
        let inside = (1.0 - (1.0 - cosine * cosine) / (1.33 * 1.33)).max(0.2).sqrt();
        let path = depth * (0.5 + 0.5 / inside);
        let (sun, sky) = (air.sunlight(), air.skylight());
        std::array::from_fn(|c| {
            let left = if path < OPAQUE { libm::pow(LEFT[c], path) as f32 } else { 0.0 };
            let deep = DEEP[c] * (sun[c] + 2.0 * sky[c]);
            deep + (ground[c] - deep) * left
        })
    }

    /// The sun's glitter towards a direction from which the water is seen.
    pub fn glitter(&self, normal: Vector, seen: Vector, sun: Vector) -> f32 {
        let half = unit([sun[0] - seen[0], sun[1] - seen[1], sun[2] - seen[2]]);
        let facing = dot(normal, half).max(0.0);
        (2.5 * power_of_two(facing, 9)) as f32
    }
}
