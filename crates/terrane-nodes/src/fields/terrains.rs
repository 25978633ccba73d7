//! The terrain of each field.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use terrane_flow::{Context, NodeError};
use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::displacement::{Distribution, PlaneMidpoint, displacement_on_plane};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::sectioning::identities;
use terrane_kernels::stitch::{coarsened, refined};
use terrane_kernels::{Progress, ScalarMap};

use super::needs::Part;
use crate::support::{Report, cancelled, scale};
use crate::values::{Description, Fields, Ground, Map};

/// Each field's own map, of a part of the plane. Those of fields that are populated already are taken where
/// they have it.
pub fn terrains(
    cx: &Context<'_>,
    fields: &Fields,
    domain: &Domain,
    parts: &[Part],
) -> Result<Vec<Arc<Map>>, NodeError> {
    if !fields.maps.is_empty() && fields.domain != Some(*domain) {
        return Err(NodeError::failed(
            "the fields were populated for another size or place",
            "populate them in this graph",
        ));
    }
    let grounds: Vec<&Ground> = (0..fields.names.len())
        .map(|field| ground(fields, field, domain))
        .collect::<Result<_, NodeError>>()?;
    let identities = identities(&fields.plane, &fields.sections);
    let (done, count) = (AtomicUsize::new(0), parts.len());
    let map = |(field, part): (usize, &Part)| {
        let part = match grounds[field] {
            Ground::Map(_) => part.within(Part::all(domain, 0)),
            Ground::Described(..) => *part,
        };
        let known = fields.maps.get(field).filter(|map| has(map, part, domain));
        let report = Told { report: Report(cx), done: &done, count };
        let map = match known {
            Some(map) => Arc::clone(map),
            None => Arc::new(Map(populated(
                grounds[field],
                fields,
                field,
                identities[field],
                part,
                domain,
                &report,
            )?)),
        };
        done.fetch_add(1, Ordering::Relaxed);
        report.report(0.0).map_err(|_| NodeError::Cancelled)?;
        Ok(map)
    };
    parts.par_iter().enumerate().map(|(field, part)| map((field, part))).collect()
}

/// Whether a map has all samples of a part.
fn has(map: &Map, part: Part, domain: &Domain) -> bool {
    let own = map.domain();
    let first = |from: f64, to: f64| ((from - to) / domain.spacing).round() as i64;
    let (column, row) = (first(own.origin.0, domain.origin.0), first(own.origin.1, domain.origin.1));
    let (width, height) = (own.width() as i64, own.height() as i64);
    Part { columns: (column, column + width - 1), rows: (row, row + height - 1) }.holds(part)
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

fn populated(
    ground: &Ground,
    fields: &Fields,
    field: usize,
    identity: u64,
    part: Part,
    domain: &Domain,
    progress: &dyn Progress,
) -> Result<Heightmap, NodeError> {
    let ((width, height), (column, row)) = (part.size(), (part.columns.0, part.rows.0));
    let (x, y) = domain.origin;
    let own = Domain::new(width, height)
        .with_spacing(domain.spacing)
        .with_origin(x + column as f64 * domain.spacing, y + row as f64 * domain.spacing);
    let place = |seed: Seed| Place { seed, identity, side: side(fields, field) };
    let made = |own: &Domain| match ground {
        Ground::Map(map) => Ok(taken(map, own)),
        Ground::Described(description, seed) => described(description, &place(*seed), own, progress),
    };
    match level(fields, field, domain.spacing) {
        0 => made(&own),
        level => {
            let coarse = made(&coarsened(&own, level))?;
            refined(&coarse, &own, level, progress).map_err(cancelled)
        }
    }
}

/// How often a field's detail is halved: no oftener than leaves it four samples along its bounding box.
pub fn level(fields: &Fields, field: usize, spacing: f64) -> u32 {
    let most = side(fields, field) / (4.0 * spacing);
    let asked = fields.levels.get(field).copied().unwrap_or(0);
    (0..asked).take_while(|&level| libm::exp2(f64::from(level + 1)) <= most).count() as u32
}

/// The samples of a map that stand where a domain's do; beyond its border the nearest.
fn taken(map: &Heightmap, domain: &Domain) -> Heightmap {
    let own = map.domain();
    let along = |count: usize, of: usize, from: f64, to: f64| -> Vec<usize> {
        let (first, step) = (((from - to) / own.spacing).round(), (domain.spacing / own.spacing).round());
        // Casts saturate.
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
    along(|place| place.0).max(along(|place| place.1))
}

/// What a field's terrain depends on beside its description.
struct Place {
    /// The description's seed in its graph.
    seed: Seed,
    /// What the field is.
    identity: u64,
    /// The longer side of its bounding box.
    side: f64,
}

/// Terrain from a description's parameters.
fn described(
    description: &Description,
    place: &Place,
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
            noise.heights(domain, place.seed, &drive, progress).map_err(crate::sources::refused)
        }
        Description::MidpointDisplacement { amplitude, offset, persistence, smoothed, levels, .. } => {
            let parameters = PlaneMidpoint {
                cell: place.side,
                persistence: persistence as f32,
                distribution: Distribution::Uniform,
                smoothed,
                levels,
            };
            let seed = place.seed.mixed(place.identity);
            let height = displacement_on_plane(domain, seed, &parameters, progress).map_err(cancelled)?;
            Ok(scale(height, amplitude, offset))
        }
        Description::Map { .. } => Err(NodeError::failed(
            "a description says Map, and no map is given for it",
            "add a DescribeTerrain of that name",
        )),
    }
}

/// One of several fields' progress: told by whole fields, heeding that the node is to stop.
struct Told<'a, 'b> {
    report: Report<'a, 'b>,
    done: &'a AtomicUsize,
    count: usize,
}

impl Progress for Told<'_, '_> {
    fn report(&self, _: f64) -> Result<(), terrane_kernels::Cancelled> {
        self.report.report(self.done.load(Ordering::Relaxed) as f64 / self.count as f64)
    }
}
