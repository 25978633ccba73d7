//! The heights of beds: down along a whole network of edges to where water leaves.

use super::begin::Share;
use super::junction::{Taper, tapered};
use super::network::{Leaves, Network};
use super::water::Water;
use crate::{Cancelled, Progress};

/// A place of a bed: the edge, how far along it, and the height that the bed may not be above.
pub type Most = (usize, f64, f64);

/// What beds are to be like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// How deep a bed is, less than 0.
    pub size: f64,
    /// By how much it falls per unit at least.
    pub fall: f64,
    /// How much deeper it may be cut so that water goes on.
    pub deepest: f64,
    /// How it comes down to a deeper one that it joins.
    pub taper: Taper,
}

/// The heights of a bed along an edge, between which they are linear.
pub type Heights = Vec<(f64, f64)>;

/// The heights of each edge's bed, from the ground of samples in their middle, and from places along their
/// courses that are already as deep as the bed is to be.
///
/// A bed is `size` below the ground, and lower where water could not run on else: of all heights that fall on
/// their ways it has the highest, but near junctions. Ways are those on which water climbs least, place by
/// place, so that an edge over a hill may run down to both sides. Water leaves at nodes on the border of
/// fields and beyond the map. It stays where it would have to cut deeper than `deepest`, and at the lowest
/// place of each part of the network where none leaves. So the greatest cut is the least that there can be,
/// but for `fall` on the way. What joins a deeper bed comes down to it as [`tapered`] says. O(places · log).
pub fn beds(
    network: &Network,
    shares: &[Share],
    ground: [Vec<Most>; 2],
    shape: &Shape,
    progress: &dyn Progress,
) -> Result<Vec<Heights>, Cancelled> {
    let water = places(network, shares, ground, shape, progress)?;
    let lakes = water.lakes(shape.deepest, progress)?;
    let ways = water.ways(&lakes, progress)?;
    let beds = tapered(&water, &ways, &water.highest(&ways, shape.fall), shape.fall, shape.taper);
    let of_edge = |edge: usize| {
        let nodes = network.nodes.len();
        let places = water.of_edge(edge).map(|place| (water.between[place - nodes].1, beds[place]));
        let [a, b] = network.ends[edge].map(|node| beds[node]);
        let length = network.edges[edge].line.length;
        let all = std::iter::once((0.0, a)).chain(places).chain([(length, b)]);
        // A node beyond the map to which no water comes has no height.
        all.filter(|place| place.1.is_finite()).collect()
    };
    Ok((0..network.edges.len()).map(of_edge).collect())
}

/// All places of a network, and above what the bed may not be there.
pub fn places<'a>(
    network: &'a Network,
    shares: &[Share],
    [samples, mut most]: [Vec<Most>; 2],
    shape: &Shape,
    progress: &dyn Progress,
) -> Result<Water<'a>, Cancelled> {
    let order = |a: &Most, b: &Most| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2));
    most.sort_by(order);
    progress.report(0.0)?;
    let lower: Vec<Most> = samples.iter().map(|sample| no_higher(sample, &most)).collect();
    most.extend(lower);
    most.sort_by(order);
    progress.report(0.0)?;
    let of_node = |node: usize| match network.nodes[node].leaves {
        Leaves::Beyond => f64::INFINITY,
        Leaves::No | Leaves::Border => network.nodes[node].ground + shape.size * share(network, shares, node),
    };
    let mut of_nodes: Vec<f64> = (0..network.nodes.len()).map(of_node).collect();
    let (mut between, mut heights) = (Vec::new(), Vec::new());
    for (edge, along, height) in most {
        let ends = [along <= 0.0, along >= network.edges[edge].line.length];
        if let Some(end) = ends.iter().position(|at| *at) {
            let node = network.ends[edge][end];
            if network.nodes[node].leaves != Leaves::Beyond {
                of_nodes[node] = of_nodes[node].min(height);
            }
        } else if between.last() != Some(&(edge, along)) {
            // Of places abreast the lowest comes first.
            between.push((edge, along));
            heights.push(height);
        }
    }
    let first = (0..=network.edges.len()).map(|edge| between.partition_point(|place| place.0 < edge));
    Ok(Water { network, most: [of_nodes, heights].concat(), first: first.collect(), between })
}

/// A sample's place, no higher than the line between the places beside it, so that a bank does not stand in
/// the bed where water parts.
fn no_higher(&(edge, along, height): &Most, most: &[Most]) -> Most {
    let next = most.partition_point(|place| (place.0, place.1) < (edge, along));
    let of_edge = |at: Option<usize>| at.and_then(|at| most.get(at)).filter(|place| place.0 == edge);
    let line = match (of_edge(next.checked_sub(1)), of_edge(Some(next))) {
        (Some(&(_, from, a)), Some(&(_, to, b))) => a + (b - a) * ((along - from) / (to - from)),
        (Some(place), None) | (None, Some(place)) => place.2,
        (None, None) => height,
    };
    (edge, along, height.min(line))
}

/// How much of the feature there is at a node: the same by the edges of the longest way through it, less by
/// others.
fn share(network: &Network, shares: &[Share], node: usize) -> f64 {
    let by = |&edge: &usize| {
        let end = network.ends[edge][1] == node;
        shares[edge].at(if end { network.edges[edge].line.length } else { 0.0 })
    };
    network.around[node].iter().map(by).fold(0.0, f64::max)
}
