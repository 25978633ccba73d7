//! The place of a graph on a map, of the files that it imports, and of those that it writes.

use terrane_flow::Context;
use terrane_grid::{Domain, GeoReference, Place};
use terrane_io::LonLat;

use crate::terrain::Terrain;

/// The rows over which a raster is stretched so that its cells, `x` wide and `y` high, become squares.
pub fn square_rows((x, y): (f64, f64), rows: usize) -> usize {
    // More rows than any map may have are refused later.
    libm::round((rows - 1) as f64 * y / x).clamp(0.0, 1e15) as usize + 1
}

/// The coordinates of positions in the graph's files of lines and points.
pub fn lonlat(cx: &Context<'_>) -> LonLat {
    LonLat::of(cx.header::<Terrain>().place.as_ref())
}

/// The place of a graph that imports a raster with these tags and this size: over the graph's extent or, with
/// `origin`, with its own samples from that position on.
pub fn of_import(
    georef: &GeoReference,
    size: (usize, usize),
    graph: &Domain,
    origin: Option<(f64, f64)>,
) -> Option<Place> {
    let factors = match origin {
        Some(_) => (1.0, 1.0),
        None => (step(size.0, graph.width()), step(size.1, graph.height())),
    };
    Place::of(georef, origin.unwrap_or(graph.origin), graph.spacing, factors)
}

/// Old samples between two new ones, if `old` samples are stretched to `new`.
pub fn step(old: usize, new: usize) -> f64 {
    if new > 1 { (old.max(2) - 1) as f64 / (new - 1) as f64 } else { 1.0 }
}
