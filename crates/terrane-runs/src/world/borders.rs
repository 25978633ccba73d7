//! The heights on the borders between patches.
//!
//! These are the values of one height function over the whole world. With these heights on the borders, the
//! bounds of all patches can be met. The function equals the ground wherever the bounds permit. Elsewhere it
//! differs from the ground to keep within the permitted rise between samples ([`extended`]).
//!
//! The function is first found around each corner at which four patches meet. Inside a patch, the results of
//! its four corners are blended. The two patches of a border use the same corners, so they find the same
//! heights, whichever is computed first. These heights are fixed on borders. The ground approaches them
//! smoothly, so that the terrain has no visible crease at a border.

use std::sync::Arc;

use terrane_flow::{Engine, Evaluation, Outcome, Value, Wanted};
use terrane_nodes::values::{Bounds, Map};
use terrane_paths::path::{Frame, Place, StepLimits, extended, smooth, widened};

use super::patch_error::PatchError;
use super::paths::Paths;
use super::recent::Recent;

/// The memory in bytes of each of the two caches: patch constraints, and heights around corners.
const CACHE_BYTES: usize = 512 << 20;

/// Ground that moved by less than this counts as unmoved.
const UNMOVED: f64 = 1e-6;

/// The width, in samples, of the rim around moved ground that is smoothed with it. This rounds the edge of
/// the moved ground.
const SMOOTHED_RIM: usize = 1;

/// The maximum distance, in samples, up to which ground beyond the four patches of a corner is read. For
/// smaller patches, the distance is the size of a patch.
const MAX_MARGIN: i64 = 256;

/// The constraints of a patch that its neighbours need.
struct PatchConstraints {
    ground: Arc<Map>,
    limits: StepLimits,
    /// The samples whose heights are fixed by pins, with these heights.
    pinned: Vec<(usize, f64)>,
}

/// The heights of the four patches around a corner, each row by row. The order of the patches is upper left,
/// upper right, lower left, lower right.
struct CornerHeights {
    patches: [Vec<f32>; 4],
}

/// The constraints and heights found so far.
pub struct Borders {
    parts: Recent<PatchConstraints>,
    corners: Recent<CornerHeights>,
}

impl Borders {
    /// Caches for patches with this many samples.
    pub fn new(samples: usize) -> Self {
        // A corner needs the 4 x 4 patches around it. Adjacent corners share three columns or rows of these
        // patches.
        let kept = |bytes: usize| (CACHE_BYTES / (bytes * samples.max(1))).max(32);
        Self { parts: Recent::new(kept(12)), corners: Recent::new(kept(16)) }
    }

    /// The heights of a patch, row by row, rounded to the precision of maps.
    pub fn heights(
        &self,
        paths: &Paths,
        engine: &Engine,
        (i, j): (i64, i64),
    ) -> Result<Vec<f64>, PatchError> {
        let corner = |at| self.corners.get(at, || self.corner(paths, engine, at));
        let corners = [corner((i, j))?, corner((i + 1, j))?, corner((i, j + 1))?, corner((i + 1, j + 1))?];
        // A patch lies to the lower right of its first corner, so it is the last of that corner's four
        // patches.
        let found: [&[f32]; 4] = std::array::from_fn(|at| &corners[at].patches[3 - at][..]);
        let (width, height) = paths.template.tiling.size;
        let parts = |size: usize| (0..size).map(|at| eased(at, size - 1)).collect::<Vec<f64>>();
        let (across, down) = (parts(width), parts(height));
        let blended = |at: usize| {
            let [a, b, c, d] = found.map(|heights| f64::from(heights[at]));
            let (x, y) = (across[at % width], down[at / width]);
            f64::from(between(between(a, b, x), between(c, d, x), y) as f32)
        };
        Ok((0..width * height).map(blended).collect())
    }

