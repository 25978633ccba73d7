//! A lit terrain, ready to be rendered.

use terrane_grid::{Grid, Heightmap};

use super::air::Air;
use super::camera::{Camera, Placed, View};
use super::ground::{ground_light, in_samples};
use super::sun::Sun;
use super::surface::{Surface, Trace};
use super::vector::{Light, Vector};
use super::water::Water;
use crate::hydrology::surface;
use crate::{Cancelled, Progress};

/// The light, the air and the water of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The sun.
    pub sun: Sun,
    /// The share of the farthest point's light that the air hides, in [0, 1].
    pub haze: f64,
    /// Seas and lakes.
    pub water: Water,
    /// Factor on all light.
    pub exposure: f64,
    /// Factor on heights.
    pub exaggeration: f64,
}

impl Default for Look {
    fn default() -> Self {
        Self { sun: Sun::default(), haze: 0.1, water: Water::default(), exposure: 1.35, exaggeration: 1.0 }
    }
}

/// A lit terrain. Construction does all work that does not depend on the camera, so that many pictures can
/// share it.
#[derive(Debug)]
pub struct Scene<T = Surface> {
    pub(super) ground: T,
    /// The surface of lakes, at negative infinity where there is no lake.
    pub(super) lakes: Option<T>,
    pub(super) light: Vec<Light>,
    pub(super) size: (usize, usize),
    /// Distance between samples in world units.
    spacing: f64,
    /// World position of the first sample.
    origin: (f64, f64),
    /// Opposite corners of the bounding box of ground and water, in samples.
    pub(super) extent: (Vector, Vector),
    /// Opposite corners of the box that a camera around the terrain shows.
    shown: (Vector, Vector),
    pub(super) sea: Option<f64>,
    /// Depth of water at which about a seventh of the ground's light comes through, in samples.
    pub(super) clarity: f64,
    pub(super) air: Air,
    pub(super) look: Look,
}

/// The zoom of a view that shows all ground and its base, with margins.
const WITH_MARGINS: f64 = 0.97;

/// Thickness of the base below the lowest ground, as a share of the map's longer side.
const BASE: f64 = 0.015;

impl Scene {
    /// Creates a scene from a terrain, a colour for each sample, and the level of water.
    /// It is dry where the level is not a number, or not above the ground.
    ///
    /// Samples that are not finite get the height of the lowest finite sample.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    ///
    /// # Panics
    /// If the map has fewer than 2 × 2 samples, or if the colours or the water differ from it in size.
    pub fn new(
        map: &Heightmap,
        colors: &Grid<[u8; 3]>,
        level: Option<&Heightmap>,
        look: &Look,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let size = map.domain().size;
        assert!(size.0 > 1 && size.1 > 1, "a terrain of a single row");
        assert_eq!(size, colors.size());
        assert!(level.is_none_or(|level| level.domain().size == size), "water of another size");
        let scale = look.exaggeration / map.spacing();
        let ground = in_samples(map, scale);
        let sea = look.water.sea_level.map(|level| level * scale);
        let water = level.and_then(|level| {
            let levels = level.samples().iter().map(|level| (f64::from(*level) * scale) as f32);
            surface(&ground, size, &levels.collect::<Vec<_>>())
        });
        let highest = water.iter().flatten().chain(&ground).copied().fold(f32::NEG_INFINITY, f32::max);
        let lowest = ground.iter().copied().fold(f32::INFINITY, f32::min);
        let base = f64::from(lowest) - BASE * size.0.max(size.1) as f64;
        let ground = Surface::new(ground, size);
        let air = Air::new(&look.sun, look.haze);
        let light = ground_light(&ground, colors, &look.sun, &air, progress)?;
        Ok(Self {
            light,
            size,
            spacing: map.spacing(),
            origin: map.domain().origin,
            extent: (
                [0.0, 0.0, sea.map_or(base, |sea| sea.min(f64::from(highest)))],
                [(size.0 - 1) as f64, (size.1 - 1) as f64, f64::from(highest)],
            ),
            shown: shown(&ground.samples, size, sea),
            sea,
            clarity: (look.water.clarity * scale).max(1e-9),
            air,
            look: *look,
            lakes: water.map(|water| Surface::new(water, size)),
            ground,
        })
    }
}

