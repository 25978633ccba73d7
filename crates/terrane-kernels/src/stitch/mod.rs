//! Fields of a planar graph, each with terrain of its own, made one terrain (Mijailovic 2015).
//!
//! Where two fields share an edge both move to meet half-way, or as their shares say, and the change falls to 0 within a distance from the
//! edge. The thesis goes from edge to edge and from field to field, each seeing what the last one did. Here all differences are taken first,
//! from terrain as it was and at the edge itself, bilinear on both sides. So nothing depends on the order of fields and edges, or on threads,
//! and there is neither its rounding (5.4) nor its reading in a wrong field near nodes (5.5).
//!
//! Edges between a field and nothing are left alone.

mod band;
mod chain;
mod crowd;
mod detail;
mod feature;
mod line;
mod linear;
mod look;
mod nearness;
mod outline;
mod raster;
mod rim;
mod seam;
mod separator;
mod smooth;
mod terrain;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph};

use crate::{Cancelled, Progress};
use band::{Near, ROWS, Run};
use seam::{Plan, seams};
use terrain::{Terrain, runs};

pub use detail::{MOST_LEVELS, coarsened, refined};
pub use feature::{Bend, Crest, Feature, trace};
pub use outline::Outline;
pub use raster::rasterise;
pub use separator::{Separator, separators};

/// The number of no field.
pub const NONE: u32 = u32::MAX;

/// How changes fall off from edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// In straight lines, each sample with its nearest edge: the thesis's way.
    Linear,
    /// Smoothly, blending all edges in reach.
    Smooth,
}

/// Parameters of [`stitch`].
#[derive(Clone, Debug, PartialEq)]
pub struct Stitch<'a> {
    /// How changes fall off.
    pub method: Method,
    /// How far from an edge fields may change, in world units.
    pub distance: f64,
    /// Fields with a distance of their own; those beyond the end have none.
    pub field_distances: &'a [Option<f64>],
    /// Edges of the graph with a distance of their own, on both sides, before that of fields.
    pub edge_distances: &'a [Option<f64>],
    /// What part of a difference is taken away: 1 and fields meet, 0 and nothing changes.
    pub amount: f64,
    /// Whether all fields near an edge meet, not only its two.
    pub pinch: bool,
    /// How willingly each field moves, beside its neighbours; at least 0, and 1 beyond the end. Of two fields each moves by its share of both.
    pub shares: &'a [f64],
    /// The height of samples in no field. It says nothing: ask the numbers of fields.
    pub outside: f32,
}

impl Default for Stitch<'_> {
    /// Smoothly, both sides half, within 60 units: the least distance of the thesis's measurements.
    fn default() -> Self {
        Self {
            method: Method::Smooth,
            distance: 60.0,
            field_distances: &[],
            edge_distances: &[],
            amount: 1.0,
            pinch: true,
            shares: &[],
            outside: 0.0,
        }
    }
}

impl Stitch<'_> {
    fn share(&self, field: u32) -> f64 {
        self.shares.get(field as usize).map_or(1.0, |share| share.max(0.0))
    }

    fn distance_of(&self, field: u32) -> f64 {
        self.field_distances.get(field as usize).copied().flatten().unwrap_or(self.distance)
    }
}

/// What [`stitch`] gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Stitched {
    /// Heights.
    pub heights: Heightmap,
    /// World units to the nearest edge between fields, on the sample's own field; where that is farther than any field changes, the
    /// greatest distance to which one does.
    pub seam_distance: Heightmap,
}

/// Each sample's height from its field's terrain, unstitched. `terrains` are as for [`stitch`].
///
/// # Panics
/// Where a field has no terrain, or `ids` is not the domain's size.
#[must_use]
pub fn populate(ids: &Grid<u32>, terrains: &[&Heightmap], domain: &Domain, outside: f32) -> Heightmap {
    assert_eq!(ids.size(), domain.size, "fields and domain differ in size");
    let terrains: Vec<Terrain<'_>> = terrains.iter().map(|map| Terrain::new(map, domain)).collect();
    let width = domain.width();
    let mut heights = vec![outside; domain.len()];
    heights.par_chunks_mut(width.max(1)).with_min_len(ROWS).enumerate().for_each(|(row, heights)| {
        for (field, columns) in runs(ids.row(row)) {
            terrains[field as usize].copy(row, columns.clone(), &mut heights[columns]);
        }
    });
    Heightmap::from_vec(*domain, heights)
}

