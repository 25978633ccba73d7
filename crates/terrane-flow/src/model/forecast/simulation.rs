//! Simulates an evaluation without running nodes, to find which values are in memory at once.

use std::collections::VecDeque;

use super::sizes::ValueSizes;
use super::workload::Workload;
use crate::model::fused::Fusions;
use crate::model::plan::Plan;

/// A simulated evaluation in progress.
pub struct Simulation<'a> {
    plan: &'a Plan,
    fusions: &'a Fusions,
    values: &'a ValueSizes,
    /// Per node, the number of reads still to come.
    reads: Vec<u32>,
    /// Per node, whether its outputs need not be loaded: the node runs, or they have been loaded.
    in_memory: Vec<bool>,
    /// The bytes of all values in memory.
    live: u64,
}

impl<'a> Simulation<'a> {
    pub fn new((plan, fusions): (&'a Plan, &'a Fusions), values: &'a ValueSizes) -> Self {
        let in_memory = vec![false; plan.wires.len()];
        let mut this = Self { plan, fusions, values, reads: values.reads.clone(), in_memory, live: 0 };
        // Values of nodes that run are computed, not loaded.
        values.order.iter().for_each(|&node| this.in_memory[node] = true);
        this
    }

    fn load(&mut self, node: usize) {
        if !self.in_memory[node] {
            self.in_memory[node] = true;
            self.live = self.live.saturating_add(self.values.output_bytes[node]);
        }
    }

    /// Simulates running some nodes at the same time, and returns the bytes held while they run. `working`
    /// returns the working memory of a node.
    pub fn step(&mut self, nodes: &[usize], working: impl Fn(usize) -> u64) -> u64 {
        // Inputs that no node of this evaluation computes are loaded.
        for wire in nodes.iter().flat_map(|&node| self.fusions.wires(self.plan, node)) {
            self.load(wire.node);
        }
        let taken = nodes.iter().map(|&node| self.values.output_bytes[node].saturating_add(working(node)));
        let held = taken.fold(self.live, u64::saturating_add);
        nodes.iter().for_each(|&node| self.end(node));
        held
    }

    /// Ends a node. Frees the values that it was the last to read, and its outputs if nothing reads them.
    fn end(&mut self, node: usize) {
        let output_bytes = &self.values.output_bytes;
        self.live = self.live.saturating_add(if self.reads[node] == 0 { 0 } else { output_bytes[node] });
        for wire in self.fusions.wires(self.plan, node) {
            self.reads[wire.node] -= 1;
            if self.reads[wire.node] == 0 {
                self.live = self.live.saturating_sub(output_bytes[wire.node]);
            }
        }
    }

    /// Bytes held at the end, when all wanted values are in memory.
    pub fn finish(mut self, held: &[usize]) -> u64 {
        held.iter().for_each(|&node| self.load(node));
        self.live
    }
}

/// The maximum number of bytes held at once if nodes run in parallel and each takes the same time.
///
/// The number of large nodes that run at once is at most the number of threads. Small nodes do not occupy a
/// thread. After a node, a thread continues with a dependent of this node. If no dependent is ready, the
/// thread continues with the node that has been ready for longest. Nodes that run at once share the threads,
/// and so they share the working memory that each thread needs.
pub fn parallel(
    (plan, fusions): (&Plan, &Fusions),
    values: &ValueSizes,
    large: &[bool],
    workload: &Workload<'_>,
) -> u64 {
    let (mut pending, mut dependents) = (Vec::new(), Vec::new());
    pending.resize(large.len(), 0u32);
    dependents.resize(large.len(), Vec::new());
    for &node in &values.order {
        for wire in fusions.wires(plan, node).iter().filter(|wire| workload.runs[wire.node]) {
            pending[node] += 1;
            dependents[wire.node].push(node);
        }
    }
    let mut ready: VecDeque<usize> =
        values.order.iter().copied().filter(|&node| pending[node] == 0).collect();
    let mut simulation = Simulation::new((plan, fusions), values);
    let (mut running, mut peak) = (Vec::new(), 0u64);
    loop {
        let mut busy = running.iter().filter(|&&node: &&usize| large[node]).count();
        while busy < workload.threads
            && let Some(node) = ready.pop_front()
        {
            busy += usize::from(large[node]);
            running.push(node);
        }
        if running.is_empty() {
            return peak.max(simulation.finish(workload.held));
        }
        let share = (workload.threads / busy.max(1)).clamp(1, workload.threads);
        peak = peak
            .max(simulation.step(&running, |node| values.working_bytes_on(node, share, workload.threads)));
        for node in std::mem::take(&mut running) {
            let mut continued = false;
            for &dependent in &dependents[node] {
                pending[dependent] -= 1;
                if pending[dependent] > 0 {
                    continue;
                }
                if continued {
                    ready.push_back(dependent);
                } else {
                    running.push(dependent);
                    continued = true;
                }
            }
        }
    }
}
