//! Seas and lakes: reflection and transmission of light.

use std::f64::consts::TAU;
use std::sync::LazyLock;

use super::air::Air;
use super::vector::{Light, Vector, dot, power_of_two, smooth, unit};

/// The appearance of water.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Water {
    /// The sea's level in world units, over the map and beyond it.
    pub sea_level: Option<f64>,
    /// Depth, in world units, at which about a seventh of the ground's light comes through.
    pub clarity: f64,
    /// Steepness of ripples, 0 for a mirror.
    pub waves: f64,
}

impl Default for Water {
    /// No sea; lakes are clear to a depth of 10.
    fn default() -> Self {
        Self { sea_level: None, clarity: 10.0, waves: 1.0 }
    }
}

/// How quickly water absorbs each colour: after a path of one `clarity`, a share of exp(-ABSORBED) is left.
/// These shares are 0.02, 0.16 and 0.24, so red fades first.
const ABSORBED: [f64; 3] = [3.912, 1.8326, 1.4271];

/// The colour of deep water in white light.
const DEEP: Light = [0.004, 0.030, 0.052];

/// A train of waves: its direction, and its wavelength in samples.
struct Ripple {
    east: f64,
    south: f64,
    wavelength: f64,
}

impl Ripple {
    /// A ripple from its direction in full turns, and its wavelength.
    fn new((turn, wavelength): (f64, f64)) -> Self {
        Self { east: libm::cos(turn * TAU), south: libm::sin(turn * TAU), wavelength }
    }

    /// The position along the ripple's direction, in wavelengths.
    fn along(&self, x: f64, y: f64) -> f64 {
        (x * self.east + y * self.south) / self.wavelength
    }
}

/// Ripples, from the longest to the shortest.
static RIPPLES: LazyLock<[Ripple; 8]> = LazyLock::new(|| {
    let all = [
        (0.05, 8.9),
        (0.12, 6.1),
        (0.97, 4.3),
        (0.15, 2.9),
        (0.91, 1.9),
        (0.07, 1.1),
        (0.19, 0.6),
        (0.94, 0.3),
    ];
    all.map(Ripple::new)
});

/// Long waves that bend and modulate the ripples. Without them, ripples look woven.
static BENDS: LazyLock<[Ripple; 2]> = LazyLock::new(|| [(0.27, 53.0), (0.83, 23.0)].map(Ripple::new));

/// The largest displacement of ripples by a long wave, as a share of the long wave's wavelength.
const BENT: f64 = 0.06;

/// A ripple is not seen if a sample of the picture is at least this wide, in wavelengths.
const FADED: f64 = 0.6;

/// Steepness of each ripple where it is strongest, if `waves` is 1.
const STEEPNESS: f64 = 0.026;

/// A wave like cos(2πx): its period is 1, and its value is 1 at x = 0 and -1 at x = 0.5. It differs from the
/// cosine by at most 0.0201; ripples do not need more, and a cosine is slow.
fn wave(x: f64) -> f64 {
    // A number too large for an `i64` is a whole number. `within` is then clamped to 1 or -1, where the wave
    // has the same value as at 0.
    let within = (x - x as i64 as f64).clamp(-1.0, 1.0);
    let from_trough = (2.0 * within.abs() - 1.0).abs();
    2.0 * from_trough * from_trough * (3.0 - 2.0 * from_trough) - 1.0
}

/// The length of the path through water, in clarities, beyond which no ground shows: the light of deeper
/// ground changes an 8-bit channel by less than a hundredth of a step.
const OPAQUE: f64 = 8.0;

