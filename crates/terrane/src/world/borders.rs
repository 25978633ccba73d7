//! Heights on the borders of patches.
//!
//! They are those of one function of the world, which the bounds of all patches can be met with: the ground's where it may stay, brought within what steps
//! between samples may rise ([`extended`]). It is found around each corner of patches, over the patches there, and from one corner to the next it is
//! blended: both patches of a border ask the same corners, so they find the same heights, whichever is made first.

use std::sync::Arc;

use terrane_flow::{Engine, Evaluation, Outcome, Value, Wanted};
use terrane_kernels::path::{Frame, Place, StepLimits, extended};
use terrane_nodes::values::{Bounds, Map};

use super::recent::Recent;
use super::{LoadedWorld, PatchError};

/// How many bytes of patches are kept for their neighbours.
const KEPT_BYTES: usize = 512 << 20;

/// How many corners are kept.
const KEPT_CORNERS: usize = 4096;

/// How far beyond the four patches of a corner the ground is looked at, in samples; no farther than one patch.
const FARTHEST: i64 = 256;

/// What neighbours must know of a patch.
struct Part {
    ground: Arc<Map>,
    limits: StepLimits,
    /// Samples inside whose height is given.
    pinned: Vec<(usize, f64)>,
}

/// Heights from a corner on to the next corners, both included: to the right, down, to the left and up.
struct Corner {
    arms: [Vec<f64>; 4],
}

/// What was found so far.
pub struct Borders {
    parts: Recent<Part>,
    corners: Recent<Corner>,
}

impl Borders {
    /// For patches of so many samples.
    pub fn new(samples: usize) -> Self {
        // Windows of patches that are made in rows share three of their four rows.
        let most = (KEPT_BYTES / (12 * samples.max(1))).max(32);
        Self { parts: Recent::new(most), corners: Recent::new(KEPT_CORNERS) }
    }

    /// The heights on a patch's border: of its first row, last row, first column and last column, each in order.
    pub fn heights(
        &self,
        world: &LoadedWorld,
        engine: &Engine,
        (i, j): (i64, i64),
    ) -> Result<Vec<f64>, PatchError> {
        let corner = |at| self.corners.get(at, || self.corner(world, engine, at));
        let corners = [corner((i, j))?, corner((i + 1, j))?, corner((i, j + 1))?, corner((i + 1, j + 1))?];
        let [right, down, left, up] = [0, 1, 2, 3];
        let sides = [(0, 1, right, left), (2, 3, right, left), (0, 2, down, up), (1, 3, down, up)];
        let side = |(from, to, on, back): (usize, usize, usize, usize)| {
            blended(&corners[from].arms[on], &corners[to].arms[back])
        };
        Ok(sides.into_iter().flat_map(side).collect())
    }

    /// The heights around a corner: the first sample of a patch.
    fn corner(&self, world: &LoadedWorld, engine: &Engine, (i, j): Place) -> Result<Corner, PatchError> {
        let tiling = world.tiling;
        let (columns, rows) = (tiling.size.0 as i64 - 1, tiling.size.1 as i64 - 1);
        let (x, y) = tiling.first_of((i, j));
        let (wide, tall) = (columns + columns.min(FARTHEST), rows + rows.min(FARTHEST));
        let frame = Frame { low: (x - wide, y - tall), high: (x + wide, y + tall) };
        let size = ((2 * wide + 1) as usize, (2 * tall + 1) as usize);
        let index = |(x, y): Place| (y - frame.low.1) as usize * size.0 + (x - frame.low.0) as usize;
        let mut wanted = vec![0.0; size.0 * size.1];
        let mut limits = StepLimits::free(size);
        let mut fixed = Vec::new();
        for patch in (j - 2..j + 2).flat_map(|j| (i - 2..i + 2).map(move |i| (i, j))) {
            let part = self.parts.get(patch, || part(world, engine, patch))?;
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
            fixed.extend(inside.map(|&(at, height)| (index(place(at)), height)));
        }
        let anchors = world.heights_in(engine, frame)?;
        fixed.extend(anchors.into_iter().map(|(place, height)| (index(place), height)));
        let found = extended(&wanted, &fixed, &limits, &terrane_kernels::Silent).map_err(|_| PatchError {
            message: "heights on borders were not found".to_owned(),
            help: "this is a defect in Terrane: please report it with the world".to_owned(),
        })?;
        let arm = |(dx, dy): Place| -> Vec<f64> {
            let steps = if dx == 0 { rows } else { columns };
            (0..=steps).map(|step| found[index((x + dx * step, y + dy * step))]).collect()
        };
        Ok(Corner { arms: [(1, 0), (0, 1), (-1, 0), (0, -1)].map(arm) })
    }
}

/// Heights from one corner to the next: those found around the nearer one count more, and at a corner its own alone. Rounded to what maps hold.
fn blended(from: &[f64], to: &[f64]) -> Vec<f64> {
    let last = from.len() - 1;
    let height = |step: usize| {
        let (a, b, part) = (from[step], to[last - step], step as f64 / last as f64);
        let part = part * part * (3.0 - 2.0 * part);
        let height = if step == last { b } else { a + (b - a) * part };
        f64::from(height as f32)
    };
    (0..=last).map(height).collect()
}

/// What neighbours must know of a patch, before anything is bent.
fn part(world: &LoadedWorld, engine: &Engine, patch: (i64, i64)) -> Result<Part, PatchError> {
    let loaded = world.with_paths(patch, Vec::new())?;
    let wanted: [Wanted; 2] = [world.rules.bounds.clone().into(), world.rules.ground.clone().into()];
    let failed = |message: String| PatchError {
        message: format!("the paths of patch {},{}: {message}", patch.0, patch.1),
        help: "heights on borders follow from the patches around: mend this one first".to_owned(),
    };
    let job = engine.start(&Arc::new(loaded), wanted).map_err(|problems| failed(problems.render(false)))?;
    let evaluation = job.wait();
    let value = |index: usize| evaluation.outputs.get(index).and_then(|output| output.value.clone());
    let bounds = value(0).and_then(Value::downcast::<Bounds>);
    let (Some(bounds), Some(ground)) = (bounds, value(1).and_then(Value::downcast::<Map>)) else {
        return Err(failed(reason(&evaluation)));
    };
    let (width, height) = ground.domain().size;
    let is_inside = |at: usize| {
        let (x, y) = (at % width, at / width);
        x > 0 && y > 0 && x + 1 < width && y + 1 < height
    };
    let pinned = (0..bounds.given.len()).filter(|&at| is_inside(at) && !bounds.given[at].is_nan());
    let pinned = pinned.map(|at| (at, f64::from(bounds.given[at]))).collect();
    let limits = StepLimits::of(&bounds, &ground, world.rules.bank_slope);
    Ok(Part { ground, limits, pinned })
}

/// What an evaluation failed at.
fn reason(evaluation: &Evaluation) -> String {
    let failed = evaluation.nodes.iter().find_map(|node| match &node.outcome {
        Outcome::Failed(error) => Some(format!("node `{}`: {error}", node.node)),
        _ => None,
    });
    failed.unwrap_or_else(|| "they cannot be found".to_owned())
}
