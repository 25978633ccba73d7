//! Nodes that end without a result: they failed, an upstream node failed, or they are no longer needed.

use super::state::JobState;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::engine::event::{Event, Outcome};
use crate::engine::round::Round;
use crate::model::error::NodeError;

impl JobState {
    /// Ends a node that cannot run or is no longer needed. Returns whether the node has ended.
    pub fn ends_without_running(&self, round: &Round, node: usize) -> bool {
        let members = round.members(node);
        if members.iter().any(|&member| self.failed_upstream(round, member).is_some()) {
            let runs_rest = !self.cancel.is_cancelled() && !round.again.load(Ordering::Relaxed);
            if members.len() > 1 && runs_rest {
                self.run_rest(round, node);
            } else {
                self.end_unrun(round, &members);
                self.skip_reads(round, node);
            }
            return true;
        }
        if self.cancel.is_cancelled() || round.again.load(Ordering::Relaxed) {
            self.end_cancelled(round, &members);
            return true;
        }
        false
    }

    pub fn failed_upstream(&self, round: &Round, node: usize) -> Option<Arc<str>> {
        self.graph.plan.wires[node].iter().find_map(|wire| match round.step(wire.node).outcome() {
            Some(Outcome::Failed(_)) => Some(Arc::clone(&self.graph.plan.names[wire.node])),
            Some(Outcome::Skipped(because)) => Some(because),
            _ => None,
        })
    }

    /// Ends a node with an error, and the rest of its fusion.
    pub fn fail(&self, round: &Round, node: usize, error: NodeError) {
        self.fail_in_fusion(round, node, node, error);
    }

    /// Ends the fusion that ends in `node` with an error of one of its members.
    pub fn fail_in_fusion(&self, round: &Round, node: usize, member: usize, error: NodeError) {
        let members = round.members(node);
        if error == NodeError::Cancelled {
            return self.end_cancelled(round, &members);
        }
        self.fail_alone(round, member, error);
        self.end_unrun(round, &members);
    }

    /// Ends one node with an error.
    pub fn fail_alone(&self, round: &Round, node: usize, error: NodeError) {
        self.emit(Event::Failed { node: Arc::clone(&self.graph.plan.names[node]), error: error.clone() });
        round.step(node).end(Outcome::Failed(error));
    }

    /// Ends nodes that do not run since a node has failed. A node that does not depend on it is no longer
    /// needed.
    pub fn end_unrun(&self, round: &Round, members: &[usize]) {
        for &member in members.iter().filter(|&&member| round.step(member).outcome().is_none()) {
            let Some(because) = self.failed_upstream(round, member) else {
                self.end_cancelled(round, &[member]);
                continue;
            };
            let node = Arc::clone(&self.graph.plan.names[member]);
            self.emit(Event::Skipped { node, because: Arc::clone(&because) });
            round.step(member).end(Outcome::Skipped(because));
        }
    }

    pub fn end_cancelled(&self, round: &Round, members: &[usize]) {
        for &member in members.iter().filter(|&&member| round.step(member).outcome().is_none()) {
            self.emit_cancelled(member);
            round.step(member).end(Outcome::Cancelled);
        }
    }

    pub fn emit_cancelled(&self, node: usize) {
        self.emit(Event::Cancelled { node: Arc::clone(&self.graph.plan.names[node]) });
    }
}
