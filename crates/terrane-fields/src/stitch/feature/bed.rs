//! Heights of river beds, which descend through a network of edges to its outlets.

use super::begin::Share;
use super::junction::{Taper, tapered};
use super::network::{Leaves, Network};
use super::water::Water;
use crate::{Cancelled, Progress};

/// A position on a bed: the edge, the distance along it, and the bed's maximum height.
pub type Most = (usize, f64, f64);

/// Parameters of beds.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Height of a bed relative to the ground, less than 0.
    pub size: f64,
    /// Minimum fall per unit of length.
    pub fall: f64,
    /// Maximum extra depth of a cut that lets water through.
    pub deepest: f64,
    /// How a bed descends to a deeper one that it joins.
    pub taper: Taper,
}

/// Heights along an edge's bed, linear between them.
pub type Heights = Vec<(f64, f64)>;

/// The heights of each edge's bed. `ground` holds the ground's heights at samples in the middle of beds, and
/// the ground's heights minus the bed's depth at positions along their courses.
///
/// A bed is `size` below the ground, and lower where water would otherwise not drain: it is the highest
/// profile that falls along all its routes, except near junctions. Water follows the routes on which it
/// climbs least, point by point, so an edge over a hill may drain to both sides. Water leaves at nodes on the
/// outer border of the fields and beyond the map. Water stays, as a lake, where its bed would have to be cut
/// deeper than `deepest`. It also stays at the lowest point of each part of the network that has no outlet.
/// So the maximum cut is as small as possible, apart from `fall` along the route. A bed that joins a deeper
/// one descends to it by [`tapered`]. O(points · log).
pub fn beds(
    network: &Network,
    shares: &[Share],
    ground: [Vec<Most>; 2],
    shape: &Shape,
    progress: &dyn Progress,
) -> Result<Vec<Heights>, Cancelled> {
    let water = network_points(network, shares, ground, shape, progress)?;
    let lakes = water.lakes(shape.deepest, progress)?;
    let ways = water.ways(&lakes, progress)?;
    let beds = tapered(&water, &ways, &water.highest(&ways, shape.fall), shape.fall, shape.taper);
    let of_edge = |edge: usize| {
        let nodes = network.nodes.len();
        let points = water.of_edge(edge).map(|point| (water.between[point - nodes].1, beds[point]));
        let [a, b] = network.ends[edge].map(|node| beds[node]);
        let length = network.edges[edge].line.length;
        let all = std::iter::once((0.0, a)).chain(points).chain([(length, b)]);
        // A node beyond the map that no water reaches has no height.
        all.filter(|point| point.1.is_finite()).collect()
    };
    Ok((0..network.edges.len()).map(of_edge).collect())
}

/// All points of a network, with the bed's maximum height at each.
pub fn network_points<'a>(
    network: &'a Network,
    shares: &[Share],
    [samples, mut most]: [Vec<Most>; 2],
    shape: &Shape,
    progress: &dyn Progress,
) -> Result<Water<'a>, Cancelled> {
    let order = |a: &Most, b: &Most| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2));
    most.sort_by(order);
    progress.check()?;
    let lower: Vec<Most> = samples.iter().map(|sample| no_higher(sample, &most)).collect();
    most.extend(lower);
    most.sort_by(order);
    progress.check()?;
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
            // Of points at the same distance the lowest comes first.
            between.push((edge, along));
            heights.push(height);
        }
    }
    let first = (0..=network.edges.len()).map(|edge| between.partition_point(|point| point.0 < edge));
    Ok(Water { network, most: [of_nodes, heights].concat(), first: first.collect(), between })
}

/// A sample's point, lowered to the line between its neighbours if it is higher, so that a bank does not
/// protrude into the bed where water divides.
fn no_higher(&(edge, along, height): &Most, most: &[Most]) -> Most {
    let next = most.partition_point(|point| (point.0, point.1) < (edge, along));
    let of_edge = |at: Option<usize>| at.and_then(|at| most.get(at)).filter(|point| point.0 == edge);
    let line = match (of_edge(next.checked_sub(1)), of_edge(Some(next))) {
        (Some(&(_, from, a)), Some(&(_, to, b))) => a + (b - a) * ((along - from) / (to - from)),
        (Some(point), None) | (None, Some(point)) => point.2,
        (None, None) => height,
    };
    (edge, along, height.min(line))
}

/// The feature's share at a node: the maximum over its edges, which is that of the longest route through
/// it.
fn share(network: &Network, shares: &[Share], node: usize) -> f64 {
    let by = |&edge: &usize| {
        let end = network.ends[edge][1] == node;
        shares[edge].at(if end { network.edges[edge].line.length } else { 0.0 })
    };
    network.around[node].iter().map(by).fold(0.0, f64::max)
}
