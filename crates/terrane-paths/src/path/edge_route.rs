//! The route of an edge: straight near shared borders, and searched between.

use super::builder::Road;
use super::point::Point;
use super::route_finder::{End, Way};
use super::straight::{Frame, Place, clipped};

/// The route of an edge, from its first node to its second.
pub struct EdgeRoute {
    /// The samples of the nodes.
    pub stations: [Place; 2],
    /// The samples of the straight line between the nodes, as far as they matter to the patch.
    pub line: Vec<Place>,
    /// The part that leaves the straight line, if any.
    pub searched: Option<Searched>,
}

/// The searched part of an edge's route.
pub struct Searched {
    /// The first and the last sample of the straight line between which the route is searched.
    pub between: [usize; 2],
    /// Its ends, relative to the first sample of the searched ground.
    pub ends: [End; 2],
    /// The road to build.
    pub road: Road,
    /// The result of the search.
    pub way: Way,
}

impl EdgeRoute {
    /// All samples of the route. `low` is the first sample of the searched ground.
    pub fn samples(&self, low: Place) -> Vec<Place> {
        let Some(Searched { between: [first, last], way, .. }) = &self.searched else {
            return self.line.clone();
        };
        let middle = way.samples.iter().map(|&(x, y)| (x as i64 + low.0, y as i64 + low.1));
        let (before, after) = (&self.line[..*first], &self.line[last + 1..]);
        before.iter().copied().chain(middle).chain(after.iter().copied()).collect()
    }

    /// The points between which the route is straight, as far as it lies on the patch.
    pub fn curve(&self, low: Place, patch: Frame) -> Vec<Point> {
        let [from, to] = self.stations;
        let outer = clipped(from, to, patch);
        let Some(Searched { ends, way, .. }) = &self.searched else {
            return outer.map_or_else(Vec::new, Vec::from);
        };
        let beyond = |end: usize| outer.filter(|_| ends[end].before.is_some()).map(|outer| outer[end]);
        let middle = way.line.iter().map(|&(x, y)| (x + low.0 as f64, y + low.1 as f64));
        beyond(0).into_iter().chain(middle).chain(beyond(1)).collect()
    }
}
