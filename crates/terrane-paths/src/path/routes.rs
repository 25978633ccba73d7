//! Routes of a graph's edges over the terrain.

use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::builder::Road;
use super::edge_route::{EdgeRoute, Searched};
use super::error::SubdivideError;
use super::parameters::{Borders, Subdivide};
use super::parting::part;
use super::point::Point;
use super::route_finder::{End, RouteFinder, Search};
use super::straight::{Frame, Place, beside, straight};
use super::terrain::Terrain;
use crate::Progress;

/// The samples of nodes and edges, relative to the patch's first sample.
pub struct Routes {
    /// The sample of each node.
    pub stations: Vec<Place>,
    /// The samples of each edge, from its first node to its second, as far as they affect the patch.
    pub paths: Vec<Vec<Place>>,
    /// The points between which each edge's route is straight, as far as it lies on the patch.
    pub lines: Vec<Vec<Point>>,
    /// Number of samples that routes extend beyond the patch.
    pub beyond: usize,
}

/// Nodes farther than this from the patch, in samples, are rejected.
const FARTHEST: f64 = (1u64 << 40) as f64;

/// The maximum reach beyond a patch, in samples. For a patch that is wider than this, the maximum is the
/// patch's width, so that memory grows with the patch.
const WIDEST: usize = 1024;

/// The routes of all edges. With [`Borders::Shared`] routes are straight near the border, so that both sides
/// compute the same samples. Cheapest routes are used only where their constraints do not reach the border.
/// With other borders, routes are the cheapest along their whole length, and all nodes must lie on the patch.
pub fn routes(
    map: &Heightmap,
    graph: &PlanarGraph,
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Routes, SubdivideError> {
    let domain = map.domain();
    let patch = Frame { low: (0, 0), high: (domain.width() as i64 - 1, domain.height() as i64 - 1) };
    let stations = stations(&domain, graph).collect::<Result<Vec<Place>, _>>()?;
    let shared = parameters.borders == Borders::Shared;
    // The constraints of cheapest routes must not reach the samples next to the border on either side.
    let reach = if shared { libm::floor(parameters.reach() / domain.spacing) + 2.0 } else { 0.0 };
    let most = domain.width().max(domain.height()).max(WIDEST);
    if reach > most as f64 {
        return Err(SubdivideError::TooWide {
            reach: parameters.reach(),
            most: most as f64 * domain.spacing,
        });
    }
    let reach = reach as i64;
    let outside = |node: usize| !shared && !patch.contains(stations[node]);
    if let Some(node) = (0..stations.len()).find(|&node| outside(node)) {
        return Err(SubdivideError::Outside { node });
    }
    let all = grown(patch, reach);
    let inner = if shared { grown(patch, -reach) } else { patch };
    let Search { costs, cost_map, forbidden } = parameters.search;
    let terrain = Terrain::new(map, cost_map, forbidden, inner)?;
    let mut ground = RouteFinder::new(&terrain, costs, progress)?;
    let mut edges = Vec::with_capacity(graph.edges.len());
    // A search uses a single maximum slope: the minimum of a map, since that may apply anywhere.
    let max_slope = parameters.details.max_slope.map_or(parameters.max_slope, |slopes| {
        slopes.samples().iter().fold(f64::INFINITY, |minimum, &slope| minimum.min(f64::from(slope)))
    });
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let (from, to) = (stations[a as usize], stations[b as usize]);
        if from == to {
            return Err(SubdivideError::TooShort { edge });
        }
        for (node, station) in [(a, from), (b, to)] {
            if terrain.forbids(station) {
                return Err(SubdivideError::Forbidden { node: node as usize, edge });
            }
        }
        let line = straight(from, to, all);
        let ends = line.iter().position(|&place| inner.contains(place));
        let ends = ends.zip(line.iter().rposition(|&place| inner.contains(place)));
        let Some((first, last)) = ends.filter(|(first, last)| first < last) else {
            check_free(&line, &terrain, edge)?;
            edges.push(EdgeRoute { stations: [from, to], line, searched: None });
            continue;
        };
        check_free(&line[..=first], &terrain, edge)?;
        check_free(&line[last..], &terrain, edge)?;
        let ends = [line[first], line[last]].map(|place| relative_to(place, inner.low));
        if let Some(end) = ends.iter().position(|&end| !ground.is_crossed(end)) {
            return Err(SubdivideError::NoHeight { edge, at: [line[first], line[last]][end] });
        }
        let of_edge = |numbers: &[f64], all: f64| numbers.get(edge).copied().unwrap_or(all);
        let road = Road {
            width: of_edge(parameters.details.edge_widths, parameters.width),
            max_slope: of_edge(parameters.edge_slopes, max_slope),
        };
        let low = (inner.low.0 as f64, inner.low.1 as f64);
        let inside = |at: usize| {
            let (x, y) = beside(from, to, line[at]);
            (x - low.0, y - low.1)
        };
        let beyond = [first.checked_sub(1), Some(last + 1).filter(|&at| at < line.len())];
        let end =
            |sample, at, before: Option<usize>| End { sample, point: inside(at), before: before.map(inside) };
        let between = [first, last];
        let (samples, ends) = (ends, [end(ends[0], first, beyond[0]), end(ends[1], last, beyond[1])]);
        let Some(way) = ground.way(ends, road, progress)? else {
            let reached = [ground.reached(samples[0], progress)?, ground.reached(samples[1], progress)?];
            let (node, at) = if reached[1] < reached[0] { (b, line[last]) } else { (a, line[first]) };
            let reached = reached[0].min(reached[1]);
            return Err(SubdivideError::Enclosed { node: node as usize, edge, at, reached });
        };
        let searched = Some(Searched { between, ends, road, way });
        edges.push(EdgeRoute { stations: [from, to], line, searched });
    }
    if ground.bends() {
        part(&mut edges, graph, &mut ground, domain.spacing, progress)?;
    }
    let paths: Vec<Vec<Place>> = edges.iter().map(|edge| edge.samples(inner.low)).collect();
    let on_patch = |&(x, y): &Place| patch.contains((x, y)).then_some((x as f64, y as f64));
    let lines = if ground.bends() {
        edges.iter().map(|edge| edge.curve(inner.low, patch)).collect()
    } else {
        paths.iter().map(|path| path.iter().filter_map(on_patch).collect()).collect()
    };
    Ok(Routes { stations, paths, lines, beyond: reach as usize })
}

