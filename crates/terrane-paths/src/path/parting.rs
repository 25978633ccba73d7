//! Searches routes again that leave a node by the same way.

use terrane_grid::PlanarGraph;

use super::edge_route::{EdgeRoute, Searched};
use super::junctions::{Sector, leave_together, spread};
use super::point::{Point, apart};
use super::route_finder::RouteFinder;
use crate::{Cancelled, Progress};

/// The radius of sectors, in widths of the widest road at the node or in spacings, whichever is wider.
const RADIUS: f64 = 8.0;

/// The most that a route which leaves a node apart from others may cost, as a multiple of the cheapest route.
const DEAREST: f64 = 1.5;

/// Searches the routes of edges again that leave a node within sixty degrees of another edge's route: a road
/// through the node would return along itself. Ground near the node is then dearer for each edge outside of
/// its own [`Sector`], whose direction is that of the edge's other node, moved apart from those of the other
/// edges. All routes are searched at most twice, and none depends on the order of edges. Routes that are
/// straight at a node stay, and so do those that would cost more than [`DEAREST`] times as much.
pub fn part(
    edges: &mut [EdgeRoute],
    graph: &PlanarGraph,
    ground: &mut RouteFinder,
    spacing: f64,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    let mut sectors: Vec<Vec<Sector>> = vec![Vec::new(); edges.len()];
    for node in 0..graph.nodes.len() as u32 {
        let mut leaving = Vec::new();
        for (edge, &(a, b)) in graph.edges.iter().enumerate() {
            let end = usize::from(b == node);
            leaving.extend((a == node || b == node).then(|| Leaving::of(edges, edge, end)).flatten());
        }
        let Some(radius) = radius(&leaving, spacing) else { continue };
        let meets_another = |one: &Leaving<'_>| {
            let mut others = leaving.iter().filter(|other| other.edge != one.edge);
            others.any(|other| leave_together(&one.line, &other.line, radius))
        };
        let directions: Vec<(f64, f64)> = leaving.iter().map(|one| one.direction).collect();
        for (one, direction) in leaving.iter().zip(spread(&directions)) {
            if meets_another(one) {
                sectors[one.edge].push(Sector { node: one.line[0], direction, radius });
            }
        }
    }
    for (edge, sectors) in edges.iter_mut().zip(sectors).filter(|(_, sectors)| !sectors.is_empty()) {
        let Some(Searched { ends, road, way, .. }) = &mut edge.searched else { continue };
        if let Some(found) = ground.way_through(&sectors, *ends, *road, progress)?
            && ground.cost(&found, *road) <= DEAREST * ground.cost(way, *road)
        {
            *way = found;
        }
    }
    Ok(())
}

/// A route as it leaves a node.
struct Leaving<'a> {
    edge: usize,
    searched: &'a Searched,
    /// The route's points from the node on.
    line: Vec<Point>,
    /// The unit vector to the other end.
    direction: (f64, f64),
    /// The distance to the other end, in samples.
    distance: f64,
}

impl<'a> Leaving<'a> {
    /// The route of an edge at one of its ends, unless it is straight there.
    fn of(edges: &'a [EdgeRoute], edge: usize, end: usize) -> Option<Self> {
        let searched =
            edges[edge].searched.as_ref().filter(|searched| searched.ends[end].before.is_none())?;
        let mut line = searched.way.line.clone();
        if end == 1 {
            line.reverse();
        }
        let (from, to) = (line[0], line[line.len() - 1]);
        let distance = apart(from, to);
        let direction = ((to.0 - from.0) / distance, (to.1 - from.1) / distance);
        Some(Self { edge, searched, line, direction, distance })
    }
}

/// The radius of sectors around a node, in samples: at most half the distance to the nearest other node.
/// `None` if fewer than two routes leave the node.
fn radius(leaving: &[Leaving<'_>], spacing: f64) -> Option<f64> {
    let width = leaving.iter().map(|one| one.searched.road.width).fold(spacing, f64::max);
    let nearest = leaving.iter().map(|one| one.distance).fold(f64::INFINITY, f64::min);
    (leaving.len() > 1).then(|| (RADIUS * width / spacing).min(0.5 * nearest))
}
