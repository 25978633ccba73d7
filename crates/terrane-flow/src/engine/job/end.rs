//! The end of a job.

use super::state::JobState;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crate::engine::evaluation::{Evaluated, Evaluation};
use crate::engine::event::{NodeTiming, Outcome};
use crate::engine::previous::PreviousState;
use crate::engine::round::Round;
use crate::engine::step::Step;
use crate::model::lock::lock;
use crate::model::port::Reference;

impl JobState {
    pub fn finish(self: &Arc<Self>, round: &Arc<Round>) {
        self.load_targets(round);
        if round.again.load(Ordering::Relaxed) && !self.cancel.is_cancelled() {
            return self.begin();
        }
        if self.shared.reuse {
            self.remember(round);
        }
        self.shared.running.leave(self.id);
        self.shared.budget.end(self.id);
        *lock(&self.events) = None;
        // The job's owner may have dropped the receiver.
        let _unheard = self.done.send(());
    }

    /// Stores the entry of each node for the next job.
    fn remember(&self, round: &Round) {
        let (resolution, origin) = (&round.resolution, (self.id, &*self.graph));
        let mut last = lock(&self.memo.previous);
        let fits = last.as_mut().filter(|last| Some(last.by) == resolution.since);
        if let Some(fits) = fits.and_then(Arc::get_mut) {
            let changed = |&node: &usize| !resolution.unchanged[node] || resolution.runs[node];
            let changed = (0..resolution.unchanged.len()).filter(changed);
            return fits
                .update(origin, changed.map(|node| (node, resolution.asked[node], round.known(node))));
        }
        let known = (0..self.graph.plan.wires.len()).map(|node| round.known(node));
        *last = Some(Arc::new(PreviousState::new(
            origin,
            self.graph_hashes.clone(),
            resolution.asked.clone(),
            known,
        )));
    }

    /// Loads wanted values of known nodes that did not run.
    pub fn load_targets(&self, round: &Round) {
        for target in round.resolution.due.iter().map(|&due| &self.targets[due]) {
            let step = round.step(target.node);
            let known = round.id(target.node, target.output);
            if known.is_some() && known == target.have || step.outcome() != Some(Outcome::Cached) {
                continue;
            }
            if step.value(target.output).is_none() && known.is_some() {
                let kind = self.graph.graph.nodes[target.node].node().spec().outputs[target.output].kind;
                match known.map(|id| self.shared.load(&id, kind)) {
                    Some(Ok(value)) => step.keep(target.output, &value),
                    Some(Err(damage)) => self.run_again(round, target.node, damage),
                    None => {}
                }
            }
        }
    }

    /// The result, after the job has ended.
    pub fn evaluation(&self) -> Evaluation {
        let warnings = lock(&self.warnings).clone();
        let Some(round) = lock(&self.round).take() else {
            return Evaluation { outputs: Vec::new(), nodes: Vec::new(), warnings };
        };
        let needed = self.graph.plan.order.iter().filter(|&&node| round.resolution.needed[node]);
        let nodes = needed.map(|&node| {
            let known = (Some(Outcome::Cached), Duration::ZERO, 0);
            let (outcome, time, bytes) = round.own_step(node).map_or(known, Step::ending);
            let outcome = outcome.unwrap_or(Outcome::Cancelled);
            NodeTiming { node: Arc::clone(&self.graph.plan.names[node]), outcome, time, bytes }
        });
        let outputs = self.targets.iter().map(|target| {
            let spec = self.graph.graph.nodes[target.node].node().spec();
            let output = Reference {
                node: Arc::clone(&self.graph.plan.names[target.node]),
                output: Some(spec.outputs[target.output].name.into()),
            };
            let (id, value) = match round.own_step(target.node) {
                Some(step) => step.output(target.output),
                None => (round.id(target.node, target.output), None),
            };
            Evaluated { output, id, value }
        });
        Evaluation { nodes: nodes.collect(), outputs: outputs.collect(), warnings }
    }
}
