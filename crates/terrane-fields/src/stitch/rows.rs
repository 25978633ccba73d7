//! Applies a method to all samples of a domain, row by row and run by run.

use crate::parallel::{slices, try_for_each_with};
use std::sync::atomic::{AtomicUsize, Ordering};

use terrane_grid::{Domain, Grid, Heightmap};

use super::band::{Near, NearSides, ROWS, Run};
use super::parameters::{Stitch, Stitched};
use super::seam::{Plan, SeamSide};
use super::terrain::runs;
use crate::{Cancelled, Progress};

/// Applies a method to all samples.
pub fn changed<M: Change>(
    method: &M,
    plan: &Plan<'_>,
    ids: &Grid<u32>,
    domain: &Domain,
    parameters: &Stitch<'_>,
    progress: &dyn Progress,
) -> Result<Stitched, Cancelled> {
    let near = plan.seams.iter().flat_map(|seam| {
        let [a, b] = seam.line.ends.map(|end| end.1);
        seam.sides.map(|side| (side.field, a.min(b) - plan.reach, a.max(b) + plan.reach))
    });
    let near = Near::new(near, domain);
    let xs: Vec<f64> = (0..domain.width()).map(|column| domain.x(column)).collect();
    let rows = Rows { plan, method, near, xs, amount: parameters.amount };
    let chunk = (domain.width() * ROWS).max(1);
    let mut heights = vec![parameters.outside; domain.len()];
    let mut distances = vec![plan.reach as f32; domain.len()];
    let done = AtomicUsize::new(0);
    let parts = (slices(&mut heights, chunk), slices(&mut distances, chunk));
    let scratch = || (Nearest::default(), M::Scratch::default());
    try_for_each_with(parts, 1, scratch, |scratch, index, (heights, distances)| {
        let of_rows = heights.chunks_mut(domain.width()).zip(distances.chunks_mut(domain.width()));
        for (row, (heights, distances)) in of_rows.enumerate() {
            rows.row(domain, index * ROWS + row, ids.row(index * ROWS + row), scratch, heights, distances);
        }
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress.report((done * ROWS).min(domain.height()) as f64 / domain.height() as f64)
    })?;
    Ok(Stitched {
        heights: Heightmap::from_vec(*domain, heights),
        seam_distance: Heightmap::from_vec(*domain, distances),
    })
}

/// Maximum number of samples per run: few enough to share most of what is in reach.
const BLOCK: usize = 64;

/// A stitching method.
pub trait Change: Sync {
    /// Memory that is reused between runs.
    type Scratch: Default;

    /// Sets the changes, initially 0, of a run near the listed sides of seams. `nearest` holds each
    /// sample's nearest side, or [`SeamSide::NONE`], and the square of its distance.
    fn change(
        &self,
        run: &Run<'_>,
        sides: NearSides<'_>,
        nearest: impl Iterator<Item = (SeamSide, f64)>,
        scratch: &mut Self::Scratch,
        changes: &mut [f64],
    );
}

/// Data shared by all rows.
struct Rows<'a, M> {
    plan: &'a Plan<'a>,
    method: &'a M,
    near: Near,
    xs: Vec<f64>,
    amount: f64,
}

impl<M: Change> Rows<'_, M> {
    fn row(
        &self,
        domain: &Domain,
        row: usize,
        ids: &[u32],
        (nearest, scratch): &mut (Nearest, M::Scratch),
        heights: &mut [f32],
        distances: &mut [f32],
    ) {
        let y = domain.y(row);
        for (field, columns) in runs(ids) {
            self.plan.terrains[field as usize].copy(row, columns.clone(), &mut heights[columns.clone()]);
            let sides = NearSides::of(&self.near, row, field);
            if sides.is_empty() {
                continue;
            }
            let run = Run { domain, columns: columns.clone(), xs: &self.xs, row, y, field };
            nearest.find(self.plan, &run, sides);
            let mut changes = std::mem::take(&mut nearest.changes);
            changes.clear();
            changes.resize(columns.len(), 0.0);
            for (part, changes) in changes.chunks_mut(BLOCK).enumerate() {
                let start = columns.start + part * BLOCK;
                let run = Run { columns: start..start + changes.len(), ..run };
                let near = &nearest.side[part * BLOCK..][..changes.len()];
                let near = near.iter().copied().zip(nearest.square[part * BLOCK..].iter().copied());
                self.method.change(&run, sides, near, scratch, changes);
            }
            let samples = heights[columns.clone()].iter_mut().zip(&mut distances[columns]);
            for ((height, distance), (change, square)) in samples.zip(changes.iter().zip(&nearest.square)) {
                // Adding 0 would turn a height of -0 into 0.
                if *change != 0.0 {
                    *height = (f64::from(*height) + self.amount * change) as f32;
                }
                *distance = distance.min(square.sqrt() as f32);
            }
            nearest.changes = changes;
        }
    }
}

/// The nearest seams of a run's samples.
#[derive(Default)]
struct Nearest {
    square: Vec<f64>,
    /// The nearest side, or [`SeamSide::NONE`] if none is within reach.
    side: Vec<SeamSide>,
    changes: Vec<f64>,
}

impl Nearest {
    /// Finds, for each sample of a run, the nearest of the field's own seams: the first of equally near ones.
    /// Distances are measured within the field, around the ends of seams.
    fn find(&mut self, plan: &Plan<'_>, run: &Run<'_>, sides: NearSides<'_>) {
        let count = run.columns.len();
        self.square.clear();
        self.square.resize(count, plan.reach * plan.reach);
        self.side.clear();
        self.side.resize(count, SeamSide::NONE);
        let behind = plan.behind();
        for own in sides.iter() {
            let (seam, side) = (&plan.seams[own.seam()], own.side());
            let Some(span) = seam.line.span(run.y, plan.reach) else { continue };
            let columns = run.between(span);
            let part = columns.start - run.columns.start..columns.end - run.columns.start;
            let found = self.square[part.clone()].iter_mut().zip(&mut self.side[part]);
            for (&x, (square, nearest)) in run.xs[columns].iter().zip(found) {
                let seen = seam.line.see_around(side, (x, run.y), behind);
                let nearer = seen.square < *square;
                *square = if nearer { seen.square } else { *square };
                *nearest = if nearer { own } else { *nearest };
            }
        }
    }
}
