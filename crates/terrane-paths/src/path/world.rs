//! Paths over a plane of patches: the points whose heights patches must agree on, and the paths that affect a
//! patch.

use std::collections::HashMap;

use terrane_grid::{PlanarGraph, Tiling};

use super::boxes::Boxes;
use super::profile::Link;
use super::shared::BOUND_SHARE;
use super::straight::{Frame, Place, at_column, at_row, straight};

/// Points of paths whose heights patches must agree on: nodes, and crossings of edges with borders of
/// patches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// Samples, relative to the world's origin.
    pub places: Vec<Place>,
    /// Per sample, the maximum slope of the flattest path there.
    pub slopes: Vec<f64>,
    /// Limits on the differences of their heights.
    pub links: Vec<Link>,
}

/// Why a graph is too large for a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WorldError {
    /// A node lies too many samples from the origin.
    TooFar {
        /// The node.
        node: usize,
    },
    /// Edges cross too many borders.
    TooMany,
}

/// Nodes farther than this from the origin, in samples, are rejected.
const FARTHEST: f64 = (1u64 << 40) as f64;

/// The maximum number of anchors in a world.
pub const MOST_ANCHORS: usize = 1 << 22;

/// The samples nearest to a graph's nodes, relative to the world's origin.
///
/// # Errors
/// [`WorldError::TooFar`].
pub fn stations(graph: &PlanarGraph, spacing: f64) -> Result<Vec<Place>, WorldError> {
    let along = |place: f64| libm::round(place / spacing);
    let station = |(node, &(x, y)): (usize, &(f64, f64))| {
        let (x, y) = (along(x), along(y));
        let near = x.abs() <= FARTHEST && y.abs() <= FARTHEST;
        near.then_some((x as i64, y as i64)).ok_or(WorldError::TooFar { node })
    };
    graph.nodes.iter().enumerate().map(station).collect()
}

/// The points of a graph whose heights patches must agree on, each once. The heights of two consecutive
/// points along an edge may differ by the rise of the edge's maximum slope along the straight line between
/// them. This rise is reduced by the share that is left for slopes across the line. The same holds for two
/// points that are nearer to each other than `near`, in world units; there the smaller of their slopes
/// counts.
///
/// # Errors
/// [`WorldError`].
pub fn anchors(
    graph: &PlanarGraph,
    slope_of: impl Fn(usize) -> f64,
    tiling: &Tiling,
    near: f64,
) -> Result<Anchors, WorldError> {
    let stations = stations(graph, tiling.spacing)?;
    let mut found = Finder::default();
    for (edge, &(a, b)) in graph.edges.iter().enumerate() {
        let (from, to) = (stations[a as usize], stations[b as usize]);
        let along = crossings(from, to, tiling).ok_or(WorldError::TooMany)?;
        if along.len() + found.out.places.len() > MOST_ANCHORS {
            return Err(WorldError::TooMany);
        }
        let slope = slope_of(edge);
        let numbers: Vec<u32> = along.iter().map(|&place| found.anchor(place, slope)).collect();
        for (ends, places) in numbers.windows(2).zip(along.windows(2)) {
            let most = BOUND_SHARE * slope * tiling.spacing * distance(places[0], places[1]);
            found.out.links.push(Link { ends: (ends[0], ends[1]), most });
        }
    }
    found.link_near(near / tiling.spacing, tiling.spacing);
    Ok(found.out)
}

/// The ends of an edge and its crossings with borders, from its first end to its second. `None` if there are
/// too many.
fn crossings(from: Place, to: Place, tiling: &Tiling) -> Option<Vec<Place>> {
    let steps = (tiling.size.0 as i64 - 1, tiling.size.1 as i64 - 1);
    let lines = |from: i64, to: i64, first: i64, step: i64| {
        let (low, high) = (from.min(to), from.max(to));
        let number = |place: i64| (place - first).div_euclid(step);
        let lines = number(low) + i64::from((low - first).rem_euclid(step) != 0)..=number(high);
        (lines.clone().count() <= MOST_ANCHORS).then(|| lines.map(move |line| first + line * step))
    };
    let mut all = vec![from, to];
    if from.0 != to.0 {
        all.extend(lines(from.0, to.0, tiling.first.0, steps.0)?.map(|x| at_column(from, to, x)));
    }
    if from.1 != to.1 {
        all.extend(lines(from.1, to.1, tiling.first.1, steps.1)?.map(|y| at_row(from, to, y)));
    }
    let (dx, dy) = (i128::from(to.0 - from.0), i128::from(to.1 - from.1));
    all.sort_by_key(|&(x, y)| (dx * i128::from(x - from.0) + dy * i128::from(y - from.1), x, y));
    all.dedup();
    Some(all)
}

