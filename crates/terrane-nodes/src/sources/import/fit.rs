//! Stretching a raster over the graph's samples.

use std::sync::Arc;

use terrane_grid::{Domain, GeoReference, Heightmap};
use terrane_kernels::shape::{Filter, stretch};

use crate::place::step;

/// Stretches a raster over a domain, and keeps its georeferenced extent.
pub fn fit(map: Heightmap, domain: Domain, filter: Option<Filter>) -> Heightmap {
    let (w, h) = map.domain().size;
    if (w, h) == domain.size {
        let georef = map.georef().cloned();
        return Heightmap::from_grid(domain, map.into_grid()).with_georef(georef);
    }
    let (sx, sy) = (step(w, domain.width()), step(h, domain.height()));
    let usual = if sx.max(sy) > 1.0 { Filter::Area } else { Filter::Bilinear };
    let stretched = stretch(&map, domain.size, filter.unwrap_or(usual));
    let georef = map.georef().map(|georef| Arc::new(stretch_georef(georef, sx, sy)));
    Heightmap::from_grid(domain, stretched.into_grid()).with_georef(georef)
}

/// The tags of a raster after its spacing has grown by factors of `sx` and `sy`, with its first and last
/// samples in place.
fn stretch_georef(georef: &GeoReference, sx: f64, sy: f64) -> GeoReference {
    let mut out = georef.clone();
    if let ([x, y, ..], [_, _, _, tie_x, tie_y, ..]) = (&mut out.pixel_scale[..], &mut out.tiepoints[..]) {
        if !georef.is_point() {
            // The tie point is at the first sample's corner, which moves as the sample grows about its
            // centre.
            *tie_x += *x * (1.0 - sx) / 2.0;
            *tie_y -= *y * (1.0 - sy) / 2.0;
        }
        *x *= sx;
        *y *= sy;
    }
    out
}