    /// The heights around the corner at which patch (i, j) begins.
    fn corner(&self, paths: &Paths, engine: &Engine, (i, j): Place) -> Result<CornerHeights, PatchError> {
        let tiling = paths.template.tiling;
        let (columns, rows) = (tiling.size.0 as i64 - 1, tiling.size.1 as i64 - 1);
        let (x, y) = tiling.first_of((i, j));
        let (wide, tall) = (columns + columns.min(MAX_MARGIN), rows + rows.min(MAX_MARGIN));
        let frame = Frame { low: (x - wide, y - tall), high: (x + wide, y + tall) };
        let size = ((2 * wide + 1) as usize, (2 * tall + 1) as usize);
        let index = |(x, y): Place| (y - frame.low.1) as usize * size.0 + (x - frame.low.0) as usize;
        let mut wanted = vec![0.0; size.0 * size.1];
        let mut limits = StepLimits::free(size);
        let mut pins = Vec::new();
        for patch in (j - 2..j + 2).flat_map(|j| (i - 2..i + 2).map(move |i| (i, j))) {
            let part = self.parts.get(patch, || constraints(paths, engine, patch))?;
            let first = tiling.first_of(patch);
            limits.put(&part.limits, (first.0 - frame.low.0, first.1 - frame.low.1));
            let width = tiling.size.0;
            let place = |at: usize| (first.0 + (at % width) as i64, first.1 + (at / width) as i64);
            for (at, &height) in part.ground.samples().iter().enumerate() {
                if frame.contains(place(at)) {
                    wanted[index(place(at))] = f64::from(height);
                }
            }
            let inside = part.pinned.iter().filter(|(at, _)| frame.contains(place(*at)));
            pins.extend(inside.map(|&(at, height)| (index(place(at)), height)));
        }
        // Pins are fixed. Where an anchor but no pin moved the ground, the ground may be smoothed.
        let anchors = paths.heights_in(engine, frame)?;
        let anchors: Vec<(usize, f64)> =
            anchors.into_iter().map(|(place, height)| (index(place), height)).collect();
        let mut found =
            extended(&wanted, &pins, &anchors, &limits, &terrane_kernels::Silent).map_err(|_| {
                PatchError {
                    message: "no heights were found for the borders".to_owned(),
                    help: "this is a defect in Terrane: please report it with the world".to_owned(),
                }
            })?;
        let moved = found.iter().zip(&wanted).map(|(now, before)| (now - before).abs() >= UNMOVED).collect();
        let mut held: Vec<bool> = widened(moved, size, SMOOTHED_RIM).iter().map(|near| !near).collect();
        pins.iter().for_each(|&(at, _)| held[at] = true);
        smooth(&mut found, &held, &limits);
        let around = |(dx, dy): Place| -> Vec<f32> {
            let rows = (0..=rows).map(|row| index((x + dx * columns, y + dy * rows + row)));
            rows.flat_map(|first| found[first..=first + columns as usize].iter().map(|&h| h as f32)).collect()
        };
        Ok(CornerHeights { patches: [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(around) })
    }
}

/// A smooth step from 0 at the first index to 1 at the last, with zero slope at both ends.
fn eased(at: usize, last: usize) -> f64 {
    let part = at as f64 / last as f64;
    part * part * (3.0 - 2.0 * part)
}

/// Interpolates linearly between two heights. The result is exact at both ends.
fn between(from: f64, to: f64, part: f64) -> f64 {
    if part == 1.0 { to } else { from + (to - from) * part }
}

/// The constraints of a patch, before any ground is reshaped.
fn constraints(paths: &Paths, engine: &Engine, patch: (i64, i64)) -> Result<PatchConstraints, PatchError> {
    let loaded = paths.with_paths(patch, Vec::new())?;
    let wanted: [Wanted; 2] =
        [paths.template.rules.bounds.clone().into(), paths.template.rules.ground.clone().into()];
    let failed = |message: String| PatchError {
        message: format!("the paths of patch {},{}: {message}", patch.0, patch.1),
        help: "heights on borders depend on the surrounding patches: fix this one first".to_owned(),
    };
    let job = engine.start(&Arc::new(loaded), wanted).map_err(|problems| failed(problems.render(false)))?;
    let evaluation = job.wait();
    let value = |index: usize| evaluation.outputs.get(index).and_then(|output| output.value.clone());
    let bounds = value(0).and_then(Value::downcast::<Bounds>);
    let (Some(bounds), Some(ground)) = (bounds, value(1).and_then(Value::downcast::<Map>)) else {
        return Err(failed(reason(&evaluation)));
    };
    let pinned = bounds.pins.iter().map(|&at| (at as usize, f64::from(bounds.given[at as usize]))).collect();
    let limits = StepLimits::of(&bounds, &ground, paths.template.rules.bank_slope);
    Ok(PatchConstraints { ground, limits, pinned })
}

/// The reason for which an evaluation failed.
fn reason(evaluation: &Evaluation) -> String {
    let failed = evaluation.nodes.iter().find_map(|node| match &node.outcome {
        Outcome::Failed(error) => Some(format!("node `{}`: {error}", node.node)),
        _ => None,
    });
    failed.unwrap_or_else(|| "the evaluation gave no result".to_owned())
}
