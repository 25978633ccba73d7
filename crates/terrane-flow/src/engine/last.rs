//! What the last evaluation left.

use std::sync::Arc;

use super::cache::Entry;
use crate::language::Loaded;
use crate::model::key::Ground;
use crate::model::plan::Plan;

/// Content of a graph's outputs as an evaluation left it. In the next one, a node whose own part is the same,
/// and whose givers' content is, gives the same: it needs no key.
pub struct Last {
    /// The job that left it.
    pub by: u64,
    plan: Arc<Plan>,
    ground: Ground,
    own: Vec<blake3::Hash>,
    asked: Vec<u32>,
    pub known: Vec<Option<Entry>>,
}

impl Last {
    /// What a job leaves; `known` in the order of nodes.
    pub fn new(
        (by, graph): (u64, &Loaded),
        ground: Ground,
        asked: Vec<u32>,
        known: impl Iterator<Item = Option<Entry>>,
    ) -> Self {
        Self {
            by,
            plan: Arc::clone(&graph.plan),
            ground,
            own: graph.graph.nodes.values().map(|node| node.own().hash).collect(),
            asked,
            known: known.collect(),
        }
    }

    /// Brings it up to date after a job on a graph that it fitted. `changed` holds each node that the job did
    /// not find unchanged: what it is asked for, and what is known of it.
    pub fn update(
        &mut self,
        (by, graph): (u64, &Loaded),
        changed: impl Iterator<Item = (usize, u32, Option<Entry>)>,
    ) {
        self.by = by;
        self.plan = Arc::clone(&graph.plan);
        for (node, asked, known) in changed {
            self.own[node] = graph.graph.nodes[node].own().hash;
            self.asked[node] = asked;
            self.known[node] = known;
        }
    }

    /// Whether it tells of a graph with the same wires, header and seed.
    pub fn fits(&self, graph: &Loaded, ground: &Ground) -> bool {
        let same_wires = || self.plan.wires == graph.plan.wires && self.plan.order == graph.plan.order;
        &self.ground == ground && (Arc::ptr_eq(&self.plan, &graph.plan) || same_wires())
    }

    /// The node's content, when nothing that leads to it has changed; `same` tells that of its givers.
    pub fn unchanged(&self, graph: &Loaded, node: usize, asked: u32, same: &[bool]) -> Option<&Entry> {
        let own = graph.graph.nodes[node].own();
        let unchanged = !own.imports
            && own.hash == self.own[node]
            && (asked ^ self.asked[node]) & own.lazy == 0
            && graph.plan.wires[node].iter().all(|wire| same[wire.node]);
        self.known[node].as_ref().filter(|_| unchanged)
    }
}