impl<T: Trace> Scene<T> {
    /// The camera of a view over this terrain, which is never below ground or water.
    #[must_use]
    pub fn camera(&self, view: &View) -> Placed {
        let (azimuth, altitude, zoom, target) = match view.camera {
            Camera::At { eye: (x, y, height), target } => {
                // On the water itself, no ray would meet the water.
                let [x, y, z] = self.above((x, y, height));
                return Placed::new(view, [x, y, z.max(self.top(x, y) + 1e-3)], self.above(target));
            }
            Camera::Around { azimuth, altitude, zoom, target } => (azimuth, altitude, zoom, target),
        };
        let direction = Sun { azimuth, altitude, size: 0.0 }.direction();
        let (mut low, high) = self.shown;
        if zoom.is_none() {
            low[2] = self.extent.0[2];
        }
        let target = match (target, zoom) {
            (Some(target), _) => self.above(target),
            (None, None) => Placed::middle(view, direction, (low, high)),
            (None, Some(_)) => std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis])),
        };
        let placed = Placed::around(view, direction, zoom.unwrap_or(WITH_MARGINS), target, (low, high));
        let [x, y, z] = placed.eye;
        let ([left, top, _], [right, bottom, _]) = self.extent;
        let over_map = (left..=right).contains(&x) && (top..=bottom).contains(&y);
        let lowest = if over_map { self.top(x, y) } else { self.sea.unwrap_or(f64::NEG_INFINITY) };
        if z > lowest + 0.5 { placed } else { Placed::new(view, [x, y, lowest + 0.5], target) }
    }

    /// A length of the world in samples.
    pub(super) fn samples_of(&self, length: f64) -> f64 {
        length * self.look.exaggeration / self.spacing
    }

    /// A position of the world in samples.
    pub(super) fn sample_at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.origin.0) / self.spacing, (y - self.origin.1) / self.spacing)
    }

    /// The height of ground or water, whichever is higher.
    pub(super) fn top(&self, x: f64, y: f64) -> f64 {
        let lake = self.lakes.as_ref().map(|lakes| lakes.at(x, y)).filter(|level| level.is_finite());
        let water = lake.into_iter().chain(self.sea).fold(f64::NEG_INFINITY, f64::max);
        self.ground.at(x, y).max(water)
    }

    /// World x and y, and a height above the ground or water there, in samples.
    pub(super) fn above(&self, (x, y, height): (f64, f64, f64)) -> Vector {
        let (x, y) = self.sample_at((x, y));
        [x, y, self.top(x, y) + self.samples_of(height)]
    }
}

/// The bounding box of the ground above the sea, or of all ground if everything is below it.
fn shown(ground: &[f32], (columns, rows): (usize, usize), sea: Option<f64>) -> (Vector, Vector) {
    let dry = |height: f32| sea.is_none_or(|sea| f64::from(height) >= sea);
    let any = ground.iter().any(|height| dry(*height));
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for row in 0..rows {
        for column in 0..columns {
            let height = ground[row * columns + column];
            if any && !dry(height) {
                continue;
            }
            let point = [column as f64, row as f64, f64::from(height)];
            for axis in 0..3 {
                (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
            }
        }
    }
    (low, high)
}
#[cfg(test)]
impl Scene {
    /// The same scene, with surfaces that trace rays in another way.
    pub(super) fn traced_by<T: Trace>(self, by: fn(Surface) -> T) -> Scene<T> {
        Scene {
            ground: by(self.ground),
            lakes: self.lakes.map(by),
            light: self.light,
            size: self.size,
            spacing: self.spacing,
            origin: self.origin,
            extent: self.extent,
            shown: self.shown,
            sea: self.sea,
            clarity: self.clarity,
            air: self.air,
            look: self.look,
        }
    }
}