/// Puts fields' terrains together and lets them meet along their edges.
///
/// `ids` says which field each sample is in, as [`rasterise`] does. `terrains` holds each field's terrain: a map of the whole domain
/// or of the field alone, with the domain's spacing and samples at the same places. It needs to reach a sample beyond the field's
/// nodes, so that the edges lie within; beyond its border the border's heights go on. Where a terrain is not a number at an edge there is no
/// difference to take away, so what is none stays where it is.
///
/// The height at which fields meet is a continuous function of place, no steeper than their differences need over the distance; without
/// [`Stitch::pinch`] fields meet along edges alone, and steps stay around nodes.
///
/// Samples farther than the distance from all edges keep their heights to the bit. O(samples + samples near edges · edges in
/// reach + stations · log distance), stations being points of edges half a sample apart.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
///
/// # Panics
/// Where a field has no terrain, or `ids` is not the domain's size.
pub fn stitch(
    graph: &PlanarGraph,
    outlines: &[Outline],
    ids: &Grid<u32>,
    terrains: &[&Heightmap],
    domain: &Domain,
    parameters: &Stitch<'_>,
    progress: &dyn Progress,
) -> Result<Stitched, Cancelled> {
    assert_eq!(ids.size(), domain.size, "fields and domain differ in size");
    assert!(terrains.len() >= outlines.len(), "{} fields, {} terrains", outlines.len(), terrains.len());
    let terrains: Vec<Terrain<'_>> = terrains.iter().map(|map| Terrain::new(map, domain)).collect();
    let seams = seams(graph, outlines, parameters);
    let sides = seams.iter().flat_map(|seam| &seam.sides);
    let reach = sides.map(|side| side.distance).fold(0.0, f64::max);
    let plan = Plan { seams, terrains, spacing: domain.spacing, reach };
    match parameters.method {
        Method::Linear => changed(
            &linear::Linear::new(&plan, domain, parameters.pinch),
            &plan,
            ids,
            domain,
            parameters,
            progress,
        ),
        Method::Smooth => changed(
            &smooth::Smooth::new(&plan, domain, parameters.pinch),
            &plan,
            ids,
            domain,
            parameters,
            progress,
        ),
    }
}

/// All samples as a method changes them.
fn changed<M: Change>(
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
    let chunks = heights.par_chunks_mut(chunk).zip(distances.par_chunks_mut(chunk)).enumerate();
    let scratch = || (Nearest::default(), M::Scratch::default());
    chunks.try_for_each_init(scratch, |scratch, (index, (heights, distances))| {
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

/// Samples that are changed at once: few see what others do.
const BLOCK: usize = 64;

/// A way to change samples.
trait Change: Sync {
    /// Memory that is kept from run to run.
    type Scratch: Default;

    /// Sets the changes, which are 0, of a run near the sides of seams that are listed. `nearest` tells each sample's nearest side and the square of
    /// its distance.
    fn change(
        &self,
        run: &Run<'_>,
        sides: &[(u32, u32)],
        nearest: impl Iterator<Item = (u32, f64)>,
        scratch: &mut Self::Scratch,
        changes: &mut [f64],
    );
}

/// What all rows share.
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
            let sides = self.near.of(row, field);
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
                // A change of 0 would make -0 of heights 0.
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
    /// Twice the seam's number and the side, or [`NONE`] where none is within reach.
    side: Vec<u32>,
    changes: Vec<f64>,
}

impl Nearest {
    /// Of a run's own seams the nearest that each sample stands before or beside, not behind; of equally near ones the first.
    fn find(&mut self, plan: &Plan<'_>, run: &Run<'_>, sides: &[(u32, u32)]) {
        let count = run.columns.len();
        self.square.clear();
        self.square.resize(count, plan.reach * plan.reach);
        self.side.clear();
        self.side.resize(count, NONE);
        let behind = -1e-9 * plan.spacing;
        for &(_, who) in sides {
            let (seam, side) = (&plan.seams[who as usize / 2], who as usize % 2);
            let Some(span) = seam.line.span(run.y, plan.reach) else { continue };
            let columns = run.between(span);
            let part = columns.start - run.columns.start..columns.end - run.columns.start;
            let found = self.square[part.clone()].iter_mut().zip(&mut self.side[part]);
            for (&x, (square, nearest)) in run.xs[columns].iter().zip(found) {
                let seen = seam.line.see(side, (x, run.y));
                let nearer = seen.square < *square && (seen.before >= behind || seen.past != 0.0);
                *square = if nearer { seen.square } else { *square };
                *nearest = if nearer { who } else { *nearest };
            }
        }
    }
}

#[cfg(test)]
mod tests;
