//! One attempt at a job: the nodes that take part, and what is known of the others.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::budget::Needs;
use super::resolve::Resolution;
use super::step::Step;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::engine::event::Outcome;
use crate::language::Loaded;
use crate::model::node_key::Key;
use crate::model::value::Digest;

/// One attempt: a second follows only when a stored value turned out damaged while it was needed.
pub struct Round {
    pub resolution: Resolution,
    /// What each node will take.
    pub needs: Needs,
    /// Nodes that have not come to their end.
    pub remaining: AtomicUsize,
    /// Whether another attempt must follow.
    pub again: AtomicBool,
    /// Steps of the nodes that run or are read; the first stands for all others, whose content is known and
    /// not wanted.
    steps: Vec<Step>,
    /// Per node, the position of its step.
    at: Vec<u32>,
}

impl Round {
    pub fn new(graph: &Loaded, resolution: Resolution, needs: Needs, targets: &[Target]) -> Self {
        let known = Step::new(None);
        known.end(Outcome::Cached);
        let mut this = Self {
            at: vec![0; resolution.runs.len()],
            steps: vec![known],
            remaining: AtomicUsize::new(0),
            again: AtomicBool::new(false),
            resolution,
            needs,
        };
        let mut remaining = 0;
        for node in 0..this.at.len() {
            if !this.resolution.runs[node] {
                continue;
            }
            remaining += 1;
            let own = this.take_part(node);
            let mut givers: Vec<usize> = Vec::new();
            for wire in &graph.plan.wires[node] {
                let giver = this.take_part(wire.node);
                this.steps[giver].expect_read(wire.output);
                if this.resolution.runs[wire.node] && !givers.contains(&giver) {
                    givers.push(giver);
                }
            }
            *this.steps[own].pending.get_mut() = givers.len() as u32;
            for giver in givers {
                this.steps[giver].readers.push(node as u32);
            }
        }
        for due in 0..this.resolution.due.len() {
            let target = &targets[this.resolution.due[due]];
            let step = this.take_part(target.node);
            this.steps[step].expect_read(target.output);
        }
        *this.remaining.get_mut() = remaining;
        this
    }

    /// Gives a node a step of its own, once.
    fn take_part(&mut self, node: usize) -> usize {
        if self.at[node] == 0 {
            self.at[node] = self.steps.len() as u32;
            let step = Step::new(self.resolution.known[node].clone());
            if !self.resolution.runs[node] {
                step.end(Outcome::Cached);
            }
            self.steps.push(step);
        }
        self.at[node] as usize
    }

    /// The node's step.
    pub fn step(&self, node: usize) -> &Step {
        &self.steps[self.at[node] as usize]
    }

    /// The step of a node that runs or is read; all others are known and stay so.
    pub fn step_of_its_own(&self, node: usize) -> Option<&Step> {
        (self.at[node] > 0).then(|| self.step(node))
    }

    /// What is known of the node's outputs by now.
    pub fn known(&self, node: usize) -> Option<Entry> {
        self.step_of_its_own(node).map_or_else(|| self.resolution.known[node].clone(), Step::known)
    }

    /// Content of one output, where it is known by now.
    pub fn digest(&self, node: usize, output: usize) -> Option<Digest> {
        match self.step_of_its_own(node) {
            Some(step) => step.digest(output),
            None => self.resolution.digest(node, output).copied(),
        }
    }

    /// Keys of the nodes that run, where they are known before.
    pub fn running_keys(&self) -> impl Iterator<Item = Key> {
        let runs = (0..self.at.len()).filter(|&node| self.resolution.runs[node]);
        runs.filter_map(|node| self.resolution.keys.get(node).copied())
    }

    /// Nodes that run and wait for nothing.
    pub fn ready(&self) -> Vec<usize> {
        let waits = |node: usize| self.step(node).pending.load(Ordering::Acquire) > 0;
        (0..self.at.len()).filter(|&node| self.resolution.runs[node] && !waits(node)).collect()
    }
}
