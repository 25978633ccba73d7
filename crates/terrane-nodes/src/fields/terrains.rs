//! Generation of each field's terrain.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use terrane_fields::sectioning::identities;
use terrane_fields::stitch::{coarsened, refined};
use terrane_flow::{Context, NodeError};
use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::displacement::{Distribution, PlaneMidpoint, displacement_on_plane};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::{Progress, ScalarMap};

use super::extents::Extent;
use crate::support::{Report, cancelled, scale};
use crate::values::{Description, Fields, Ground, Map};

/// Generates each field's map over an extent of the plane, or reuses the map of a populated field if that map
/// covers the extent.
pub fn terrains(
    cx: &Context<'_>,
    fields: &Fields,
    domain: &Domain,
    extents: &[Extent],
) -> Result<Vec<Arc<Map>>, NodeError> {
    if !fields.maps.is_empty() && fields.domain != Some(*domain) {
        return Err(NodeError::failed(
            "the fields were populated for a different size or position",
            "populate them in this graph",
        ));
    }
    let grounds: Vec<&Ground> = (0..fields.names.len())
        .map(|field| ground(fields, field, domain))
        .collect::<Result<_, NodeError>>()?;
    let identities = identities(&fields.plane, &fields.sections);
    let (done, count) = (AtomicUsize::new(0), extents.len());
    let map = |(field, extent): (usize, &Extent)| {
        let extent = match grounds[field] {
            Ground::Map(_) => extent.clamped_to(Extent::all(domain, 0)),
            Ground::Described(..) => *extent,
        };
        let populated = fields.maps.get(field).filter(|map| covers(map, extent, domain));
        let report = FieldProgress { report: Report(cx), done: &done, count };
        let map = match populated {
            Some(map) => Arc::clone(map),
            None => {
                let ground = grounds[field];
                Arc::new(Map(generate(ground, fields, field, identities[field], extent, domain, &report)?))
            }
        };
        done.fetch_add(1, Ordering::Relaxed);
        report.check().map_err(|_| NodeError::Cancelled)?;
        Ok(map)
    };
    extents.par_iter().enumerate().map(|(field, extent)| map((field, extent))).collect()
}

/// Whether a map contains all samples of an extent.
fn covers(map: &Map, extent: Extent, domain: &Domain) -> bool {
    let own = map.domain();
    let first = |from: f64, to: f64| ((from - to) / domain.spacing).round() as i64;
    let (column, row) = (first(own.origin.0, domain.origin.0), first(own.origin.1, domain.origin.1));
    let (width, height) = (own.width() as i64, own.height() as i64);
    Extent { columns: (column, column + width - 1), rows: (row, row + height - 1) }.contains(extent)
}

/// The terrain of a field's description.
fn ground<'a>(fields: &'a Fields, field: usize, domain: &Domain) -> Result<&'a Ground, NodeError> {
    let name = fields.names[field].as_str();
    let known: Vec<&str> = fields.grounds.keys().map(String::as_str).collect();
    let ground = fields.grounds.get(name).ok_or_else(|| match name {
        "" => NodeError::failed(
            format!("field {field} has no description"),
            "assign one to every field with AssignTerrain",
        ),
        name => NodeError::failed(
            format!("field {field} has the description `{name}`, which has no terrain"),
            terrane_flow::suggest::help(name, &known, "add a DescribeTerrain; descriptions with terrain are"),
        ),
    })?;
    match ground {
        Ground::Map(map) if map.domain() != *domain => Err(NodeError::failed(
            format!("the terrain `{name}` differs from the graph in size or position"),
            "use a map of the graph's size",
        )),
        ground => Ok(ground),
    }
}

