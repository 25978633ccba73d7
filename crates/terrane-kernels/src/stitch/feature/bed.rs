//! The heights of beds: down along a whole network of edges to where it runs out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::course::Edge;

/// A sample in the middle of a bed: the edge, how far along it, and the ground there, above which the bed may not be.
pub type Ground = (usize, f64, f64);

/// What is known of a node of a feature.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The ground.
    pub ground: f64,
    /// Whether water that comes here is gone: on the border of all fields, or beyond the map.
    pub outlet: bool,
    /// Whether only one edge of the feature has it.
    pub dead_end: bool,
}

/// The height of an edge's middle.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// The crest at both ends, from which sizes are counted.
    pub levels: [f64; 2],
    /// Whether the size rises from 0 at an end.
    pub ends: [bool; 2],
    /// Heights along the edge that the bed is not above; between them they are linear.
    pub most: Vec<(f64, f64)>,
}

impl Profile {
    /// The height that the bed may not be above.
    pub fn most_at(&self, along: f64) -> f64 {
        let next = self.most.partition_point(|&(at, _)| at <= along);
        let Some(&(end, to)) = self.most.get(next) else {
            return self.most.last().map_or(f64::INFINITY, |last| last.1);
        };
        match next.checked_sub(1).map(|before| self.most[before]) {
            Some((start, from)) => from + (to - from) * ((along - start) / (end - start)),
            None => to,
        }
    }
}

/// Finds beds that only lower ground, by little, and that never rise on the way to an outlet. For each edge its profile.
///
/// Water finds the ways to the outlets on which it must climb least (priority-flood); of edges that none takes the end with the lower bed is the lower one. So edges
/// are ways down without circles, and going along them each node's bed is the least of what its ground asks for and of all that comes in. Parts of a
/// network without an outlet run to their lowest node. Samples' ground is that of the map, so that where it dips below the even line all the bed
/// beyond lies lower. `size` is how deep a bed is, less than 0; on its way it falls by `fall` per unit at least. O((edges + samples) · log).
pub fn beds(
    edges: &[Edge],
    nodes: &BTreeMap<u32, Node>,
    mut ground: Vec<Ground>,
    size: f64,
    fall: f64,
) -> Vec<Profile> {
    ground.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2)));
    let mut network = Network::new(edges, nodes, &ground, size, fall);
    network.find_outlets();
    // The order in which water would rise to nodes.
    let (order, parents) = network.flood();
    let tree = |edge: usize, from: usize| parents[from] == Some(edge);
    let beds = network.solve(order.iter().rev().copied(), tree);
    let mut down: Vec<usize> = (0..order.len()).collect();
    let rank = ranks(&order);
    down.sort_by(|&a, &b| beds[b].total_cmp(&beds[a]).then(rank[b].cmp(&rank[a])));
    let place = ranks(&down);
    let below = |edge: usize, from: usize| place[network.other(edge, from)] > place[from];
    let beds = network.solve(down.iter().copied(), below);
    (0..edges.len())
        .map(|edge| {
            let [a, b] = network.ends[edge];
            network.profile(edge, if place[a] < place[b] { a } else { b }, &beds)
        })
        .collect()
}

/// Where each is in an order.
fn ranks(order: &[usize]) -> Vec<usize> {
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, &node)| ranks[node] = rank);
    ranks
}

struct Network<'a> {
    size: f64,
    fall: f64,
    edges: &'a [Edge],
    /// Nodes in the order of their numbers in the graph, which does not matter: where heights are equal places decide.
    nodes: Vec<Node>,
    places: Vec<(f64, f64)>,
    /// The bed that a node's own ground asks for.
    asked: Vec<f64>,
    /// Edges' ends among the nodes.
    ends: Vec<[usize; 2]>,
    /// Each edge's part of the samples.
    ground: Vec<&'a [Ground]>,
    /// Edges of each node.
    around: Vec<Vec<usize>>,
}

impl<'a> Network<'a> {
    fn new(
        edges: &'a [Edge],
        known: &BTreeMap<u32, Node>,
        ground: &'a [Ground],
        size: f64,
        fall: f64,
    ) -> Self {
        let numbers: BTreeMap<u32, usize> = known.keys().copied().zip(0..).collect();
        let nodes: Vec<Node> = known.values().copied().collect();
        let ends: Vec<[usize; 2]> = edges.iter().map(|edge| edge.nodes.map(|node| numbers[&node])).collect();
        let mut around = vec![Vec::new(); nodes.len()];
        let mut places = vec![(0.0, 0.0); nodes.len()];
        for (index, (edge, ends)) in edges.iter().zip(&ends).enumerate() {
            for end in 0..2 {
                around[ends[end]].push(index);
                places[ends[end]] = edge.line.ends[end];
            }
        }
        let first = |edge: usize| ground.partition_point(|sample| sample.0 < edge);
        let ground: Vec<&[Ground]> =
            (0..edges.len()).map(|edge| &ground[first(edge)..first(edge + 1)]).collect();
        let mut network = Self { size, fall, edges, asked: Vec::new(), nodes, places, ends, ground, around };
        network.asked = (0..network.nodes.len()).map(|node| network.asked(node)).collect();
        network
    }

    /// What the ground at a node and of the samples around it asks for.
    fn asked(&self, node: usize) -> f64 {
        let at_node = |&edge: &usize| {
            let (first, length) = (self.ends[edge][0] == node, self.edges[edge].line.length);
            let there = move |sample: &&Ground| if first { sample.1 <= 0.0 } else { sample.1 >= length };
            self.ground[edge].iter().filter(there).map(|sample| sample.2).fold(f64::INFINITY, f64::min)
        };
        let least = self.around[node].iter().map(at_node).fold(f64::INFINITY, f64::min);
        (self.nodes[node].ground + self.depth(node)).min(least)
    }

