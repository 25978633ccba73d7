//! An evaluation played through without running anything: which values are there at once.

use std::collections::VecDeque;

use super::ahead::Ahead;
use super::sizes::Values;
use crate::model::plan::Plan;

/// An evaluation under way.
pub struct Play<'a> {
    plan: &'a Plan,
    values: &'a Values,
    /// Per node, readings still to come.
    reads: Vec<u32>,
    /// Per node, whether its outputs have been made or loaded.
    there: Vec<bool>,
    /// Bytes of values.
    live: u64,
}

impl<'a> Play<'a> {
    pub fn new(plan: &'a Plan, values: &'a Values) -> Self {
        let there = vec![false; plan.wires.len()];
        let mut this = Self { plan, values, reads: values.reads.clone(), there, live: 0 };
        // What runs is made, not loaded.
        values.order.iter().for_each(|&node| this.there[node] = true);
        this
    }

    fn load(&mut self, node: usize) {
        if !self.there[node] {
            self.there[node] = true;
            self.live = self.live.saturating_add(self.values.made[node]);
        }
    }

    /// Some nodes run side by side; `beside` tells what each works with. Bytes held at once.
    pub fn step(&mut self, nodes: &[usize], beside: impl Fn(usize) -> u64) -> u64 {
        // Inputs that no node of this evaluation makes are loaded.
        for wire in nodes.iter().flat_map(|&node| &self.plan.wires[node]) {
            self.load(wire.node);
        }
        let taken = nodes.iter().map(|&node| self.values.made[node].saturating_add(beside(node)));
        let held = taken.fold(self.live, u64::saturating_add);
        nodes.iter().for_each(|&node| self.end(node));
        held
    }

    /// With a node end the values that it was the last to read, and its own where nobody reads them.
    fn end(&mut self, node: usize) {
        let made = &self.values.made;
        self.live = self.live.saturating_add(if self.reads[node] == 0 { 0 } else { made[node] });
        for wire in &self.plan.wires[node] {
            self.reads[wire.node] -= 1;
            if self.reads[wire.node] == 0 {
                self.live = self.live.saturating_sub(made[wire.node]);
            }
        }
    }

    /// Bytes held at the end, when all that somebody wants is there.
    pub fn finish(mut self, held: &[usize]) -> u64 {
        held.iter().for_each(|&node| self.load(node));
        self.live
    }
}

/// Most bytes held at once when nodes run in parallel, each as long as any other: as many large ones at once
/// as there are threads, each thread going on with a reader of what it has just made, otherwise with what has
/// been ready for longest. Small nodes take no thread's place. Nodes that run side by side share the threads,
/// and what they work with on each.
pub fn parallel(plan: &Plan, values: &Values, large: &[bool], ahead: &Ahead<'_>) -> u64 {
    let (mut pending, mut readers) = (Vec::new(), Vec::new());
    pending.resize(large.len(), 0u32);
    readers.resize(large.len(), Vec::new());
    for &node in &values.order {
        for wire in plan.wires[node].iter().filter(|wire| ahead.runs[wire.node]) {
            pending[node] += 1;
            readers[wire.node].push(node);
        }
    }
    let mut ready: VecDeque<usize> =
        values.order.iter().copied().filter(|&node| pending[node] == 0).collect();
    let mut play = Play::new(plan, values);
    let (mut running, mut peak) = (Vec::new(), 0u64);
    loop {
        let mut busy = running.iter().filter(|&&node: &&usize| large[node]).count();
        while busy < ahead.threads
            && let Some(node) = ready.pop_front()
        {
            busy += usize::from(large[node]);
            running.push(node);
        }
        if running.is_empty() {
            return peak.max(play.finish(ahead.held));
        }
        let share = (ahead.threads / busy.max(1)).clamp(1, ahead.threads);
        peak = peak.max(play.step(&running, |node| values.beside_on(node, share, ahead.threads)));
        for node in std::mem::take(&mut running) {
            let mut goes_on = false;
            for &reader in &readers[node] {
                pending[reader] -= 1;
                if pending[reader] > 0 {
                    continue;
                }
                if goes_on {
                    ready.push_back(reader);
                } else {
                    running.push(reader);
                    goes_on = true;
                }
            }
        }
    }
}
