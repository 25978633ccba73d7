//! A round: one attempt at a job. A [`Step`] holds the state of each node that takes part in it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use smallvec::{SmallVec, smallvec};

use super::budget::Needs;
use super::resolve::Resolution;
use super::step::Step;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::engine::event::Outcome;
use crate::language::Loaded;
use crate::model::fused::Fusions;
use crate::model::node_key::Key;
use crate::model::plan::Wire;
use crate::model::value_id::ValueId;

/// One attempt at a job. Another attempt follows only if a needed value in the store is damaged or missing,
/// or if a file changed while a node read it.
pub struct Round {
    pub resolution: Resolution,
    /// The forecast memory of each node.
    pub needs: Needs,
    /// The nodes that are evaluated together. A fusion runs as its last node.
    pub fusions: Fusions,
    /// The number of nodes that have not ended.
    pub remaining: AtomicUsize,
    /// Whether another attempt must follow.
    pub again: AtomicBool,
    /// Steps of the nodes that run, and of those whose outputs are read. All other nodes share the first
    /// step.
    steps: Vec<Step>,
    /// Per node, the position of its step.
    at: Vec<u32>,
}

impl Round {
    pub fn new(
        graph: &Loaded,
        resolution: Resolution,
        (needs, fusions): (Needs, Fusions),
        targets: &[Target],
    ) -> Self {
        let known = Step::new(None);
        known.end(Outcome::Cached);
        let mut this = Self {
            at: vec![0; resolution.runs.len()],
            steps: vec![known],
            remaining: AtomicUsize::new(0),
            again: AtomicBool::new(false),
            resolution,
            needs,
            fusions,
        };
        let mut remaining = 0;
        for node in 0..this.at.len() {
            if !this.resolution.runs[node] {
                continue;
            }
            let own = this.step_position(node);
            if this.fusions.is_inner(node) {
                continue;
            }
            remaining += 1;
            let mut upstream_steps: Vec<usize> = Vec::new();
            let wires = this.fusions.wires(&graph.plan, node).to_vec();
            for wire in wires {
                let upstream = this.step_position(wire.node);
                this.steps[upstream].expect_read(wire.output);
                if this.resolution.runs[wire.node] && !upstream_steps.contains(&upstream) {
                    upstream_steps.push(upstream);
                }
            }
            *this.steps[own].pending.get_mut() = upstream_steps.len() as u32;
            for upstream in upstream_steps {
                this.steps[upstream].dependents.push(node as u32);
            }
        }
        for due in 0..this.resolution.due.len() {
            let target = &targets[this.resolution.due[due]];
            let step = this.step_position(target.node);
            this.steps[step].expect_read(target.output);
        }
        *this.remaining.get_mut() = remaining;
        this
    }

    /// The position of a node's own step. Creates this step if it does not exist yet.
    fn step_position(&mut self, node: usize) -> usize {
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

    /// The nodes of the fusion that ends in a node, upstream nodes first, or the node alone.
    pub fn members(&self, node: usize) -> SmallVec<[usize; 4]> {
        match self.fusions.ending_in(node) {
            Some(fusion) => SmallVec::from_slice(&fusion.members),
            None => smallvec![node],
        }
    }

    /// The node's step.
    pub fn step(&self, node: usize) -> &Step {
        &self.steps[self.at[node] as usize]
    }

    /// The step of a node that runs or whose outputs are read; `None` for other nodes.
    pub fn own_step(&self, node: usize) -> Option<&Step> {
        (self.at[node] > 0).then(|| self.step(node))
    }

    /// The cache entry of the node, if known by now.
    pub fn known(&self, node: usize) -> Option<Entry> {
        self.own_step(node).map_or_else(|| self.resolution.known[node].clone(), Step::known)
    }

    /// The identity of an output, if known by now.
    pub fn id(&self, node: usize, output: usize) -> Option<ValueId> {
        match self.own_step(node) {
            Some(step) => step.id(output),
            None => self.resolution.id(node, output).copied(),
        }
    }

    /// Keys of the nodes that run, as far as they are known in advance.
    pub fn running_keys(&self) -> impl Iterator<Item = Key> {
        let runs =
            (0..self.at.len()).filter(|&node| self.resolution.runs[node] && !self.fusions.is_inner(node));
        runs.filter_map(|node| self.resolution.keys.get(node).copied())
    }

    /// Nodes that run and do not wait for others.
    pub fn ready(&self) -> Vec<usize> {
        let waits =
            |node: usize| self.fusions.is_inner(node) || self.step(node).pending.load(Ordering::Acquire) > 0;
        (0..self.at.len()).filter(|&node| self.resolution.runs[node] && !waits(node)).collect()
    }

    /// The wires whose values a node, or the fusion that ends in it, reads.
    pub fn wires<'a>(&'a self, graph: &'a Loaded, node: usize) -> &'a [Wire] {
        self.fusions.wires(&graph.plan, node)
    }
}
