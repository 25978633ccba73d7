//! Routes of water along a network, and heights of its beds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::network::{Leaves, Network};
use crate::{Cancelled, Progress};

/// Number of points between checks for cancellation.
const AT_ONCE: usize = 1 << 14;

/// Points along the edges of a network: its nodes first, in their order, then the points between the ends
/// of each edge, edge by edge.
pub struct Water<'a> {
    pub network: &'a Network<'a>,
    /// The bed's maximum height at each point.
    pub most: Vec<f64>,
    /// For points between ends: the edge, and the distance along it.
    pub between: Vec<(usize, f64)>,
    /// Index in `between` of the first point of each edge, and at the end the number of all these points.
    pub first: Vec<usize>,
}

/// The route of water from each point.
pub struct Ways {
    /// Points, each after the one that its water runs to.
    pub order: Vec<usize>,
    /// Where water runs to and how far that is; `None` where it leaves or stays.
    pub to: Vec<Option<(usize, f64)>>,
}

impl Water<'_> {
    /// The points between the ends of an edge.
    pub fn of_edge(&self, edge: usize) -> std::ops::Range<usize> {
        let nodes = self.network.nodes.len();
        nodes + self.first[edge]..nodes + self.first[edge + 1]
    }

    /// Calls `visit` with each neighbour of a point and its distance.
    fn beside(&self, point: usize, mut visit: impl FnMut(usize, f64)) {
        let (network, nodes) = (self.network, self.network.nodes.len());
        if let Some(&(edge, along)) = point.checked_sub(nodes).and_then(|index| self.between.get(index)) {
            let (points, length) = (self.of_edge(edge), network.edges[edge].line.length);
            if point == points.start {
                visit(network.ends[edge][0], along);
            } else {
                visit(point - 1, along - self.between[point - 1 - nodes].1);
            }
            if point + 1 == points.end {
                visit(network.ends[edge][1], length - along);
            } else {
                visit(point + 1, self.between[point + 1 - nodes].1 - along);
            }
            return;
        }
        for &edge in &network.around[point] {
            let (points, length) = (self.of_edge(edge), network.edges[edge].line.length);
            if points.is_empty() {
                visit(network.other(edge, point), length);
            } else if network.ends[edge][0] == point {
                visit(points.start, self.between[points.start - nodes].1);
            } else {
                visit(points.end - 1, length - self.between[points.end - 1 - nodes].1);
            }
        }
    }

    fn leaves(&self, point: usize) -> Leaves {
        self.network.nodes.get(point).map_or(Leaves::No, |node| node.leaves)
    }

    /// Where water stays: the lowest point of each part of the network without an outlet, and of each
    /// hollow whose outlet would need a cut deeper than `deepest`.
    ///
    /// Points are processed from the lowest up, and hollows that meet merge. The hollow with the higher
    /// bottom ends there: its depth below its outlet is its persistence (Edelsbrunner et al. 2002). O(points
    /// · log).
    pub fn lakes(&self, deepest: f64, progress: &dyn Progress) -> Result<Vec<usize>, Cancelled> {
        // Nothing drains upwards beyond the map; an outlet is below everything.
        let level = |point: usize| match self.leaves(point) {
            Leaves::Beyond => f64::NEG_INFINITY,
            Leaves::No | Leaves::Border => self.most[point],
        };
        let height = |point: usize| match self.leaves(point) {
            Leaves::No => self.most[point],
            Leaves::Border | Leaves::Beyond => f64::NEG_INFINITY,
        };
        let mut rising: Vec<usize> = (0..self.most.len()).collect();
        rising.sort_by(|&a, &b| level(a).total_cmp(&level(b)).then(a.cmp(&b)));
        let all: Vec<usize> = (0..self.most.len()).collect();
        let mut hollows = Hollows { of: all.clone(), bottoms: all };
        let mut lakes = Vec::new();
        let mut below = vec![false; self.most.len()];
        for (count, &point) in rising.iter().enumerate() {
            if count % AT_ONCE == 0 {
                progress.check()?;
            }
            below[point] = true;
            self.beside(point, |other, _| {
                if !below[other] {
                    return;
                }
                let (a, b) = (hollows.find(point), hollows.find(other));
                if a == b {
                    return;
                }
                let [low, high] = [a, b].map(|hollow| hollows.bottoms[hollow]);
                let lower = height(low).total_cmp(&height(high)).then(low.cmp(&high)).is_le();
                let (low, high) = if lower { (low, high) } else { (high, low) };
                if height(high) > f64::NEG_INFINITY && level(point) - height(high) > deepest {
                    lakes.push(high);
                }
                hollows.of[b] = a;
                hollows.bottoms[a] = low;
            });
        }
        let parts = (0..self.most.len()).filter(|&point| hollows.of[point] == point);
        lakes.extend(parts.map(|part| hollows.bottoms[part]).filter(|&low| height(low) > f64::NEG_INFINITY));
        Ok(lakes)
    }

    /// The routes on which water climbs least to where it leaves or stays, with a preference for short ones
    /// (priority-flood; Barnes et al. 2014). O(points · log).
    pub fn ways(&self, lakes: &[usize], progress: &dyn Progress) -> Result<Ways, Cancelled> {
        let mut to = vec![None; self.most.len()];
        let (mut order, mut done) = (Vec::with_capacity(to.len()), vec![false; to.len()]);
        let mut queue = BinaryHeap::new();
        let key = |level: f64, way: f64| (Bits::of(level), Bits::of(way));
        for point in 0..self.network.nodes.len() {
            match self.leaves(point) {
                Leaves::No => {}
                Leaves::Border => queue.push(Reverse((key(self.most[point], 0.0), point, None))),
                Leaves::Beyond => queue.push(Reverse((key(f64::NEG_INFINITY, 0.0), point, None))),
            }
        }
        queue.extend(lakes.iter().map(|&point| Reverse((key(self.most[point], 0.0), point, None))));
        while let Some(Reverse(((level, way), point, by))) = queue.pop() {
            if std::mem::replace(&mut done[point], true) {
                continue;
            }
            if order.len() % AT_ONCE == 0 {
                progress.check()?;
            }
            order.push(point);
            to[point] = by.map(|(from, far)| (from, f64::from_bits(far)));
            self.beside(point, |other, far| {
                if !done[other] {
                    let key = key(level.number().max(self.most[other]), way.number() + far);
                    queue.push(Reverse((key, other, Some((point, far.to_bits())))));
                }
            });
        }
        Ok(Ways { order, to })
    }

    /// The highest beds that fall by at least `fall` on all routes and stay within their maximum heights.
    pub fn highest(&self, ways: &Ways, fall: f64) -> Vec<f64> {
        let mut beds = self.most.clone();
        for &point in ways.order.iter().rev() {
            if let Some((to, far)) = ways.to[point] {
                beds[to] = beds[to].min(beds[point] - fall * far);
            }
        }
        beds
    }
}

/// Disjoint sets of points, as a forest.
struct Hollows {
    of: Vec<usize>,
    /// The lowest point, valid for set representatives.
    bottoms: Vec<usize>,
}

impl Hollows {
    fn find(&mut self, mut point: usize) -> usize {
        while self.of[point] != point {
            self.of[point] = self.of[self.of[point]];
            point = self.of[point];
        }
        point
    }
}

/// A float as an ordered integer, for all numbers except not-a-number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Bits(i64);

impl Bits {
    fn of(number: f64) -> Self {
        let bits = (number + 0.0).to_bits() as i64;
        Self(bits ^ (((bits >> 63) as u64) >> 1) as i64)
    }

    fn number(self) -> f64 {
        f64::from_bits((self.0 ^ (((self.0 >> 63) as u64) >> 1) as i64) as u64)
    }
}
