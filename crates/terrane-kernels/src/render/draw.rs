//! The rays of a picture.

use terrane_grid::Grid;

use super::camera::{Placed, View};
use super::scene::Scene;
use super::surface::{Ray, Trace};
use super::vector::{Light, Vector, along, dot, mix, unit};
use crate::parallel::{slices, try_for_each};
use crate::shade::channel;
use crate::{Cancelled, Progress};

impl<T: Trace> Scene<T> {
    /// A picture of the terrain from a camera.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` says so.
    pub fn picture(
        &self,
        view: &View,
        camera: &Placed,
        progress: &dyn Progress,
    ) -> Result<Grid<[u8; 3]>, Cancelled> {
        let (columns, rows) = view.size;
        let rays = view.rays.max(1);
        let span = distances(self, camera.eye);
        let pixel = camera.pixel(view) / rays as f64;
        let mut picture = vec![[0u8; 3]; columns * rows];
        try_for_each(slices(&mut picture, columns.max(1)), 1, |row, picture| {
            for (column, sample) in picture.iter_mut().enumerate() {
                let mut sum = [0.0f32; 3];
                for ray in 0..rays * rays {
                    let within = |at: usize| (at as f64 + 0.5) / rays as f64;
                    let across = (column as f64 + within(ray % rays)) / columns as f64;
                    let down = (row as f64 + within(ray / rays)) / rows as f64;
                    let light = seen(self, &camera.ray(across, down), span, pixel);
                    let exposed = light.map(|c| developed(c * self.look.exposure as f32));
                    sum = std::array::from_fn(|c| sum[c] + exposed[c]);
                }
                let factor = (1.0 + dither(column, row)) / (rays * rays) as f32;
                *sample = sum.map(|c| channel(c * factor));
            }
            progress.report(row as f64 / rows as f64)
        })?;
        Ok(Grid::from_vec(columns, rows, picture))
    }
}

/// The nearest and the farthest distance of the terrain from a position.
fn distances<T: Trace>(scene: &Scene<T>, eye: Vector) -> (f64, f64) {
    let (low, high) = scene.extent;
    let near: Vector = std::array::from_fn(|axis| eye[axis].clamp(low[axis], high[axis]) - eye[axis]);
    let far: Vector =
        std::array::from_fn(|axis| (eye[axis] - low[axis]).abs().max((eye[axis] - high[axis]).abs()));
    (dot(near, near).sqrt(), dot(far, far).sqrt())
}

/// The light that comes along a ray of the camera. `pixel` is the angle between rays.
fn seen<T: Trace>(scene: &Scene<T>, ray: &Ray, span: (f64, f64), pixel: f64) -> Light {
    let sea = scene.sea.map_or(f64::INFINITY, |sea| level_at(ray, sea));
    let lake = scene.lakes.as_ref().and_then(|lakes| lakes.hit(ray, sea));
    // A lake's surface also reports a hit for a ray that enters the map below it. If the ray is below the
    // ground as well, it meets the wall of earth there.
    let lake = lake.filter(|t| {
        let [x, y, z] = along(ray.from, ray.direction, *t);
        z >= scene.ground.at(x, y)
    });
    let water = lake.unwrap_or(sea);
    let base = scene.extent.0[2];
    let is_shown = |t: &f64| ray.from[2] + ray.direction[2] * t >= base;
    if let Some(t) = scene.ground.hit(ray, water).filter(is_shown) {
        return hazed(scene, ground_seen(scene, ray, t), ray, t, span);
    }
    if water < f64::INFINITY {
        return hazed(scene, water_seen(scene, ray, water, pixel), ray, water, span);
    }
    scene.air.sky(ray.direction)
}

/// The distance along a ray at which it descends to a level, or infinity if it does not.
fn level_at(ray: &Ray, level: f64) -> f64 {
    let t = (level - ray.from[2]) / ray.direction[2];
    if ray.direction[2] < 0.0 && t > 0.0 { t } else { f64::INFINITY }
}

fn hazed<T: Trace>(scene: &Scene<T>, light: Light, ray: &Ray, distance: f64, span: (f64, f64)) -> Light {
    scene.air.through(light, ray.direction, scene.air.clear(distance, span))
}

/// The colour of the earth in the wall at the map's border.
const EARTH: Light = [0.28, 0.235, 0.195];

/// The light of the ground where a ray meets it.
fn ground_seen<T: Trace>(scene: &Scene<T>, ray: &Ray, t: f64) -> Light {
    let Some(wall) = wall_seen(scene, ray, t) else {
        let [x, y, _] = along(ray.from, ray.direction, t);
        return light_at(scene, x, y);
    };
    let facing = dot(wall, scene.air.sun()).max(0.0) as f32;
    let (sunlight, skylight) = (scene.air.sunlight(), scene.air.skylight());
    std::array::from_fn(|c| EARTH[c] * (sunlight[c] * facing + skylight[c]))
}

/// The outward normal of the vertical wall at the map's border, in which ground and lakes end, if a ray meets
/// it from outside and below the surface.
fn wall_seen<T: Trace>(scene: &Scene<T>, ray: &Ray, t: f64) -> Option<Vector> {
    let [x, y, z] = along(ray.from, ray.direction, t);
    let (low, high) = scene.extent;
    let edge = 1e-6 * (1.0 + high[0].max(high[1]));
    let walls = [
        (x - low[0], [-1.0, 0.0, 0.0]),
        (high[0] - x, [1.0, 0.0, 0.0]),
        (y - low[1], [0.0, -1.0, 0.0]),
        (high[1] - y, [0.0, 1.0, 0.0]),
    ];
    let outside = |normal: Vector| dot(ray.direction, normal) < 0.0;
    let (_, wall) = walls.into_iter().find(|(away, normal)| away.abs() < edge && outside(*normal))?;
    (scene.top(x, y) - z >= edge.max(1e-3 * t)).then_some(wall)
}

