//! How much deeper beds are so that their banks are high enough.

use super::bed::Most;
use super::network::{Leaves, Network};

/// How much a bed deepens per unit of its course towards a point where a bank is low.
const SLOPE: f64 = 0.25;

/// Lowers points along beds by their depths, which are spread so that they change by at most [`SLOPE`] per
/// unit along all routes: beds have no steps where a bank ends. The depths of nodes are added as points at
/// the ends of edges. O(points) per node that a depth reaches.
pub fn lowered(
    network: &Network,
    depth: impl Fn(usize, f64) -> f64,
    mut points: Vec<(Most, f64)>,
) -> Vec<Most> {
    points.sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut nodes = vec![0.0f64; network.nodes.len()];
    let mut is_deeper = true;
    while is_deeper {
        is_deeper = false;
        for of_edge in points.chunk_by_mut(|a, b| a.0.0 == b.0.0) {
            let edge = of_edge[0].0.0;
            let ([start, end], length) = (network.ends[edge], network.edges[edge].line.length);
            let last = spread((0.0, nodes[start]), of_edge.iter_mut(), length);
            let first = spread((length, nodes[end].max(last)), of_edge.iter_mut().rev(), 0.0);
            for (node, deep) in [(start, first), (end, last)] {
                if deep > nodes[node] {
                    nodes[node] = deep;
                    is_deeper = true;
                }
            }
        }
    }
    let mut ends = Vec::new();
    for (edge, at) in network.ends.iter().enumerate() {
        for (node, along) in at.iter().zip([0.0, network.edges[edge].line.length]) {
            if nodes[*node] > 0.0 && network.nodes[*node].leaves != Leaves::Beyond {
                ends.push((edge, along, network.nodes[*node].ground - depth(edge, along) - nodes[*node]));
            }
        }
    }
    let points = points.into_iter().map(|((edge, along, most), deep)| (edge, along, most - deep));
    points.chain(ends.into_iter().filter(|most| most.2.is_finite())).collect()
}

/// Spreads a depth from a position along an edge's points; returns the depth at the position `to`.
fn spread<'a>(from: (f64, f64), points: impl Iterator<Item = &'a mut (Most, f64)>, to: f64) -> f64 {
    let (mut at, mut depth) = from;
    for (most, deep) in points {
        *deep = deep.max(depth - SLOPE * (most.1 - at).abs());
        (at, depth) = (most.1, *deep);
    }
    depth - SLOPE * (to - at).abs()
}
