//! Hollows as a binary tree: two hollows that meet at a pass lie in a third.

use super::super::depressions::Hollows;
use super::super::nested::Nested;

/// A hollow of the tree: the samples around one lowest sample, or two hollows and what lies above both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The height at which it meets its sibling or, without one, spills to the sea or out of the map.
    pub level: f32,
    /// The hollow that it meets there.
    pub sibling: Option<u32>,
    /// The hollow that both lie in.
    pub parent: Option<u32>,
    /// The two that lie in it.
    pub children: Option<[u32; 2]>,
    /// The leaf beyond the pass; `None` for the sea.
    pub across: Option<u32>,
    /// The sample of the pass.
    pub spill: u32,
    /// The number of samples below the level.
    pub samples: u64,
    /// The volume below the level, in samples times height.
    pub volume: f64,
}

/// The tree. The leaves are the hollows around single lowest samples, in the order of their basins, which are
/// numbered from 1. Children come before their parents.
///
/// Unlike in [`Hollows`], where a hollow lies in one with a lower bottom, both hollows that meet at a pass
/// are nodes with the pass as their level: water can cross it in either direction (Barnes, Callaghan &
/// Wickert 2020, *Computing water flow through complex landscapes – Part 2*).
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    nested: Nested,
}

impl Tree {
    /// The tree of hollows, without samples and volumes.
    pub fn new(hollows: &Hollows) -> Self {
        let leaf = |basin: u32| basin.checked_sub(1);
        let empty = Node {
            level: f32::NEG_INFINITY,
            sibling: None,
            parent: None,
            children: None,
            across: None,
            spill: 0,
            samples: 0,
            volume: 0.0,
        };
        let mut nodes = vec![empty; hollows.all.len()];
        // The largest node so far around the bottom of each hollow.
        let mut outermost: Vec<u32> = (0..nodes.len() as u32).collect();
        for (&full, &(near, far)) in hollows.inner_first.iter().zip(&hollows.across) {
            let hollow = hollows.all[full as usize];
            let own = outermost[full as usize];
            let meets = |across| Node { level: hollow.level, spill: hollow.spill, across, ..empty };
            let met = Node { children: nodes[own as usize].children, ..meets(leaf(far)) };
            let Some(lower) = hollow.parent else {
                nodes[own as usize] = met;
                continue;
            };
            let (other, parent) = (outermost[lower as usize], nodes.len() as u32);
            nodes[own as usize] = Node { sibling: Some(other), parent: Some(parent), ..met };
            let children = nodes[other as usize].children;
            nodes[other as usize] =
                Node { sibling: Some(own), parent: Some(parent), children, ..meets(leaf(near)) };
            nodes.push(Node { children: Some([own, other]), ..empty });
            outermost[lower as usize] = parent;
        }
        let levels = nodes.iter().map(|node| node.level).collect();
        let parents = nodes.iter().map(|node| node.parent).collect();
        let nested = Nested::new(levels, parents, (0..nodes.len() as u32).rev());
        Self { nodes, nested }
    }

    /// The smallest node that contains a sample of this basin and height.
    pub fn of(&self, basin: u32, height: f32) -> Option<usize> {
        self.nested.of(basin.checked_sub(1)?, height)
    }

    /// Adds a sample of this height to the smallest node that contains it.
    pub fn count(&mut self, node: usize, height: f32) {
        let node = &mut self.nodes[node];
        node.samples += 1;
        node.volume += f64::from(node.level) - f64::from(height);
    }

    /// Adds the samples and volumes of children to those of their parents, after all samples are counted.
    pub fn add_up(&mut self) {
        for at in 0..self.nodes.len() {
            let inner = self.nodes[at];
            if let Some(parent) = inner.parent {
                let outer = &mut self.nodes[parent as usize];
                let deeper = f64::from(outer.level) - f64::from(inner.level);
                outer.samples += inner.samples;
                outer.volume += inner.volume + deeper * inner.samples as f64;
            }
        }
    }

    /// The volume between the level of a node and those of the nodes in it.
    pub fn own_volume(&self, node: usize) -> f64 {
        let Node { volume, children, .. } = self.nodes[node];
        let inner = |children: [u32; 2]| children.map(|child| self.nodes[child as usize].volume);
        volume - children.map_or(0.0, |children| inner(children).iter().sum())
    }
}
