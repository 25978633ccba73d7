//! Water that is poured into hollows: it fills them, spills, and joins them.

use super::tree::Tree;

/// How much water the hollows of a tree hold.
pub(super) struct Poured<'a> {
    tree: &'a Tree,
    /// For each node, the water above the levels of the nodes in it.
    held: Vec<f64>,
    /// Whether each node is full, and so all in it are.
    is_full: Vec<bool>,
    /// For each node, the node to which water goes that it no longer takes. A node that takes water is its
    /// own. The last entry stands for the sea.
    onwards: Vec<u32>,
    /// The water in the sea, and beyond the map.
    pub left: f64,
}

impl<'a> Poured<'a> {
    /// Hollows without water.
    pub fn dry(tree: &'a Tree) -> Self {
        let count = tree.nodes.len();
        let onwards = (0..=count as u32).collect();
        Self { tree, held: vec![0.0; count], is_full: vec![false; count], onwards, left: 0.0 }
    }

    /// Hollows that are all full.
    pub fn full(tree: &'a Tree) -> Self {
        let held = (0..tree.nodes.len()).map(|node| tree.own_volume(node)).collect();
        Self { held, is_full: vec![true; tree.nodes.len()], ..Self::dry(tree) }
    }

    /// Pours water into a leaf.
    ///
    /// What a full node no longer takes crosses its pass to the leaf beyond, and fills that side. When both
    /// sides are full, they are one body of water, and rise in the node around them. Where water goes that a
    /// full node no longer takes is remembered and shortened on the way, so that pouring into each leaf once
    /// takes time O(nodes · log nodes) (the jumps of Barnes, Callaghan & Wickert 2021).
    pub fn pour(&mut self, leaf: u32, mut water: f64) {
        let sea = self.tree.nodes.len();
        let mut at = self.taking(leaf);
        while water > 0.0 && at != sea {
            let room = self.tree.own_volume(at) - self.held[at];
            if water < room {
                self.held[at] += water;
                return;
            }
            water -= room.max(0.0);
            self.held[at] += room;
            self.is_full[at] = true;
            let node = &self.tree.nodes[at];
            let is_met = node.sibling.is_some_and(|sibling| self.is_full[sibling as usize]);
            let next = if is_met { node.parent } else { node.across };
            self.onwards[at] = next.unwrap_or(sea as u32);
            at = self.taking(self.onwards[at]);
        }
        self.left += water;
    }

    /// The node that takes water which comes to this one.
    fn taking(&mut self, mut node: u32) -> usize {
        let onwards = &mut self.onwards;
        while onwards[node as usize] != node {
            let beyond = onwards[onwards[node as usize] as usize];
            onwards[node as usize] = beyond;
            node = beyond;
        }
        node as usize
    }

    /// Whether a node is full.
    pub fn is_full(&self, node: u32) -> bool {
        self.is_full[node as usize]
    }

    /// The water in a node and in those in it, if it is one body of water: if it has some of its own, and
    /// those in it are full. Two full hollows whose pass no water covers are two bodies.
    pub fn body(&self, node: u32) -> Option<f64> {
        let held = self.held[node as usize];
        let children = self.tree.nodes[node as usize].children;
        let children = || children.iter().flatten().copied();
        let inner: f64 = children().map(|child| self.tree.nodes[child as usize].volume).sum();
        (held > 0.0 && children().all(|child| self.is_full(child))).then_some(inner + held)
    }
}
