//! The memory forecast of an evaluation.

mod simulation;
mod sizes;
mod workload;

use self::simulation::Simulation;
use self::sizes::ValueSizes;
pub use self::workload::Workload;
use super::fused::Fusions;
use super::graph::Graph;
use super::keep::Keep;
use super::plan::Plan;

/// Values and nodes below this many bytes are not counted: counting them would cost more than it saves.
pub const SMALL: u64 = 64 << 10;

/// The memory that an evaluation will need, as far as kinds, header and nodes determine it.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// The maximum number of bytes held at once if nodes run one after the other. No evaluation needs less.
    pub serial: u64,
    /// The node that runs when this maximum is reached.
    pub worst: Option<usize>,
    /// The maximum number of bytes held at once if nodes run as soon as they can.
    pub parallel: u64,
    /// Per node, bytes that it needs besides its inputs while it runs: outputs and working memory.
    pub nodes: Vec<u64>,
    /// Per node, whether its memory and inputs are large enough to be counted.
    pub large: Vec<bool>,
}

impl Plan {
    /// The memory for evaluating the wanted outputs on `threads` threads, if no results are known yet and the
    /// value of every node is made. An engine with as much memory needs no more.
    #[must_use]
    pub fn forecast(&self, graph: &Graph, wanted: &[(usize, usize)], threads: usize) -> Forecast {
        self.forecast_on(graph, wanted, threads, None)
    }

    /// Like [`Plan::forecast`]. With a `capacity` in bytes, nodes run together as in an engine with so much
    /// memory.
    pub(crate) fn forecast_on(
        &self,
        graph: &Graph,
        wanted: &[(usize, usize)],
        threads: usize,
        capacity: Option<u64>,
    ) -> Forecast {
        let needed = self.needed(wanted.iter().map(|w| w.0));
        let asked = self.asked(&needed, wanted.iter().copied());
        let held: Vec<usize> = wanted.iter().map(|w| w.0).collect();
        let mut made = made(graph);
        held.iter().for_each(|&node| made[node] = true);
        if capacity.is_none() {
            made.fill(true);
        }
        let workload = Workload { asked: &asked, runs: &needed, held: &held, made: &made, threads };
        self.forecast_of(graph, &workload, capacity.unwrap_or(0)).0
    }

    /// The memory of an evaluation with a known workload, and its fusions. There are none if they need more
    /// than `capacity` bytes at once: a fusion waits until all maps that it reads are in memory, so it can
    /// need more than its nodes one after the other.
    pub(crate) fn forecast_of(
        &self,
        graph: &Graph,
        workload: &Workload<'_>,
        capacity: u64,
    ) -> (Forecast, Fusions) {
        let mut values = ValueSizes::new(self, graph, workload);
        let (mut large, mut worth) = (vec![false; self.wires.len()], vec![false; self.wires.len()]);
        for &node in &values.order {
            large[node] = values.bytes_while_running(node) >= SMALL;
            worth[node] = values.output_bytes[node] > SMALL;
        }
        let fusions = Fusions::new(self, graph, (workload.runs, workload.made, &worth));
        let none = Fusions::default();
        if fusions.is_empty() {
            return (self.simulated(&values, workload, (large, &none)), none);
        }
        let apart = self.simulated(&values, workload, (large.clone(), &none));
        values.fuse(self, &fusions, workload.held);
        let fused = self.simulated(&values, workload, (large, &fusions));
        if fused.serial > capacity.max(apart.serial) { (apart, none) } else { (fused, fusions) }
    }

    fn simulated(
        &self,
        values: &ValueSizes,
        workload: &Workload<'_>,
        (large, fusions): (Vec<bool>, &Fusions),
    ) -> Forecast {
        let mut this = Forecast { nodes: vec![0; self.wires.len()], large, ..Forecast::default() };
        for &node in &values.order {
            this.nodes[node] = values.output_bytes[node].saturating_add(values.working_bytes[node]);
        }
        let mut simulation = Simulation::new((self, fusions), values);
        for &node in &values.order {
            let held = simulation.step(&[node], |node| values.working_bytes[node]);
            if held > this.serial || this.worst.is_none() {
                (this.serial, this.worst) = (held, Some(node));
            }
        }
        this.serial = this.serial.max(simulation.finish(workload.held));
        this.parallel = if workload.threads > 1 {
            simulation::parallel((self, fusions), values, &this.large, workload).max(this.serial)
        } else {
            this.serial
        };
        this
    }
}

/// Per node, whether the graph asks for its values to be kept.
pub fn made(graph: &Graph) -> Vec<bool> {
    graph.nodes.values().map(|node| node.keep == Some(Keep::Always)).collect()
}
