//! The network that a feature's edges form.

use std::collections::BTreeMap;

use super::super::outline::{Point, order};
use super::course::Edge;

/// A node of a feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Height of the ground.
    pub ground: f64,
    /// Whether water leaves here.
    pub leaves: Leaves,
}

/// Whether water leaves at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// It does not.
    No,
    /// On the outer border of the fields.
    Border,
    /// Beyond the map, so that its ground does not matter.
    Beyond,
}

/// Edges and nodes, ordered by position, so that numbers in the graph do not matter.
pub struct Network<'a> {
    pub edges: &'a [Edge],
    pub nodes: Vec<Node>,
    /// Indices of each edge's end nodes.
    pub ends: Vec<[usize; 2]>,
    /// Edges of each node.
    pub around: Vec<Vec<usize>>,
}

impl<'a> Network<'a> {
    /// The network of all edges; each of their nodes must be in `known`.
    pub fn new(edges: &'a [Edge], known: &BTreeMap<u32, Node>) -> Self {
        let all = edges.iter().flat_map(|edge| [0, 1].map(|end| (edge.nodes[end], edge.line.ends[end])));
        let positions: BTreeMap<u32, Point> = all.collect();
        let mut numbers: Vec<u32> = positions.keys().copied().collect();
        numbers.sort_by(|a, b| order(&positions[a], &positions[b]));
        let ranks: BTreeMap<u32, usize> = numbers.iter().copied().zip(0..).collect();
        let ends: Vec<[usize; 2]> = edges.iter().map(|edge| edge.nodes.map(|node| ranks[&node])).collect();
        let mut around = vec![Vec::new(); numbers.len()];
        for (index, ends) in ends.iter().enumerate() {
            ends.iter().for_each(|&end| around[end].push(index));
        }
        Self { edges, nodes: numbers.iter().map(|node| known[node]).collect(), ends, around }
    }

    /// The node at the other end of an edge.
    pub fn other(&self, edge: usize, node: usize) -> usize {
        let [a, b] = self.ends[edge];
        if a == node { b } else { a }
    }

    /// Whether the feature begins at a node: only one of its edges ends there, and water does not leave.
    pub fn begins(&self, node: usize) -> bool {
        self.around[node].len() == 1 && self.nodes[node].leaves == Leaves::No
    }
}
