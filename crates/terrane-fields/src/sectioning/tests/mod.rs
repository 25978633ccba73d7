//! Fields of drawn and of random graphs.

mod drawn;
mod editing;
mod generated;
mod identity;
mod located;
mod random;

use terrane_grid::PlanarGraph;

use super::*;

/// A graph from integer positions.
fn graph(nodes: &[(i32, i32)], edges: &[(u32, u32)]) -> PlanarGraph {
    let nodes = nodes.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).collect();
    PlanarGraph { nodes, edges: edges.to_vec() }
}

/// The edges of a cycle through some nodes.
fn closed(nodes: &[u32]) -> Vec<(u32, u32)> {
    nodes.iter().copied().zip(nodes.iter().copied().cycle().skip(1)).collect()
}

/// The number of connected parts; nodes without edges are parts too.
fn parts(graph: &PlanarGraph) -> usize {
    let mut above: Vec<usize> = (0..graph.nodes.len()).collect();
    let find = |above: &[usize], mut node: usize| {
        while above[node] != node {
            node = above[node];
        }
        node
    };
    for &(a, b) in &graph.edges {
        let (a, b) = (find(&above, a as usize), find(&above, b as usize));
        above[a.max(b)] = a.min(b);
    }
    (0..above.len()).filter(|&node| above[node] == node).count()
}
