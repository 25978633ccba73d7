//! Admission: nodes start when there is memory for them.

use super::state::JobState;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::budget::{Rank, Room, SMALL};
use crate::engine::cache::Store as _;
use crate::engine::executor::Task;
use crate::engine::round::Round;
use crate::engine::running::Lead;
use crate::model::files::Stamp;
use crate::model::node_key::Key;
use crate::model::plan::Wire;

/// What a node that is about to run needs: its key, the stamps of its files, and its [`Lead`] on the key.
pub struct Work {
    pub key: Key,
    /// The other nodes of the fusion that ends in the node, and their keys.
    pub inner: Vec<(usize, Key)>,
    /// The stamps of its files when the key was computed.
    pub before: Vec<Option<Stamp>>,
    pub lead: Lead,
}

impl JobState {
    /// Runs a node, and returns whether it ran. If there is no memory or no seat for the node, it runs later,
    /// on another thread. A small node needs neither. A foreign node waits for memory on this thread.
    pub fn admit(self: &Arc<Self>, round: &Arc<Round>, node: usize, work: Work, room: &mut Room) -> bool {
        let need = round.needs.of(node).saturating_add(self.to_load(round, node));
        let is_small = need < SMALL && !round.needs.is_large(node);
        if self.is_foreign(node) {
            self.lead_foreign(round, node, &work, (room, (!is_small).then_some(need)));
            return true;
        }
        if is_small {
            self.lead(round, node, &work, room);
            return true;
        }
        let cancel = work.lead.cancel.clone();
        let mut work = Some(work);
        let task = || -> Task {
            let (state, round, work) = (Arc::clone(self), Arc::clone(round), work.take());
            Box::new(move || {
                let mut room = state.shared.budget.granted(need);
                if let Some(work) = &work {
                    state.lead(&round, node, work, &mut room);
                    state.continue_from(&round, node, room);
                }
            })
        };
        let runs = self.shared.budget.enlarge(room, (self.rank(round, node), need), &cancel, task);
        let (true, Some(work)) = (runs, &work) else { return false };
        self.lead(round, node, work, room);
        true
    }

    /// Bytes of inputs that are not in memory, as far as the header determines them.
    fn to_load(&self, round: &Round, node: usize) -> u64 {
        let graph = &self.graph.graph;
        let wires = round.wires(&self.graph, node).iter();
        let in_memory = |wire: &Wire| {
            let id = round.id(wire.node, wire.output);
            round.step(wire.node).holds(wire.output) || id.is_some_and(|id| self.shared.memory.contains(&id))
        };
        let absent = wires.filter(|wire| !in_memory(wire));
        // Several ports can read one value.
        let absent: BTreeSet<(usize, usize)> = absent.map(|wire| (wire.node, wire.output)).collect();
        let bytes = absent.into_iter().map(|(node, output)| {
            let kind = graph.nodes[node].node().spec().outputs[output].kind;
            graph.header_of(node).value_bytes(kind.name)
        });
        bytes.fold(0, u64::saturating_add)
    }

    /// Registers nodes that are ready to run.
    pub fn open(&self, round: &Round, nodes: &[usize]) {
        if round.needs.count() && !nodes.is_empty() {
            self.shared.budget.open(nodes.iter().map(|&node| self.rank(round, node)));
        }
    }

    /// Removes a node that is done, or that another job computes.
    pub fn close(&self, round: &Round, node: usize) {
        if round.needs.count() {
            self.shared.budget.close(self.rank(round, node));
        }
    }

    pub fn rank(&self, round: &Round, node: usize) -> Rank {
        (self.id, round.needs.position(node))
    }
}
