//! The terrain of each field.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use terrane_flow::{Context, NodeError};
use terrane_grid::{Domain, Grid, Heightmap, Seed};
use terrane_kernels::displacement::{self, Boundary, Distribution, Midpoint, MidpointError};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::stitch::Outline;
use terrane_kernels::{Progress, ScalarMap};

use crate::support::{Report, scale};
use crate::values::{Description, Fields, Ground, Map};

/// Each field's own map: of its bounding box and a sample beyond, as far as the domain goes. Those of fields that are populated already are taken
/// as they are.
pub fn terrains(cx: &Context<'_>, fields: &Fields, domain: &Domain) -> Result<Vec<Arc<Map>>, NodeError> {
    if !fields.maps.is_empty() {
        return match fields.domain == Some(*domain) {
            true => Ok(fields.maps.clone()),
            false => Err(NodeError::failed(
                "the fields were populated for another size or place",
                "populate them in this graph",
            )),
        };
    }
    let grounds: Vec<&Ground> = (0..fields.names.len())
        .map(|field| ground(fields, field, domain))
        .collect::<Result<_, NodeError>>()?;
    let outlines = fields.outlines();
    let done = AtomicUsize::new(0);
    let count = outlines.len();
    let map = |(ground, outline): (&Ground, &Outline)| {
        let window = window(fields, outline, domain);
        let part = Part { report: Report(cx), done: &done, count };
        let map = populated(ground, fields, outline, &window, domain, &part)?;
        done.fetch_add(1, Ordering::Relaxed);
        part.report(0.0).map_err(|_| NodeError::Cancelled)?;
        Ok(Arc::new(Map(map)))
    };
    grounds.into_par_iter().zip(&outlines).map(map).collect()
}

/// What grows on a field.
fn ground<'a>(fields: &'a Fields, field: usize, domain: &Domain) -> Result<&'a Ground, NodeError> {
    let name = fields.names[field].as_str();
    let known: Vec<&str> = fields.grounds.keys().map(String::as_str).collect();
    let ground = fields.grounds.get(name).ok_or_else(|| match name {
        "" => NodeError::failed(
            format!("field {field} has no description"),
            "give every field one with AssignTerrain",
        ),
        name => NodeError::failed(
            format!("field {field} is `{name}`, and no terrain is called so"),
            terrane_flow::suggest::help(name, &known, "add a DescribeTerrain; known are"),
        ),
    })?;
    match ground {
        Ground::Map(map) if map.domain() != *domain => Err(NodeError::failed(
            format!("the terrain `{name}` is of another size or place than the graph"),
            "describe terrain by maps of the graph's own size",
        )),
        ground => Ok(ground),
    }
}

/// Part of a domain: its first column and row, and its size.
struct Window {
    first: (usize, usize),
    size: (usize, usize),
}

/// The bounding box of a field and a sample beyond, so that its edges lie within; where it lies beside the domain the nearest sample.
fn window(fields: &Fields, outline: &Outline, domain: &Domain) -> Window {
    let nodes = outline.rings.iter().flatten().map(|&node| fields.plane.nodes[node as usize]);
    let (mut low, mut high) = ((f64::INFINITY, f64::INFINITY), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    for (x, y) in nodes {
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    let along = |low: f64, high: f64, origin: f64, count: usize| {
        let place = |world: f64| (world - origin) / domain.spacing;
        let last = (count - 1) as f64;
        let from = (place(low).floor() - 1.0).clamp(0.0, last) as usize;
        let to = (place(high).ceil() + 1.0).clamp(0.0, last) as usize;
        (from, to + 1 - from)
    };
    let (column, width) = along(low.0, high.0, domain.origin.0, domain.width());
    let (row, height) = along(low.1, high.1, domain.origin.1, domain.height());
    Window { first: (column, row), size: (width, height) }
}

fn populated(
    ground: &Ground,
    fields: &Fields,
    outline: &Outline,
    window: &Window,
    domain: &Domain,
    progress: &dyn Progress,
) -> Result<Heightmap, NodeError> {
    let ((column, row), (width, height)) = (window.first, window.size);
    let part =
        Domain::new(width, height).with_spacing(domain.spacing).with_origin(domain.x(column), domain.y(row));
    match ground {
        Ground::Map(map) => {
            let samples = (row..row + height).flat_map(|y| &map.grid().row(y)[column..column + width]);
            Ok(Heightmap::from_grid(part, Grid::from_vec(width, height, samples.copied().collect())))
        }
        Ground::Described(description, seed) => {
            described(description, own_seed(description, *seed, fields, outline), &part, progress)
        }
    }
}

/// Where terrain is a function of the plane all fields share a seed; else each has its own, by the place of its first node, so that the number
/// of a field does not matter.
fn own_seed(description: &Description, seed: Seed, fields: &Fields, outline: &Outline) -> Seed {
    match (description, outline.rings.first().and_then(|ring| ring.first())) {
        (Description::MidpointDisplacement { .. }, Some(&node)) => {
            let (x, y) = fields.plane.nodes[node as usize];
            seed.mixed(x.to_bits()).mixed(y.to_bits())
        }
        _ => seed,
    }
}

/// Terrain from a description's parameters.
fn described(
    description: &Description,
    seed: Seed,
    domain: &Domain,
    progress: &dyn Progress,
) -> Result<Heightmap, NodeError> {
    match *description {
        Description::Noise { amplitude, offset, wavelength, octaves, lacunarity, persistence, .. } => {
            let basis = Basis::Perlin(Smoothstep::CUBIC);
            let layout = Layout::Straight;
            let noise = Noise { basis, fractal: Fractal::Fbm, octaves, wavelength, lacunarity, layout };
            let drive = Drive {
                persistence: ScalarMap::Constant(persistence as f32),
                amplitude: ScalarMap::Constant(amplitude as f32),
                offset: offset as f32,
                ..Drive::default()
            };
            noise.heights(domain, seed, &drive, progress).map_err(crate::sources::refused)
        }
        Description::MidpointDisplacement { amplitude, offset, persistence, smoothed, .. } => {
            let parameters = Midpoint {
                persistence: persistence as f32,
                roughness: ScalarMap::Constant(1.0),
                distribution: Distribution::Uniform,
                smoothed,
                boundary: Boundary::Open,
                lattice: 2,
            };
            match displacement::midpoint_displacement(domain, seed, &parameters, progress) {
                Ok(height) => Ok(scale(height, amplitude, offset)),
                Err(MidpointError::Cancelled) => Err(NodeError::Cancelled),
                Err(error) => Err(NodeError::failed(error, "take Noise instead")),
            }
        }
        Description::Map { .. } => Err(NodeError::failed(
            "a description says Map, and no map is given for it",
            "add a DescribeTerrain of that name",
        )),
    }
}

/// One of several fields' progress: told by whole fields, heeding that the node is to stop.
struct Part<'a, 'b> {
    report: Report<'a, 'b>,
    done: &'a AtomicUsize,
    count: usize,
}

impl Progress for Part<'_, '_> {
    fn report(&self, _: f64) -> Result<(), terrane_kernels::Cancelled> {
        self.report.report(self.done.load(Ordering::Relaxed) as f64 / self.count as f64)
    }
}
