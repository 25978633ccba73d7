//! How much of a feature there is near where it begins.

use std::collections::BinaryHeap;

use super::super::nearness::rise;
use super::network::{Leaves, Network};

/// How much of the feature an edge has, along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    length: f64,
    /// From each end on, the longest way away from the edge to where the feature begins, in widths; at most
    /// 1.
    arms: [f64; 2],
    /// What there is at each end.
    ends: [f64; 2],
    /// How much of a width a unit is.
    unit: f64,
}

impl Share {
    /// The part of the feature's size so far along: 0 where it begins, 1 from a width on.
    pub fn at(&self, along: f64) -> f64 {
        let from = [along, self.length - along].map(|from| from * self.unit);
        let own = (from[0] + self.arms[0]).min(from[1] + self.arms[1]);
        // As a side falls, over half a width.
        let beside = (0..2).map(|end| self.ends[end] - 2.0 * from[end]);
        rise(beside.fold(own, f64::max))
    }
}

/// How much of the feature each edge has.
///
/// From where it begins it rises over a width of the way through the network, whatever edges that way is made
/// of. Where ways come together the longest counts, so that what begins beside a long river takes nothing
/// from it; and what begins nearer to it than a width begins with what the river's side has there. O(edges ·
/// log edges).
pub fn shares(network: &Network, width: f64) -> Vec<Share> {
    let unit = 1.0 / width;
    let lengths: Vec<f64> = network.edges.iter().map(|edge| (edge.line.length * unit).min(1.0)).collect();
    let arms = arms(network, &lengths);
    // At each node what the longest way through it leaves.
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

/// Raises each node to what a neighbour has less two for each width between.
fn spread(network: &Network, lengths: &[f64], nodes: &mut [f64]) {
    // Between 0 and 1 numbers are ordered as their bits are.
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

/// For each end of each edge the longest way away from the edge to where the feature begins, at most 1; 1
/// where it comes to a circle, or water leaves.
///
/// An end is known as soon as all other edges of its node are known from their far ends: so from dead ends
/// inwards, and back from where that meets.
fn arms(network: &Network, lengths: &[f64]) -> Vec<[f64; 2]> {
    let mut arms = vec![[1.0; 2]; network.edges.len()];
    // Of each node: the greatest two that come in, and by which edge, and which edges are still to come.
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