    /// How deep the bed is at a node: not at all where a river begins.
    fn depth(&self, node: usize) -> f64 {
        if self.begins(node) { 0.0 } else { self.size }
    }

    /// The height that a node's bed is counted from.
    fn crest(&self, node: usize, bed: f64) -> f64 {
        if self.begins(node) { self.nodes[node].ground } else { bed - self.size }
    }

    fn begins(&self, node: usize) -> bool {
        self.nodes[node].dead_end && !self.nodes[node].outlet
    }

    fn other(&self, edge: usize, node: usize) -> usize {
        let [a, b] = self.ends[edge];
        if a == node { b } else { a }
    }

    /// Heights, and where they are equal places.
    fn key(&self, height: f64, node: usize) -> (Bits, Bits, Bits) {
        (Bits::of(height), Bits::of(self.places[node].0), Bits::of(self.places[node].1))
    }

    /// Makes the lowest node of each part that has no outlet one.
    fn find_outlets(&mut self) {
        let mut seen = vec![false; self.nodes.len()];
        for start in 0..self.nodes.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut part = vec![start];
            let mut next = 0;
            while let Some(&node) = part.get(next) {
                next += 1;
                for &edge in &self.around[node] {
                    let other = self.other(edge, node);
                    if !std::mem::replace(&mut seen[other], true) {
                        part.push(other);
                    }
                }
            }
            if !part.iter().any(|&node| self.nodes[node].outlet) {
                let lowest = part.into_iter().min_by_key(|&node| self.key(self.nodes[node].ground, node));
                if let Some(lowest) = lowest {
                    self.nodes[lowest].outlet = true;
                    self.asked[lowest] = self.asked(lowest);
                }
            }
        }
    }

    /// Nodes in the order in which water that rises from the outlets comes to them, and the edge that it comes by.
    fn flood(&self) -> (Vec<usize>, Vec<Option<usize>>) {
        let pass = |edge: usize| {
            let highest = self.ground[edge].iter().map(|sample| sample.2);
            highest.fold(f64::NEG_INFINITY, f64::max) + self.size
        };
        let passes: Vec<f64> = (0..self.edges.len()).map(pass).collect();
        let mut parents = vec![None; self.nodes.len()];
        let (mut order, mut done) = (Vec::new(), vec![false; self.nodes.len()]);
        let outlets = (0..self.nodes.len()).filter(|&node| self.nodes[node].outlet);
        let mut queue: BinaryHeap<Reverse<_>> =
            outlets.map(|node| Reverse((self.key(self.asked[node], node), node, None))).collect();
        while let Some(Reverse((key, node, by))) = queue.pop() {
            if std::mem::replace(&mut done[node], true) {
                continue;
            }
            order.push(node);
            parents[node] = by;
            for &edge in &self.around[node] {
                let other = self.other(edge, node);
                if !done[other] {
                    let height = key.0.height().max(passes[edge]).max(self.asked[other]);
                    queue.push(Reverse((self.key(height, other), other, Some(edge))));
                }
            }
        }
        (order, parents)
    }

    /// The bed of each node, going down in an order along the edges that `taken` says lead down from a node.
    fn solve(&self, down: impl Iterator<Item = usize>, taken: impl Fn(usize, usize) -> bool) -> Vec<f64> {
        let mut beds = self.asked.clone();
        for node in down {
            for &edge in self.around[node].iter().filter(|&&edge| taken(edge, node)) {
                let other = self.other(edge, node);
                beds[other] = beds[other].min(self.arrives(edge, node, beds[node]));
            }
        }
        beds
    }

    /// Samples of an edge between its ends, going down from a node: how far along, and the ground.
    fn going(&self, edge: usize, from: usize) -> Vec<(f64, f64)> {
        let length = self.edges[edge].line.length;
        let within = self.ground[edge].iter().filter(|sample| sample.1 > 0.0 && sample.1 < length);
        let along = within.map(|&(_, at, ground)| (at, ground));
        if self.ends[edge][0] == from {
            along.collect()
        } else {
            along.rev().map(|(at, ground)| (length - at, ground)).collect()
        }
    }

    /// How high a bed is at most that comes along an edge from a node.
    fn arrives(&self, edge: usize, from: usize, bed: f64) -> f64 {
        let length = self.edges[edge].line.length;
        let start = bed.min(self.crest(from, bed) + self.size);
        let least = |least: f64, (at, ground): (f64, f64)| least.min(ground - self.fall * (length - at));
        self.going(edge, from).into_iter().fold(start - self.fall * length, least)
    }

    fn profile(&self, edge: usize, from: usize, beds: &[f64]) -> Profile {
        let (to, length) = (self.other(edge, from), self.edges[edge].line.length);
        let mut most = vec![(0.0, beds[from])];
        let mut least = beds[from];
        for (at, ground) in self.going(edge, from) {
            if ground + self.fall * at < least {
                least = ground + self.fall * at;
                // Of samples abreast the lowest counts.
                if most.last().is_some_and(|last| last.0 == at) {
                    most.pop();
                }
                most.push((at, ground));
            }
        }
        most.push((length, beds[to]));
        if self.ends[edge][0] != from {
            most.reverse();
            most.iter_mut().for_each(|knot| knot.0 = length - knot.0);
        }
        let levels = self.ends[edge].map(|node| self.crest(node, beds[node]));
        Profile { levels, ends: self.ends[edge].map(|node| self.begins(node)), most }
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

    fn height(self) -> f64 {
        f64::from_bits((self.0 ^ (((self.0 >> 63) as u64) >> 1) as i64) as u64)
    }
}
