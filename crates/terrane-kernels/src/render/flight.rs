//! A camera that moves along a line.

use terrane_grid::Polyline;

use super::camera::{Placed, View};
use super::scene::Scene;
use super::surface::Trace;
use super::vector::Vector;

/// Number of positions along the line at which the ground's height is sampled.
const POINTS: usize = 512;

/// How far ahead the camera looks, as a share of the line. The flight ends at this distance from the line's
/// end, because a river's end is often the map's border, beyond which there is only sky.
const AHEAD: f64 = 0.12;
/// Distance in both directions over which the camera's height is averaged, as a share of the line.
const EVENED: f64 = 0.05;

/// Points at equal steps along a line, each with the camera's height there.
struct Course(Vec<Vector>);

impl Course {
    fn new<T: Trace>(scene: &Scene<T>, line: &Polyline, lift: f64) -> Self {
        let steps: Vec<(f64, f64)> = (0..=POINTS)
            .map(|k| at_share(line, k as f64 / POINTS as f64))
            .map(|point| scene.sample_at(point))
            .collect();
        let ground: Vec<f64> = steps.iter().map(|(x, y)| scene.top(*x, *y)).collect();
        let reach = (EVENED * POINTS as f64) as usize;
        let height = |k: usize| {
            let near = &ground[k.saturating_sub(reach)..(k + reach + 1).min(ground.len())];
            let even = near.iter().sum::<f64>() / near.len() as f64;
            (even + lift).max(ground[k] + 0.35 * lift)
        };
        Self(steps.iter().enumerate().map(|(k, (x, y))| [*x, *y, height(k)]).collect())
    }

    /// The position at a share of the line.
    fn at(&self, share: f64) -> Vector {
        let along = share * POINTS as f64;
        let first = (along.max(0.0) as usize).min(POINTS - 1);
        let (a, b) = (self.0[first], self.0[first + 1]);
        super::vector::along(a, [b[0] - a[0], b[1] - a[1], b[2] - a[2]], along - first as f64)
    }
}

impl<T: Trace> Scene<T> {
    /// `count` cameras along a line of the world, `lift` world units above the smoothed ground and water.
    /// They look ahead along the line, or at a target: world x and y, and the height above the ground or the
    /// water there. On a closed line they go all the way around.
    #[must_use]
    pub fn flight(
        &self,
        view: &View,
        line: &Polyline,
        lift: f64,
        target: Option<(f64, f64, f64)>,
        count: usize,
    ) -> Vec<Placed> {
        let course = Course::new(self, line, self.samples_of(lift));
        let target = target.map(|target| self.above(target));
        (0..count)
            .map(|k| {
                let (share, seen) = if line.closed {
                    let share = k as f64 / count as f64;
                    (share, (share + AHEAD) % 1.0)
                } else {
                    let share = (1.0 - AHEAD) * k as f64 / count.saturating_sub(1).max(1) as f64;
                    (share, share + AHEAD)
                };
                let eye = course.at(share);
                let ahead = || {
                    let [x, y, z] = course.at(seen);
                    [x, y, z - 0.6 * self.samples_of(lift)]
                };
                Placed::new(view, eye, target.unwrap_or_else(ahead))
            })
            .collect()
    }
}

/// The point of a line after a share of its length.
fn at_share(line: &Polyline, share: f64) -> (f64, f64) {
    let mut left = share * line.length();
    let mut last = line.points.first().copied().unwrap_or_default();
    for ((ax, ay), (bx, by)) in line.segments() {
        let length = ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt();
        if left <= length && length > 0.0 {
            let t = left / length;
            return (ax + (bx - ax) * t, ay + (by - ay) * t);
        }
        left -= length;
        last = (bx, by);
    }
    last
}