fn generate(
    ground: &Ground,
    fields: &Fields,
    field: usize,
    identity: u64,
    extent: Extent,
    domain: &Domain,
    progress: &dyn Progress,
) -> Result<Heightmap, NodeError> {
    let ((width, height), (column, row)) = (extent.size(), (extent.columns.0, extent.rows.0));
    let (x, y) = domain.origin;
    let own = Domain::new(width, height)
        .with_spacing(domain.spacing)
        .with_origin(x + column as f64 * domain.spacing, y + row as f64 * domain.spacing);
    let instance = |seed: Seed| Instance { seed, identity, side: side(fields, field) };
    let at = |own: &Domain| match ground {
        Ground::Map(map) => Ok(sampled(map, own)),
        Ground::Described(description, seed) => described(description, &instance(*seed), own, progress),
    };
    match level(fields, field, domain.spacing) {
        0 => at(&own),
        level => {
            let coarse = at(&coarsened(&own, level))?;
            refined(&coarse, &own, level, progress).map_err(cancelled)
        }
    }
}

/// A field's level of detail, limited so that at least four samples remain along the longer side of the
/// field's bounding box.
///
/// Each level halves the resolution.
pub fn level(fields: &Fields, field: usize, spacing: f64) -> u32 {
    let max = side(fields, field) / (4.0 * spacing);
    let requested = fields.levels.get(field).copied().unwrap_or(0);
    (0..requested).take_while(|&level| libm::exp2(f64::from(level + 1)) <= max).count() as u32
}

/// Heights for the samples of a domain, each from the map's sample at the same position. Beyond the map's
/// border, the nearest sample of the map is used.
fn sampled(map: &Heightmap, domain: &Domain) -> Heightmap {
    let own = map.domain();
    let along = |count: usize, of: usize, from: f64, to: f64| -> Vec<usize> {
        let (first, step) = (((from - to) / own.spacing).round(), (domain.spacing / own.spacing).round());
        // Casts saturate: positions before the map become 0.
        (0..count).map(|index| ((first + index as f64 * step) as usize).min(of - 1)).collect()
    };
    let columns = along(domain.width(), own.width(), domain.origin.0, own.origin.0);
    let rows = along(domain.height(), own.height(), domain.origin.1, own.origin.1);
    Heightmap::from_fn(*domain, |column, row| map[(columns[column], rows[row])])
}

/// The longer side of a field's bounding box.
fn side(fields: &Fields, field: usize) -> f64 {
    let nodes =
        || fields.sections.fields[field].ring.nodes.iter().map(|&node| fields.plane.nodes[node as usize]);
    let along = |of: fn((f64, f64)) -> f64| {
        let (low, high) = (
            nodes().map(of).fold(f64::INFINITY, f64::min),
            nodes().map(of).fold(f64::NEG_INFINITY, f64::max),
        );
        high - low
    };
    along(|(x, _)| x).max(along(|(_, y)| y))
}

/// What a field's terrain depends on, in addition to the parameters of its description.
struct Instance {
    /// The description's seed, mixed with the node's and the graph's.
    seed: Seed,
    /// The field's identity.
    identity: u64,
    /// The longer side of the field's bounding box.
    side: f64,
}

/// Generates terrain from a description's parameters.
fn described(
    description: &Description,
    instance: &Instance,
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
            noise.heights(domain, instance.seed, &drive, progress).map_err(crate::sources::noise_error)
        }
        Description::MidpointDisplacement { amplitude, offset, persistence, smoothed, levels, .. } => {
            let parameters = PlaneMidpoint {
                cell: instance.side,
                persistence: persistence as f32,
                distribution: Distribution::Uniform,
                smoothed,
                levels,
            };
            let seed = instance.seed.mixed(instance.identity);
            let height = displacement_on_plane(domain, seed, &parameters, progress).map_err(cancelled)?;
            Ok(scale(height, amplitude, offset))
        }
        Description::Map { .. } => Err(NodeError::failed(
            "a description is `Map()`, but no map is given for it",
            "add a DescribeTerrain with its name",
        )),
    }
}

/// Reports how many of several fields are finished, and passes on cancellation.
struct FieldProgress<'a, 'b> {
    report: Report<'a, 'b>,
    done: &'a AtomicUsize,
    count: usize,
}

impl Progress for FieldProgress<'_, '_> {
    fn report(&self, _: f64) -> Result<(), terrane_kernels::Cancelled> {
        self.report.report(self.done.load(Ordering::Relaxed) as f64 / self.count as f64)
    }

    fn check(&self) -> Result<(), terrane_kernels::Cancelled> {
        self.report.check()
    }
}
