//! Tapering of a feature near its beginnings.

use std::collections::BinaryHeap;

use super::super::nearness::rise;
use super::network::{Leaves, Network};

/// The share of the feature's size along an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    length: f64,
    /// For each end, the longest route away from the edge to a beginning of the feature, in widths and at
    /// most 1.
    arms: [f64; 2],
    /// The share at each end.
    ends: [f64; 2],
    /// Widths per unit.
    unit: f64,
}

impl Share {
    /// The share of the feature's size at a distance along: 0 at a beginning, 1 from a width on.
    pub fn at(&self, along: f64) -> f64 {
        let from = [along, self.length - along].map(|from| from * self.unit);
        let own = (from[0] + self.arms[0]).min(from[1] + self.arms[1]);
        // Falls like a side of the feature, over half a width.
        let beside = (0..2).map(|end| self.ends[end] - 2.0 * from[end]);
        rise(beside.fold(own, f64::max))
    }
}

/// The share of each edge.
///
/// From a beginning, the size rises over one width along the route through the network, whatever edges form
/// that route. Where routes join, the longest counts, so that a branch that begins next to a long river does
/// not reduce the river. A branch that begins closer to the river than a width starts with the share of the
/// river's side there. O(edges · log edges).
pub fn shares(network: &Network, width: f64) -> Vec<Share> {
    let unit = 1.0 / width;
    let lengths: Vec<f64> = network.edges.iter().map(|edge| (edge.line.length * unit).min(1.0)).collect();
    let arms = arms(network, &lengths);
    // At each node, the share that results from the longest route through it.
    let best = |node: usize| {
        let ways = |&edge: &usize| {
            let end = usize::from(network.ends[edge][1] == node);
            arms[edge][end].min(arms[edge][1 - end] + lengths[edge])
        };
        network.around[node].iter().map(ways).fold(0.0, f64::max).min(1.0)
    };
    let mut nodes: Vec<f64> = (0..network.nodes.len()).map(best).collect();
    spread(network, &lengths, &mut nodes);
    let share = |(edge, [a, b]): (usize, &[usize; 2])| Share {
        length: network.edges[edge].line.length,
        arms: arms[edge],
        ends: [nodes[*a], nodes[*b]],
        unit,
    };
    network.ends.iter().enumerate().map(share).collect()
}

/// Raises each node's share to at least each neighbour's share minus 2 per width of the edge between them.
fn spread(network: &Network, lengths: &[f64], nodes: &mut [f64]) {
    // Floats between 0 and 1 order like their bits.
    let mut queue: BinaryHeap<(u64, usize)> =
        nodes.iter().enumerate().map(|(node, at)| (at.to_bits(), node)).collect();
    while let Some((bits, node)) = queue.pop() {
        let here = f64::from_bits(bits);
        if here < nodes[node] {
            continue;
        }
        for &edge in &network.around[node] {
            let (other, there) = (network.other(edge, node), here - 2.0 * lengths[edge]);
            if there > nodes[other] {
                nodes[other] = there;
                queue.push((there.to_bits(), other));
            }
        }
    }
}

/// For each end of each edge, the longest route away from the edge to a beginning, at most 1; 1 if it
/// reaches a cycle or an outlet.
///
/// An end is known as soon as all other edges of its node are known from their far ends. So ends become known
/// inwards from dead ends, and then back outwards from where these meet.
fn arms(network: &Network, lengths: &[f64]) -> Vec<[f64; 2]> {
    let mut arms = vec![[1.0; 2]; network.edges.len()];
    // Per node: the two maxima among incoming edges, the edges that these come from, and which edges are
    // pending.
    let mut greatest = vec![[(0.0, usize::MAX); 2]; network.nodes.len()];
    let mut unknown: Vec<usize> = network.around.iter().map(Vec::len).collect();
    let mut come: Vec<[bool; 2]> = vec![[false; 2]; network.edges.len()];
    let mut ready: Vec<usize> = (0..unknown.len()).filter(|&node| network.begins(node)).collect();
    while let Some(node) = ready.pop() {
        for &edge in &network.around[node] {
            let end = usize::from(network.ends[edge][1] == node);
            let all_others = unknown[node] == 0 || !come[edge][end];
            let (other, far) = (network.other(edge, node), 1 - end);
            if !all_others || come[edge][far] || network.nodes[node].leaves != Leaves::No {
                continue;
            }
            let [first, second] = greatest[node];
            arms[edge][end] = if first.1 == edge { second.0 } else { first.0 };
            let comes = (f64::min(1.0, arms[edge][end] + lengths[edge]), edge);
            come[edge][far] = true;
            let top = &mut greatest[other];
            if comes.0 > top[0].0 {
                *top = [comes, top[0]];
            } else if comes.0 > top[1].0 {
                top[1] = comes;
            }
            unknown[other] -= 1;
            if unknown[other] <= 1 {
                ready.push(other);
            }
        }
    }
    arms
}
