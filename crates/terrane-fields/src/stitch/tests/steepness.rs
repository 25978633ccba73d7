//! How steep stitched ground is relative to what stitching requires.

use std::sync::LazyLock;

use terrane_grid::{Grid, Heightmap};

use super::worlds::World;
use crate::stitch::line::Line;
use crate::stitch::seam::{Seam, borders};
use crate::stitch::{Method, NONE, Stitch};

/// How steep ground is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steep {
    /// The maximum step between neighbours relative to the larger of two bounds: the fields' own maximum
    /// step, and the step that the largest difference between fields in reach requires over the minimum
    /// distance there.
    pub beside: f64,
    /// The maximum relative to the sum of both bounds.
    pub together: f64,
    /// The maximum step.
    pub step: f64,
    /// The fields' own maximum step.
    pub own: f64,
}

/// Maximum slope of other fields' weights in front of parallel borders with any number of fields between,
/// for a distance of 1.
///
/// A sample's height is its own ground plus the rise of other fields' borders above its own borders, with
/// weights W that depend only on the position. So its slope is the weighted slope of the grounds plus the
/// differences times the slope of W. If both point the same way they add, whatever the weights.
///
/// With all n other fields' borders at the fraction x of the distance, the smooth stitch has W = (1 − a) P +
/// a n p / (2 − p + n p). Here P = 1/2 − 3/4 x + 1/4 x³ is the part of the disc, and p = 1 / (1 + 2 x² (1 −
/// x²)^(−3/2)) is the presence. a = p (1 − (1 − p²)^(n (n − 1) / 2)) is how equally fields weigh, as far as
/// two others are near. With one other field W's slope is at most 3/4; with several up to 1.73. Where a
/// border ends at the outside, at an angle φ, presence is that of the part of the border that exists, and the
/// slope is 3/2 sin(φ / 2). The linear stitch falls by n / (n + 1) with all that are near, and by 1/2 with
/// the nearest border alone.
fn falloff(method: Method) -> f64 {
    static SMOOTH: LazyLock<f64> = LazyLock::new(smooth_falloff);
    match method {
        Method::Linear => 1.0 + 0.5,
        Method::Smooth => *SMOOTH,
    }
}

fn smooth_falloff() -> f64 {
    let weight = |others: f64, x: f64| {
        let part = 0.5 - 0.75 * x + 0.25 * x * x * x;
        let here = 1.0 / (1.0 + 2.0 * x * x * libm::pow(1.0 - x * x, -1.5));
        let alike = here * (1.0 - libm::pow(1.0 - here * here, 0.5 * others * (others - 1.0)));
        (1.0 - alike) * part + alike * others * here / (2.0 - here + others * here)
    };
    let steps = 1000;
    let slope = |others: f64, step: i32| {
        let [a, b] = [step, step + 1].map(|step| weight(others, f64::from(step) / f64::from(steps)));
        (a - b) * f64::from(steps)
    };
    let all = (1..100).flat_map(|others| (0..steps - 1).map(move |step| slope(f64::from(others), step)));
    all.fold(0.0, f64::max)
}

/// How much steeper a mean of several grounds can be than the steepest of them. In front of parallel borders
/// a sample has the slope of its own ground, g n, across them, and the weighted slopes of all grounds along
/// them. If other fields weigh W and no ground is steeper than G, that is at most √(2 / (2 − W)) G.
const MEAN: f64 = std::f64::consts::SQRT_2;

/// Each field's maximum slope, as a step between samples.
fn slopes(world: &World, ids: &Grid<u32>, before: &Heightmap) -> Vec<f64> {
    let (width, height) = world.domain.size;
    let mut slopes = vec![0.0f64; world.terrains.len()];
    for at in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).filter(|at| ids[*at] != NONE) {
        let step = |to: (usize, usize)| {
            let inside = to.0 < width && to.1 < height && ids[to] == ids[at];
            if inside { f64::from(before[to] - before[at]) } else { 0.0 }
        };
        let slope = &mut slopes[ids[at] as usize];
        *slope = slope.max(libm::hypot(step((at.0 + 1, at.1)), step((at.0, at.1 + 1))));
    }
    slopes
}