/// The distance in samples.
fn distance(a: Place, b: Place) -> f64 {
    let (dx, dy) = ((a.0 - b.0) as f64, (a.1 - b.1) as f64);
    (dx * dx + dy * dy).sqrt()
}

#[derive(Default)]
struct Finder {
    known: HashMap<Place, u32>,
    out: Anchors,
}

impl Finder {
    fn anchor(&mut self, place: Place, slope: f64) -> u32 {
        let Self { known, out: Anchors { places, slopes, .. } } = self;
        let number = *known.entry(place).or_insert_with(|| {
            places.push(place);
            slopes.push(slope);
            places.len() as u32 - 1
        });
        slopes[number as usize] = slopes[number as usize].min(slope);
        number
    }

    /// Links anchors that are nearer to each other than `near`, using a grid of squares of that size, whose
    /// rows are traversed in parallel.
    fn link_near(&mut self, near: f64, spacing: f64) {
        let side = (near as i64).max(1);
        let Anchors { places, slopes, links } = &mut self.out;
        let of = |(&(x, y), at): (&Place, u32)| (y.div_euclid(side), x.div_euclid(side), at);
        let mut squares: Vec<(i64, i64, u32)> = places.iter().zip(0..).map(of).collect();
        squares.sort_unstable();
        // For each of the three rows, the first anchor that is not too far left.
        let mut next = [0; 3];
        let mut found = Vec::new();
        for &(j, i, at) in &squares {
            for (row, next) in (j - 1..=j + 1).zip(&mut next) {
                while squares.get(*next).is_some_and(|square| (square.0, square.1) < (row, i - 1)) {
                    *next += 1;
                }
                let around =
                    squares[*next..].iter().take_while(|square| (square.0, square.1) <= (row, i + 1));
                // Each pair is linked once, from the later of the two anchors.
                for &(_, column, other) in around.filter(|square| square.2 < at) {
                    let apart = distance(places[at as usize], places[other as usize]);
                    if apart < near {
                        let slope = slopes[at as usize].min(slopes[other as usize]);
                        let link = Link { ends: (other, at), most: BOUND_SHARE * slope * spacing * apart };
                        found.push(((at, column, row, other), link));
                    }
                }
            }
        }
        found.sort_unstable_by_key(|(order, _)| *order);
        links.extend(found.into_iter().map(|(_, link)| link));
    }
}

/// A graph over a plane of samples, with queries by position.
#[derive(Clone, Debug)]
pub struct Plane {
    graph: PlanarGraph,
    /// The samples of the nodes.
    stations: Vec<Place>,
    nodes: Boxes,
    edges: Boxes,
}

impl Plane {
    /// Indexes a graph, given the samples of its nodes.
    #[must_use]
    pub fn new(graph: PlanarGraph, stations: Vec<Place>) -> Self {
        let around = |(a, b): (Place, Place)| Frame {
            low: (a.0.min(b.0), a.1.min(b.1)),
            high: (a.0.max(b.0), a.1.max(b.1)),
        };
        let nodes = Boxes::new(stations.iter().map(|&place| around((place, place))));
        let ends = |&(a, b): &(u32, u32)| around((stations[a as usize], stations[b as usize]));
        let edges = Boxes::new(graph.edges.iter().map(ends));
        Self { graph, stations, nodes, edges }
    }

