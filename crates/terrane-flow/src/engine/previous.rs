//! The state that the previous evaluation of a session left.

use std::sync::Arc;

use super::cache::Entry;
use crate::language::Loaded;
use crate::model::key::GraphHashes;
use crate::model::plan::Plan;

/// The cache entries of a graph's nodes after an evaluation. In the next evaluation, a node is unchanged if
/// its own part of the key and the entries of its dependencies are unchanged. The key of an unchanged node
/// need not be computed.
pub struct PreviousState {
    /// The job that left this state.
    pub by: u64,
    plan: Arc<Plan>,
    graph_hashes: GraphHashes,
    own: Vec<blake3::Hash>,
    asked: Vec<u32>,
    pub known: Vec<Option<Entry>>,
}

impl PreviousState {
    /// The state after a job. `known` has one item per node, in the order of the graph's nodes.
    pub fn new(
        (by, graph): (u64, &Loaded),
        graph_hashes: GraphHashes,
        asked: Vec<u32>,
        known: impl Iterator<Item = Option<Entry>>,
    ) -> Self {
        Self {
            by,
            plan: Arc::clone(&graph.plan),
            graph_hashes,
            own: graph.graph.nodes.values().map(|node| node.own().hash).collect(),
            asked,
            known: known.collect(),
        }
    }

    /// Updates the state after a job on a matching graph. `changed` contains each node that may have changed,
    /// with its requested outputs and its new entry.
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

    /// Whether the state belongs to a graph with the same wires, header and seed.
    pub fn fits(&self, graph: &Loaded, graph_hashes: &GraphHashes) -> bool {
        let same_wires = || self.plan.wires == graph.plan.wires && self.plan.order == graph.plan.order;
        &self.graph_hashes == graph_hashes && (Arc::ptr_eq(&self.plan, &graph.plan) || same_wires())
    }

    /// The node's entry, if neither the node nor its dependencies have changed. `same` states for each node
    /// whether its entry is the same as after the previous evaluation.
    pub fn unchanged(&self, graph: &Loaded, node: usize, asked: u32, same: &[bool]) -> Option<&Entry> {
        let own = graph.graph.nodes[node].own();
        let unchanged = !own.imports
            && own.hash == self.own[node]
            && (asked ^ self.asked[node]) & own.lazy == 0
            && graph.plan.wires[node].iter().all(|wire| same[wire.node]);
        self.known[node].as_ref().filter(|_| unchanged)
    }
}
