//! Graphs in the plane.

/// Nodes at world positions, joined by straight edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanarGraph {
    /// World x and y of each node.
    pub nodes: Vec<(f64, f64)>,
    /// Pairs of nodes.
    pub edges: Vec<(u32, u32)>,
}

impl PlanarGraph {
    /// The positions of the first and the second node of an edge. `None` if the edge or one of its nodes does
    /// not exist.
    #[must_use]
    pub fn ends(&self, edge: usize) -> Option<((f64, f64), (f64, f64))> {
        let &(a, b) = self.edges.get(edge)?;
        Some((*self.nodes.get(a as usize)?, *self.nodes.get(b as usize)?))
    }
}