    /// The part of the graph that affects samples of a frame: whole edges whose straight line enters it, and
    /// nodes inside it. Also returns, per edge, its edge in the whole graph.
    #[must_use]
    pub fn concerning(&self, frame: Frame) -> (PlanarGraph, Vec<usize>) {
        let Self { graph, stations, .. } = self;
        let mut part = PlanarGraph::default();
        let mut numbers: HashMap<usize, u32> = HashMap::new();
        let mut edges: Vec<usize> = self.edges.near(frame).into_iter().map(|edge| edge as usize).collect();
        edges.retain(|&edge| {
            let (a, b) = graph.edges[edge];
            !straight(stations[a as usize], stations[b as usize], frame).is_empty()
        });
        let standing = self.nodes.near(frame).into_iter().map(|node| node as usize);
        let standing = standing.filter(|&node| frame.contains(stations[node]));
        let ends = edges.iter().flat_map(|&edge| [graph.edges[edge].0, graph.edges[edge].1]);
        for node in standing.chain(ends.map(|node| node as usize)) {
            numbers.entry(node).or_insert_with(|| {
                part.nodes.push(graph.nodes[node]);
                part.nodes.len() as u32 - 1
            });
        }
        let number = |node: u32| numbers.get(&(node as usize)).copied();
        part.edges = edges
            .iter()
            .filter_map(|&edge| number(graph.edges[edge].0).zip(number(graph.edges[edge].1)))
            .collect();
        (part, edges)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    fn tiling() -> Tiling {
        Tiling::new(&Domain::new(9, 9).with_spacing(0.5).with_origin(1.0, 0.0)).unwrap()
    }

    #[test]
    fn crossings_by_hand() {
        // Borders are at 2, 10, 18 ... along x, 0, 8, 16 ... along y.
        assert_eq!(
            crossings((0, 0), (20, 10), &tiling()).unwrap(),
            [(0, 0), (2, 1), (10, 5), (16, 8), (18, 9), (20, 10)]
        );
        assert_eq!(crossings((10, 3), (10, -3), &tiling()).unwrap(), [(10, 3), (10, 0), (10, -3)]);
        let graph = PlanarGraph { nodes: vec![(0.0, 0.0), (10.0, 5.0), (10.0, 6.0)], edges: vec![(0, 1)] };
        let found = anchors(&graph, |_| 0.2, &tiling(), 1.5).unwrap();
        assert_eq!(found.places.len(), 6);
        let steps: Vec<(u32, u32)> = found.links.iter().map(|link| link.ends).collect();
        // First the links along the edge, then those between points that are nearer than three samples to
        // each other.
        assert_eq!(steps, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 1), (3, 4), (4, 5)]);
        assert!((found.links[1].most - BOUND_SHARE * 0.2 * 0.5 * 80.0f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn oversized_graphs_are_rejected() {
        let graph = PlanarGraph { nodes: vec![(0.0, 0.0), (1e300, 0.0)], edges: vec![(0, 1)] };
        assert_eq!(anchors(&graph, |_| 1.0, &tiling(), 1.0), Err(WorldError::TooFar { node: 1 }));
        let graph = PlanarGraph { nodes: vec![(0.0, 0.0), (4e11, 7.0)], edges: vec![(0, 1)] };
        assert_eq!(anchors(&graph, |_| 1.0, &tiling(), 1.0), Err(WorldError::TooMany));
    }

    proptest! {
        /// Crossings are samples of the straight line, and every patch border that the line crosses has one.
        #[test]
        fn crossings_lie_on_the_line(from in (-40i64..40, -40i64..40), to in (-40i64..40, -40i64..40)) {
            let frame = Frame { low: (-50, -50), high: (50, 50) };
            let line = straight(from, to, frame);
            let found = crossings(from, to, &tiling()).unwrap();
            prop_assert!(found.iter().all(|place| line.contains(place)));
            for pair in line.windows(2) {
                let border = |place: Place| (place.0 - 2).rem_euclid(8) == 0 || place.1.rem_euclid(8) == 0;
                if border(pair[1]) && !border(pair[0]) {
                    prop_assert!(found.iter().any(|&place| border(place) && distance(place, pair[1]) < 80.0));
                }
            }
        }

        /// All near pairs are linked once, whatever their order.
        #[test]
        fn near_anchors_are_linked(
            places in proptest::collection::btree_set((-30i64..30, -30i64..30), 1..40), near in 0.5f64..20.0
        ) {
            let mut found = Finder::default();
            for &place in places.iter().rev() {
                found.anchor(place, 1.0);
            }
            found.link_near(near, 1.0);
            let Anchors { places, links, .. } = found.out;
            let mut ends: Vec<(u32, u32)> = links.iter().map(|link| link.ends).collect();
            ends.sort_unstable();
            let all = (0..places.len() as u32).flat_map(|a| (0..places.len() as u32).map(move |b| (a, b)));
            let near: Vec<(u32, u32)> = all
                .filter(|&(a, b)| a < b && distance(places[a as usize], places[b as usize]) < near)
                .collect();
            prop_assert_eq!(ends, near);
        }

        #[test]
        fn all_paths_that_enter_a_frame_affect_it(
            places in proptest::collection::vec((-20i64..20, -20i64..20), 2..12),
        ) {
            let nodes: Vec<(f64, f64)> = places.iter().map(|&(x, y)| (x as f64, y as f64)).collect();
            let edges: Vec<(u32, u32)> = (1..places.len() as u32 - 1).map(|node| (node - 1, node)).collect();
            let graph = PlanarGraph { nodes, edges };
            let frame = Frame { low: (-5, -5), high: (5, 5) };
            let (part, from) = Plane::new(graph.clone(), places.clone()).concerning(frame);
            for (edge, &old) in from.iter().enumerate() {
                prop_assert_eq!(part.ends(edge), graph.ends(old));
            }
            for edge in 0..graph.edges.len() {
                let (a, b) = graph.edges[edge];
                let comes = !straight(places[a as usize], places[b as usize], frame).is_empty();
                prop_assert_eq!(from.contains(&edge), comes);
            }
            for (node, &place) in places.iter().enumerate() {
                prop_assert!(!frame.contains(place) || part.nodes.contains(&graph.nodes[node]));
            }
        }
    }
}