impl Water {
    /// The normal of the rippled surface at a position, for a surface with this slope, without the ripples
    /// that are too short for the picture. One sample of the picture covers a patch of water that is `width`
    /// wide and extends by the vector `depth` along the view. Lengths are in samples of the map.
    pub fn normal(&self, [x, y]: [f64; 2], slope: [f64; 2], width: f64, depth: [f64; 2]) -> Vector {
        let [mut east, mut south] = slope;
        let shortest = width / FADED;
        if self.waves > 0.0 && shortest < RIPPLES[0].wavelength {
            let bends = BENDS.each_ref().map(|bend| wave(bend.along(x, y)));
            let by = |k: usize| BENT * BENDS[k].wavelength * bends[k];
            let (x, y) = (x + by(0), y + by(1));
            for (at, ripple) in
                RIPPLES.iter().enumerate().take_while(|(_, ripple)| ripple.wavelength > shortest)
            {
                let footprint = width.max((depth[0] * ripple.east + depth[1] * ripple.south).abs());
                let seen = 1.0 - smooth(0.15, FADED, footprint / ripple.wavelength);
                if seen > 0.0 {
                    let strength = 0.6 + 0.4 * bends[at % 2];
                    let slope = STEEPNESS * self.waves * seen * strength * wave(ripple.along(x, y));
                    (east, south) = (east + slope * ripple.east, south + slope * ripple.south);
                }
            }
        }
        unit([-east, -south, 1.0])
    }

    /// The share of light that the surface reflects at the angle with this cosine (Schlick 1994).
    pub fn mirrored(&self, cosine: f64) -> f32 {
        let off = 1.0 - cosine.clamp(0.0, 1.0);
        (0.02 + 0.98 * power_of_two(off, 2) * off) as f32
    }

    /// The ground's light after it has passed through water of this depth in clarities, seen at the angle
    /// with this cosine.
    pub fn through(&self, ground: Light, depth: f64, cosine: f64, air: &Air) -> Light {
        // The mean of the way straight down and the way back up at the refracted angle.
        let inside = (1.0 - (1.0 - cosine * cosine) / (1.33 * 1.33)).max(0.2).sqrt();
        let path = depth * (0.5 + 0.5 / inside);
        let deep = self.deep(air);
        std::array::from_fn(|c| {
            let left = if path < OPAQUE { libm::expf((-ABSORBED[c] * path) as f32) } else { 0.0 };
            deep[c] + (ground[c] - deep[c]) * left
        })
    }

    /// The light that comes out of deep water.
    pub fn deep(&self, air: &Air) -> Light {
        let (sun, sky) = (air.sunlight(), air.skylight());
        std::array::from_fn(|c| DEEP[c] * (sun[c] + 2.0 * sky[c]))
    }

    /// The sun's glitter on water that is seen along the direction `seen`.
    pub fn glitter(&self, normal: Vector, seen: Vector, sun: Vector) -> f32 {
        let half = unit([sun[0] - seen[0], sun[1] - seen[1], sun[2] - seen[2]]);
        let facing = dot(normal, half).max(0.0);
        (2.5 * power_of_two(facing, 9)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_nearly_a_cosine() {
        let off = |at: i32| {
            let x = f64::from(at) / 1000.0;
            (wave(x) - libm::cos(x * TAU)).abs()
        };
        let largest = (-3000..3000).map(off).fold(0.0, f64::max);
        assert!((0.020..0.0201).contains(&largest), "{largest}");
        assert!([-2.0, 0.0, 7.0, 1e30, -1e300].iter().all(|x| wave(*x) == 1.0));
        assert!([-1.5, 0.5, 3.5].iter().all(|x| wave(*x) == -1.0));
    }

    /// At a depth of one clarity, seen from above, the mean over the three colours is about a seventh.
    #[test]
    fn a_seventh_of_the_light_comes_through_a_depth_of_one_clarity() {
        let air = Air::new(&super::super::sun::Sun::default(), 0.0);
        let water = Water::default();
        let [bright, dark] = [1.0, 0.0].map(|light| water.through([light; 3], 1.0, 1.0, &air));
        let left: Vec<f32> = bright.iter().zip(dark).map(|(bright, dark)| bright - dark).collect();
        let expected = [0.02, 0.16, 0.24];
        assert!(left.iter().zip(expected).all(|(left, share)| (left - share).abs() < 0.001), "{left:?}");
        assert!((left.iter().sum::<f32>() / 3.0 - 1.0 / 7.0).abs() < 0.005, "{left:?}");
    }
}