/// The ground's light at a position, or at the nearest position on the map.
fn light_at<T: Trace>(scene: &Scene<T>, x: f64, y: f64) -> Light {
    let (columns, rows) = scene.size;
    let x = x.clamp(0.0, (columns - 1) as f64);
    let y = y.clamp(0.0, (rows - 1) as f64);
    let (column, row) = ((x as usize).min(columns - 2), (y as usize).min(rows - 2));
    let (u, v) = ((x - column as f64) as f32, (y - row as f64) as f32);
    let first = row * columns + column;
    let (a, b) = (scene.light[first], scene.light[first + 1]);
    let (c, d) = (scene.light[first + columns], scene.light[first + columns + 1]);
    std::array::from_fn(|i| {
        let (north, south) = (a[i] + (b[i] - a[i]) * u, c[i] + (d[i] - c[i]) * u);
        north + (south - north) * v
    })
}

/// How much deeper the sea gets beyond the map, over a distance as long as the map's longer side, in units of
/// `clarity` (see `water.rs`).
const OPEN_SEA: f64 = 150.0;

/// The light of water where a ray meets it: the reflection, mixed with the light from below the surface.
fn water_seen<T: Trace>(scene: &Scene<T>, ray: &Ray, t: f64, pixel: f64) -> Light {
    let point = along(ray.from, ray.direction, t);
    let [x, y, z] = point;
    if scene.lakes.is_some() && wall_seen(scene, ray, t).is_some() {
        return scene.look.water.deep(&scene.air);
    }
    let steep = (-ray.direction[2]).max(0.02);
    let water = scene.look.water;
    let (width, [east, south, _]) = (pixel * t, ray.direction);
    let incline = scene.lakes.as_ref().map_or([0.0; 2], |lakes| incline(lakes, point));
    let normal = water.normal([x, y], incline, width, [east, south].map(|along| along * width / steep));
    let cosine = (-dot(ray.direction, normal)).clamp(0.0, 1.0);
    let high = scene.size;
    let beyond = (-x).max(x - (high.0 - 1) as f64).max(-y).max(y - (high.1 - 1) as f64).max(0.0);
    let (over, slope) = (z - scene.ground.at(x, y), OPEN_SEA / high.0.max(high.1) as f64);
    let depth = if beyond > 0.0 && over < 0.0 {
        // Beyond a border where the ground is above the sea, the depth is `OPEN_SEA` clarities everywhere.
        // Beyond other borders, the sea gains this depth only over a distance of the map's longer side.
        OPEN_SEA * scene.clarity
    } else {
        over.max(0.0) + slope * beyond * scene.clarity
    };
    let below = water.through(light_at(scene, x, y), depth / scene.clarity, cosine, &scene.air);
    let back = 2.0 * dot(ray.direction, normal);
    let mirrored = unit(along(ray.direction, normal, -back));
    let mirrored = unit([mirrored[0], mirrored[1], mirrored[2].abs().max(0.005)]);
    let away = Ray { from: along(point, [0.0, 0.0, 1.0], 1e-3), direction: mirrored };
    let seen = match scene.ground.hit(&away, f64::INFINITY) {
        Some(t) => ground_seen(scene, &away, t),
        None => {
            let sun = scene.air.sun();
            let glitter = water.glitter(normal, ray.direction, sun) * f32::from(u8::from(sun[2] > 0.0));
            let (sky, sunlight) = (scene.air.glow(mirrored), scene.air.sunlight());
            std::array::from_fn(|c| sky[c] + glitter * sunlight[c])
        }
    };
    // A thin film of water reflects little, so that shores are soft.
    let film = (depth / (0.02 * scene.clarity)).min(1.0) as f32;
    mix(below, seen, water.mirrored(cosine) * film)
}

/// The slope of a lake's surface to the east and to the south, at a position where a ray meets it. A river's
/// surface descends with the river.
fn incline<T: Trace>(lakes: &T, [x, y, z]: Vector) -> [f64; 2] {
    let is_lake = lakes.at(x, y) >= z - 1e-3;
    let slope = |from: (f64, f64), to: (f64, f64)| {
        let rise = lakes.at(to.0, to.1) - lakes.at(from.0, from.1);
        if is_lake && rise.is_finite() { rise } else { 0.0 }
    };
    [slope((x - 0.5, y), (x + 0.5, y)), slope((x, y - 0.5), (x, y + 0.5))]
}

/// The tone curve: linear up to a point, then bent so that light of any strength stays below 1.
fn developed(light: f32) -> f32 {
    const STRAIGHT: f32 = 0.55;
    const REST: f32 = 1.0 - STRAIGHT;
    if light <= STRAIGHT { light } else { 1.0 - REST * REST / (light - STRAIGHT + REST) }
}

/// Noise that hides the steps between the 256 values of a channel in even skies, as a share of the light. It
/// depends only on the position.
fn dither(column: usize, row: usize) -> f32 {
    let mut bits = (column as u64) << 32 ^ row as u64;
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits >> 40) as f32 / (1u64 << 24) as f32 - 0.5) * 0.012
}
