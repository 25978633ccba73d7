//! Ways of a graph's edges over the terrain.

use std::borrow::Cow;

use terrane_grid::{Domain, Heightmap, PlanarGraph};

use super::search::cheapest_way;
use super::straight::{Frame, Place, straight};
use super::subdivision::{Borders, Subdivide, SubdivideError};
use crate::Progress;

/// Where nodes stand and how edges run, counted from the patch's first sample.
pub struct Ways {
    /// The sample of each node.
    pub stations: Vec<Place>,
    /// The samples of each edge, from its first node to its second, as far as they matter to the patch.
    pub paths: Vec<Vec<Place>>,
    /// How many samples beyond the patch they reach.
    pub beyond: usize,
}

/// Nodes farther than this from the patch, in samples, are a mistake.
const FARTHEST: f64 = (1u64 << 40) as f64;

/// The ways of all edges. With [`Borders::Shared`] near the border they are straight, so that they are the same seen from both sides, and the cheapest only
/// where nothing that they ask for reaches the border; elsewhere they are the cheapest all along, and all nodes lie on the patch.
pub fn ways(
    map: &Heightmap,
    graph: &PlanarGraph,
    parameters: &Subdivide<'_>,
    progress: &dyn Progress,
) -> Result<Ways, SubdivideError> {
    let domain = map.domain();
    let patch = Frame { low: (0, 0), high: (domain.width() as i64 - 1, domain.height() as i64 - 1) };
    let stations = stations(&domain, graph).collect::<Result<Vec<Place>, _>>()?;
    let shared = parameters.borders == Borders::Shared;
    // What the cheapest ways ask for must not reach the samples next to the border on either side.
    let reach = if shared { libm::floor(parameters.reach() / domain.spacing) as i64 + 2 } else { 0 };
    let mut paths = Vec::with_capacity(graph.edges.len());
    let outside = |node: usize| !shared && !patch.contains(stations[node]);
    if let Some(node) = (0..stations.len()).find(|&node| outside(node)) {
        return Err(SubdivideError::Outside { node });
    }
    let all = grown(patch, reach);
    let inner = if shared { grown(patch, -reach) } else { patch };
    let ground = Ground::new(map, inner);
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let (from, to) = (stations[a as usize], stations[b as usize]);
        if from == to {
            return Err(SubdivideError::TooShort { edge });
        }
        let line = straight(from, to, all);
        let ends = line.iter().position(|&place| inner.contains(place));
        let ends = ends.zip(line.iter().rposition(|&place| inner.contains(place)));
        paths.push(match ends {
            Some((first, last)) if first < last => {
                let way = ground.way(line[first], line[last], parameters, progress)?;
                let way = way.ok_or(SubdivideError::NoWay { edge })?;
                line[..first].iter().copied().chain(way).chain(line[last + 1..].iter().copied()).collect()
            }
            _ => line,
        });
    }
    Ok(Ways { stations, paths, beyond: reach as usize })
}

/// The samples nearest to a graph's nodes. They are counted from the world's origin first, so that all patches of a world agree.
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

/// A frame with so many more samples on each side, or fewer.
const fn grown(Frame { low, high }: Frame, by: i64) -> Frame {
    Frame { low: (low.0 - by, low.1 - by), high: (high.0 + by, high.1 + by) }
}

/// The part of the terrain where the cheapest ways are looked for.
struct Ground<'a> {
    frame: Frame,
    heights: Cow<'a, Heightmap>,
}

impl<'a> Ground<'a> {
    fn new(map: &'a Heightmap, frame: Frame) -> Self {
        let count = |low: i64, high: i64| (high - low + 1).max(0) as usize;
        let size = (count(frame.low.0, frame.high.0), count(frame.low.1, frame.high.1));
        let heights = if size == map.domain().size {
            Cow::Borrowed(map)
        } else {
            let sample = |x: usize, y: usize| {
                let (column, row) = (frame.low.0 as usize + x, frame.low.1 as usize + y);
                map.samples()[row * map.width() + column]
            };
            Cow::Owned(Heightmap::from_fn(Domain { size, ..map.domain() }, sample))
        };
        Self { frame, heights }
    }

    fn way(
        &self,
        from: Place,
        to: Place,
        parameters: &Subdivide<'_>,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Place>>, SubdivideError> {
        let width = self.heights.width();
        let (left, top) = self.frame.low;
        let index = |(x, y): Place| (y - top) as usize * width + (x - left) as usize;
        let found = cheapest_way(&self.heights, (index(from), index(to)), parameters.costs, progress)?;
        let place = |at: u32| (left + i64::from(at) % width as i64, top + i64::from(at) / width as i64);
        Ok(found.map(|(way, _)| way.into_iter().map(place).collect()))
    }
}
