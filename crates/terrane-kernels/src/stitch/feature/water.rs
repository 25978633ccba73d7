//! Where water runs along a network, and how high its beds are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::network::{Leaves, Network};
use crate::{Cancelled, Progress};

/// After so many places a loop asks whether to go on.
const AT_ONCE: usize = 1 << 14;

/// Places along the edges of a network: its nodes first, in their order, then those between the ends of each
/// edge, edge by edge.
pub struct Water<'a> {
    pub network: &'a Network<'a>,
    /// Above what the bed may not be.
    pub most: Vec<f64>,
    /// Of places between ends: the edge, and how far along.
    pub between: Vec<(usize, f64)>,
    /// The first of each edge among them, and their count.
    pub first: Vec<usize>,
}

/// The way of water from each place.
pub struct Ways {
    /// Places, each after the one that its water runs to.
    pub order: Vec<usize>,
    /// Where water runs to, and how far that is; none where it is gone.
    pub to: Vec<Option<(usize, f64)>>,
}

impl Water<'_> {
    /// The places between the ends of an edge.
    pub fn of_edge(&self, edge: usize) -> std::ops::Range<usize> {
        let nodes = self.network.nodes.len();
        nodes + self.first[edge]..nodes + self.first[edge + 1]
    }

    /// Tells of the places beside a place, and how far they are.
    fn beside(&self, place: usize, mut tell: impl FnMut(usize, f64)) {
        let (network, nodes) = (self.network, self.network.nodes.len());
        if let Some(&(edge, along)) = place.checked_sub(nodes).and_then(|index| self.between.get(index)) {
            let (places, length) = (self.of_edge(edge), network.edges[edge].line.length);
            if place == places.start {
                tell(network.ends[edge][0], along);
            } else {
                tell(place - 1, along - self.between[place - 1 - nodes].1);
            }
            if place + 1 == places.end {
                tell(network.ends[edge][1], length - along);
            } else {
                tell(place + 1, self.between[place + 1 - nodes].1 - along);
            }
            return;
        }
        for &edge in &network.around[place] {
            let (places, length) = (self.of_edge(edge), network.edges[edge].line.length);
            if places.is_empty() {
                tell(network.other(edge, place), length);
            } else if network.ends[edge][0] == place {
                tell(places.start, self.between[places.start - nodes].1);
            } else {
                tell(places.end - 1, length - self.between[places.end - 1 - nodes].1);
            }
        }
    }

    fn leaves(&self, place: usize) -> Leaves {
        self.network.nodes.get(place).map_or(Leaves::No, |node| node.leaves)
    }

    /// Where water stays: the lowest place of each part of the network where none leaves, and of each hollow
    /// out of which it would have to cut deeper than `deepest`.
    ///
    /// Places are taken from the lowest up, and hollows that meet become one. The one with the higher bottom
    /// ends there: that far it is below the way out of it (its persistence; Edelsbrunner et al. 2002).
    /// O(places · log).
    pub fn lakes(&self, deepest: f64, progress: &dyn Progress) -> Result<Vec<usize>, Cancelled> {
        // Beyond the map there is no way up; what leaves is below all.
        let level = |place: usize| match self.leaves(place) {
            Leaves::Beyond => f64::NEG_INFINITY,
            Leaves::No | Leaves::Border => self.most[place],
        };
        let height = |place: usize| match self.leaves(place) {
            Leaves::No => self.most[place],
            Leaves::Border | Leaves::Beyond => f64::NEG_INFINITY,
        };
        let mut rising: Vec<usize> = (0..self.most.len()).collect();
        rising.sort_by(|&a, &b| level(a).total_cmp(&level(b)).then(a.cmp(&b)));
        let all: Vec<usize> = (0..self.most.len()).collect();
        let mut hollows = Hollows { of: all.clone(), bottoms: all };
        let mut lakes = Vec::new();
        let mut below = vec![false; self.most.len()];
        for (count, &place) in rising.iter().enumerate() {
            if count % AT_ONCE == 0 {
                progress.report(0.0)?;
            }
            below[place] = true;
            self.beside(place, |other, _| {
                if !below[other] {
                    return;
                }
                let (a, b) = (hollows.find(place), hollows.find(other));
                if a == b {
                    return;
                }
                let [low, high] = [a, b].map(|hollow| hollows.bottoms[hollow]);
                let lower = height(low).total_cmp(&height(high)).then(low.cmp(&high)).is_le();
                let (low, high) = if lower { (low, high) } else { (high, low) };
                if height(high) > f64::NEG_INFINITY && level(place) - height(high) > deepest {
                    lakes.push(high);
                }
                hollows.of[b] = a;
                hollows.bottoms[a] = low;
            });
        }
        let parts = (0..self.most.len()).filter(|&place| hollows.of[place] == place);
        lakes.extend(parts.map(|part| hollows.bottoms[part]).filter(|&low| height(low) > f64::NEG_INFINITY));
        Ok(lakes)
    }

    /// The ways on which water climbs least to where it leaves or stays, and of these rather short ones
    /// (priority-flood; Barnes et al. 2014). O(places · log).
    pub fn ways(&self, lakes: &[usize], progress: &dyn Progress) -> Result<Ways, Cancelled> {
        let mut to = vec![None; self.most.len()];
        let (mut order, mut done) = (Vec::with_capacity(to.len()), vec![false; to.len()]);
        let mut queue = BinaryHeap::new();
        let key = |level: f64, way: f64| (Bits::of(level), Bits::of(way));
        for place in 0..self.network.nodes.len() {
            match self.leaves(place) {
                Leaves::No => {}
                Leaves::Border => queue.push(Reverse((key(self.most[place], 0.0), place, None))),
                Leaves::Beyond => queue.push(Reverse((key(f64::NEG_INFINITY, 0.0), place, None))),
            }
        }
        queue.extend(lakes.iter().map(|&place| Reverse((key(self.most[place], 0.0), place, None))));
        while let Some(Reverse(((level, way), place, by))) = queue.pop() {
            if std::mem::replace(&mut done[place], true) {
                continue;
            }
            if order.len() % AT_ONCE == 0 {
                progress.report(0.0)?;
            }
            order.push(place);
            to[place] = by.map(|(from, far)| (from, f64::from_bits(far)));
            self.beside(place, |other, far| {
                if !done[other] {
                    let key = key(level.number().max(self.most[other]), way.number() + far);
                    queue.push(Reverse((key, other, Some((place, far.to_bits())))));
                }
            });
        }
        Ok(Ways { order, to })
    }

    /// The highest beds that fall by `fall` at least on all ways, and are nowhere above what they may be.
    pub fn highest(&self, ways: &Ways, fall: f64) -> Vec<f64> {
        let mut beds = self.most.clone();
        for &place in ways.order.iter().rev() {
            if let Some((to, far)) = ways.to[place] {
                beds[to] = beds[to].min(beds[place] - fall * far);
            }
        }
        beds
    }
}

/// Places that belong together, by a tree.
struct Hollows {
    of: Vec<usize>,
    /// The lowest place, for those that stand for all.
    bottoms: Vec<usize>,
}

impl Hollows {
    fn find(&mut self, mut place: usize) -> usize {
        while self.of[place] != place {
            self.of[place] = self.of[self.of[place]];
            place = self.of[place];
        }
        place
    }
}

/// A number that can be ordered, as all but those that are none are.
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
