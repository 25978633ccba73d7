//! The memory forecast of an evaluation.

mod simulation;
mod sizes;
mod workload;

use self::simulation::Simulation;
use self::sizes::ValueSizes;
pub use self::workload::Workload;
use super::graph::Graph;
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
    /// The memory for evaluating the wanted outputs on `threads` threads, if no results are known yet.
    #[must_use]
    pub fn forecast(&self, graph: &Graph, wanted: &[(usize, usize)], threads: usize) -> Forecast {
        let needed = self.needed(wanted.iter().map(|w| w.0));
        let asked = self.asked(&needed, wanted.iter().copied());
        let held: Vec<usize> = wanted.iter().map(|w| w.0).collect();
        let workload = Workload { asked: &asked, runs: &needed, held: &held, threads };
        self.forecast_of(graph, &workload)
    }

    /// The memory of an evaluation with a known workload.
    pub(crate) fn forecast_of(&self, graph: &Graph, workload: &Workload<'_>) -> Forecast {
        let values = ValueSizes::new(self, graph, workload);
        let mut this = Forecast {
            nodes: vec![0; self.wires.len()],
            large: vec![false; self.wires.len()],
            ..Forecast::default()
        };
        for &node in &values.order {
            this.nodes[node] = values.output_bytes[node].saturating_add(values.working_bytes[node]);
            this.large[node] = this.nodes[node].saturating_add(values.input_bytes[node]) >= SMALL;
        }
        let mut simulation = Simulation::new(self, &values);
        for &node in &values.order {
            let held = simulation.step(&[node], |node| values.working_bytes[node]);
            if held > this.serial || this.worst.is_none() {
                (this.serial, this.worst) = (held, Some(node));
            }
        }
        this.serial = this.serial.max(simulation.finish(workload.held));
        this.parallel = if workload.threads > 1 {
            simulation::parallel(self, &values, &this.large, workload).max(this.serial)
        } else {
            this.serial
        };
        this
    }
}
