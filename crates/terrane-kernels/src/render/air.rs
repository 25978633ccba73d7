//! The sky, and the haze between the camera and the ground.

use super::sun::Sun;
use super::vector::{Light, Vector, dot, mix, power_of_two, smooth};

/// The colours of the sky for a sun, and the haze over distant ground.
#[derive(Clone, Copy, Debug)]
pub struct Air {
    sun: Vector,
    sunlight: Light,
    /// Cosine of the sun's radius.
    disc: f64,
    zenith: Light,
    /// The horizon's light away from the sun and towards it.
    horizon: [Light; 2],
    /// The logarithm of the share of light that arrives from the farthest point.
    loss: f64,
}

/// Clear sky overhead at noon.
const ZENITH: Light = [0.105, 0.245, 0.53];
/// Clear sky at the horizon at noon.
const HORIZON: Light = [0.56, 0.69, 0.82];

/// Share of the sky's light that remains after sunset.
const DUSK: f32 = 0.10;

impl Air {
    /// Creates the sky for a sun. `haze` is the share of the light from the terrain's farthest point that the
    /// air hides, from 0 to 1; it is limited to 0.999.
    #[must_use]
    pub fn new(sun: &Sun, haze: f64) -> Self {
        let sunlight = sun.light();
        let day = DUSK + (1.0 - DUSK) * smooth(-6.0, 14.0, sun.altitude) as f32;
        // A low sun lights the air along the horizon with its remaining light, mostly on its own side.
        let low = 1.0 - smooth(2.0, 30.0, sun.altitude) as f32;
        let lit = |share: f32| mix(HORIZON, sunlight.map(|c| 0.85 * c), share * low).map(|c| c * day);
        Self {
            sun: sun.direction(),
            sunlight,
            disc: libm::cos((0.5 * sun.size).to_radians()),
            zenith: ZENITH.map(|c| c * day),
            horizon: [lit(0.1), lit(0.9)],
            loss: libm::log(1.0 - haze.clamp(0.0, 0.999)),
        }
    }

    /// The direction to the sun.
    pub const fn sun(&self) -> Vector {
        self.sun
    }

    /// The sun's light on a surface that faces it.
    pub const fn sunlight(&self) -> Light {
        self.sunlight
    }

    /// The sky's light on level ground from which the whole sky is visible.
    pub fn skylight(&self) -> Light {
        mix(self.zenith, self.horizon_at(0.5), 0.35).map(|c| 0.5 * c)
    }

    /// The light of the horizon. `share` is 0 away from the sun and 1 towards it.
    fn horizon_at(&self, share: f64) -> Light {
        mix(self.horizon[0], self.horizon[1], share as f32)
    }

    /// The light of the sky in a direction of length 1, without the sun's disc. Below the horizon, it is the
    /// light of the haze over the ground.
    pub fn glow(&self, direction: Vector) -> Light {
        let up = direction[2].clamp(0.0, 1.0);
        let deep = power_of_two(1.0 - up, 2);
        let towards = dot(direction, self.sun);
        let sky = mix(self.zenith, self.horizon_at(0.5 + 0.5 * towards), deep as f32);
        let towards = towards.max(0.0);
        let halo = 0.10 * power_of_two(towards, 3) + 0.22 * power_of_two(towards, 6);
        let sky: Light = std::array::from_fn(|c| sky[c] + halo as f32 * self.sunlight[c]);
        let below = smooth(0.0, 0.5, -direction[2]) as f32;
        sky.map(|c| c * (1.0 - 0.25 * below))
    }

    /// The light of the sky in a direction of length 1, with the sun's disc.
    pub fn sky(&self, direction: Vector) -> Light {
        let sky = self.glow(direction);
        let towards = dot(direction, self.sun);
        let edge = 1.0 - self.disc;
        let disc = if direction[2] > -0.01 { smooth(1.0 - 1.15 * edge, self.disc, towards) } else { 0.0 };
        std::array::from_fn(|c| sky[c] + 6.0 * disc as f32 * self.sunlight[c])
    }

    /// The share of light that arrives from `distance`, for a terrain between the distances `near` and `far`.
    pub fn clear(&self, distance: f64, (near, far): (f64, f64)) -> f32 {
        let share = (distance - near).max(0.0) / (far - near).max(1e-9);
        libm::exp(self.loss * share) as f32
    }

    /// Light after it has passed through the air along a direction.
    pub fn through(&self, light: Light, direction: Vector, clear: f32) -> Light {
        // Haze has the colour of the sky at the horizon in that direction.
        let level = [direction[0], direction[1], direction[2].max(0.0)];
        mix(self.glow(level), light, clear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From clear air to almost all, `haze` is the share of the farthest point's light that is hidden.
    #[test]
    fn haze_hides_its_share_of_the_farthest_light() {
        for (haze, hidden) in [(0.0, 0.0), (0.2, 0.2), (0.7, 0.7), (1.0, 0.999)] {
            let air = Air::new(&Sun::default(), haze);
            assert!((1.0 - air.clear(900.0, (100.0, 900.0)) - hidden as f32).abs() < 1e-6, "{haze}");
            assert_eq!(air.clear(100.0, (100.0, 900.0)), 1.0);
        }
    }
}