/// Columns and rows relative to a frame's first sample.
const fn relative_to((x, y): Place, low: Place) -> (usize, usize) {
    ((x - low.0) as usize, (y - low.1) as usize)
}

/// Rejects a straight part of a route that touches a forbidden sample, even at a corner.
fn check_free(line: &[Place], terrain: &Terrain<'_>, edge: usize) -> Result<(), SubdivideError> {
    let corners = line.windows(2).flat_map(|pair| [(pair[0].0, pair[1].1), (pair[1].0, pair[0].1)]);
    match line.iter().copied().chain(corners).find(|&place| terrain.forbids(place)) {
        Some(at) => Err(SubdivideError::ForbiddenBorder { edge, at }),
        None => Ok(()),
    }
}

/// The samples nearest to a graph's nodes. They are first computed relative to the world's origin, so that
/// all patches of a world agree.
fn stations(domain: &Domain, graph: &PlanarGraph) -> impl Iterator<Item = Result<Place, SubdivideError>> {
    let along = |origin: f64, spacing: f64| {
        let first = libm::round(origin / spacing);
        let phase = origin - first * spacing;
        move |place: f64| libm::round((place - phase) / spacing) - first
    };
    let (column, row) = (along(domain.origin.0, domain.spacing), along(domain.origin.1, domain.spacing));
    graph.nodes.iter().enumerate().map(move |(node, &(x, y))| {
        let (column, row) = (column(x), row(y));
        let near = column.abs() <= FARTHEST && row.abs() <= FARTHEST;
        near.then_some((column as i64, row as i64)).ok_or(SubdivideError::Outside { node })
    })
}

/// A frame grown by `by` samples on each side, or shrunk if `by` is negative.
const fn grown(Frame { low, high }: Frame, by: i64) -> Frame {
    Frame { low: (low.0 - by, low.1 - by), high: (high.0 + by, high.1 + by) }
}

#[cfg(test)]
mod tests;