/// How steep a stitched map is.
pub fn steep(world: &World, parameters: &Stitch<'_>, map: &Heightmap) -> Steep {
    let ids = world.ids();
    let (seams, shores) = borders(&world.graph, &world.outlines, parameters);
    let (width, height) = world.domain.size;
    let before = world.before();
    let pairs = |of: &mut dyn FnMut((usize, usize), (usize, usize))| {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            for other in [(x + 1, y), (x, y + 1)] {
                if other.0 < width && other.1 < height && ids[(x, y)] != NONE && ids[other] != NONE {
                    of((x, y), other);
                }
            }
        }
    };
    let mut own = 0.0f32;
    pairs(&mut |a, b| {
        if ids[a] == ids[b] {
            own = own.max((before[a] - before[b]).abs());
        }
    });
    let slopes = slopes(world, &ids, &before);
    // Across the outside, however thin, nothing is stitched.
    let position = |at: (usize, usize)| (world.domain.x(at.0), world.domain.y(at.1));
    let joined = |a, b| shores.iter().all(|shore| !crosses(&shore.line, position(a), position(b)));
    let falloff = falloff(parameters.method);
    let mut found = Steep { own: f64::from(own), ..Steep::default() };
    pairs(&mut |a, b| {
        let here = f64::from((map[a] - map[b]).abs());
        let is_no_steeper = here <= found.step && here <= found.beside * f64::from(own);
        let least = slopes[ids[a] as usize].max(slopes[ids[b] as usize]);
        if is_no_steeper && here <= found.together * MEAN * least || !joined(a, b) {
            return;
        }
        found.step = found.step.max(here);
        let (needed, steepest) = needed(world, &seams, &slopes, a);
        let needed = world.domain.spacing * needed;
        found.beside = found.beside.max(here / f64::from(own).max(needed));
        found.together = found.together.max(here / (MEAN * least.max(steepest) + falloff * needed));
    });
    found
}

/// Whether the straight line between two points meets another.
fn crosses(line: &Line, a: (f64, f64), b: (f64, f64)) -> bool {
    let [c, d] = line.ends;
    let left =
        |a: (f64, f64), b: (f64, f64), p: (f64, f64)| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
    let apart = |a: f64, b: f64| a > 0.0 && b > 0.0 || a < 0.0 && b < 0.0;
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let near = line.see(0, a).square < x * x + y * y + 1e-9;
    near && !apart(left(c, d, a), left(c, d, b)) && !apart(left(a, b, c), left(a, b, d))
}

/// The slope that the difference of the fields around a sample requires, and the maximum slope of those
/// that reach it.
fn needed(world: &World, seams: &[Seam], slopes: &[f64], at: (usize, usize)) -> (f64, f64) {
    let p = (world.domain.x(at.0), world.domain.y(at.1));
    let (mut low, mut high, mut least, mut steepest) = (f64::MAX, f64::MIN, f64::MAX, 0.0f64);
    for seam in seams {
        let near = seam.line.see(0, p).square.sqrt();
        // A border that reaches here brings in the fields that reach it.
        let most = seam.sides[0].distance.max(seam.sides[1].distance);
        if near < 2.0 * most + world.domain.spacing {
            for side in &seam.sides {
                let height = f64::from(world.terrains[side.field as usize][at]);
                (low, high) = (low.min(height), high.max(height));
                if near < most + world.domain.spacing {
                    steepest = steepest.max(slopes[side.field as usize]);
                }
                if near < side.distance + world.domain.spacing {
                    least = least.min(side.distance);
                }
            }
        }
    }
    (if least < f64::MAX { (high - low) / least } else { 0.0 }, steepest)
}
