//! Stitches fields of a planar graph, each with its own terrain, into one terrain (Mijailovic 2015).
//!
//! Where two fields share an edge, both move to meet half-way, or according to their shares. The change falls
//! to 0 within a distance from the edge. The thesis processes edge after edge and field after field, each
//! step on the result of the previous one. Here all differences are taken first, from the unchanged terrain
//! and at the edge itself, interpolated bilinearly on both sides. So nothing depends on the order of fields
//! and edges, or on threads. Neither the thesis's rounding (5.4) nor its reads from a wrong field near nodes
//! (5.5) occur.
//!
//! Edges between a field and the outside are not stitched.

mod band;
mod beyond;
mod chain;
mod detail;
mod feature;
mod field_view;
mod in_reach;
mod line;
mod linear;
mod nearness;
mod other;
mod outline;
mod parameters;
mod raster;
mod rim;
mod rows;
mod seam;
mod separator;
mod shadow;
mod smooth;
mod terrain;
mod view;

use crate::parallel::{for_each, slices};
use terrane_grid::{Domain, Grid, Heightmap, PlanarGraph};

use crate::{Cancelled, Progress};
use band::ROWS;
use rows::changed;
use seam::{Plan, borders};
use terrain::{Terrain, runs};

pub use detail::{MOST_LEVELS, coarsened, refined};
pub use feature::{Bend, Crest, Feature, trace};
pub use outline::Outline;
pub use parameters::{Method, NONE, Stitch, Stitched};
pub use raster::rasterise;
pub use separator::{Separator, separators};

/// Each sample's height from its field's terrain, unstitched. `terrains` are as for [`stitch`].
///
/// # Panics
/// If a field has no terrain, or `ids` does not have the domain's size.
#[must_use]
pub fn populate(ids: &Grid<u32>, terrains: &[&Heightmap], domain: &Domain, outside: f32) -> Heightmap {
    assert_eq!(ids.size(), domain.size, "fields and domain differ in size");
    let terrains: Vec<Terrain<'_>> = terrains.iter().map(|map| Terrain::new(map, domain)).collect();
    let width = domain.width();
    let mut heights = vec![outside; domain.len()];
    for_each(slices(&mut heights, width.max(1)), ROWS, |row, heights| {
        for (field, columns) in runs(ids.row(row)) {
            terrains[field as usize].copy(row, columns.clone(), &mut heights[columns]);
        }
    });
    Heightmap::from_vec(*domain, heights)
}

/// Combines fields' terrains and makes them meet along their edges.
///
/// `ids` holds each sample's field, as from [`rasterise`]. `terrains` holds each field's terrain: a map of
/// the whole domain or of the field alone, with the domain's spacing and sample positions. It must extend a
/// sample beyond the field's nodes, so that the edges lie within. Beyond the map's border, the heights on the
/// border are repeated. Where a terrain is not a number at an edge, the difference counts as 0, and such
/// samples stay not a number.
///
/// The height at which fields meet is a continuous function of position. Its slope is the slope of the fields
/// plus the slope of the change. Where both point the same way, they add. Between two fields, away from other
/// borders and from the outside, the change is no steeper than 3/4 of their difference divided by the
/// distance, or 1/2 for [`Method::Linear`]. Where a border ends next to the outside, the change is no steeper
/// than 3/2 of that difference divided by the distance, whatever the angles. Where many thin fields meet, or
/// several borders end, the change's slope reaches up to 2.3 times the largest difference between fields in
/// reach, divided by the distance. For [`Method::Linear`] it reaches up to 1.5 times. In front of several
/// parallel borders the factors are 1.73 and, for [`Method::Linear`], 1.5. Without [`Stitch::pinch`] fields
/// meet along edges only, and steps remain around nodes.
///
/// Samples farther than the distance from all edges keep their heights to the bit. O(samples + samples near
/// edges · edges in reach + stations · log distance), where stations are points on edges, half a sample
/// apart.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If a field has no terrain, or `ids` does not have the domain's size.
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
    let (seams, shores) = borders(graph, outlines, parameters);
    let sides = seams.iter().flat_map(|seam| &seam.sides);
    let reach = sides.map(|side| side.distance).fold(0.0, f64::max);
    let plan = Plan { seams, shores, terrains, spacing: domain.spacing, reach };
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

#[cfg(test)]
mod tests;
