//! The forecast memory of each node of a job.

use crate::engine::resolve::Resolution;
use crate::engine::wanted::Target;
use crate::language::Loaded;
use crate::model::forecast::{Forecast, Workload, made};
use crate::model::fused::Fusions;

pub use crate::model::forecast::SMALL;

/// The memory in bytes that a process uses besides values and nodes: code, threads, and the cache's index.
/// This was measured with a graph of 2 x 2 samples.
const PROCESS: u64 = 14 << 20;

/// The forecast memory of each node that runs in a job: its outputs and working memory.
pub struct Needs {
    forecast: Forecast,
    /// Per node, its position in the order in which nodes run one after the other.
    positions: Vec<u32>,
    counts: bool,
}

impl Needs {
    /// The needs of a job, and its fusions. `all`: whether all values are made.
    pub fn new(
        graph: &Loaded,
        resolution: &Resolution,
        targets: &[Target],
        all: bool,
        (threads, capacity): (usize, u64),
    ) -> (Self, Fusions) {
        let mut positions = vec![0; graph.plan.order.len()];
        for (position, &node) in graph.plan.order.iter().enumerate() {
            positions[node] = position as u32;
        }
        let held: Vec<usize> = resolution.due.iter().map(|&target| targets[target].node).collect();
        let mut made = made(&graph.graph);
        targets.iter().for_each(|target| made[target.node] = true);
        if all {
            made.fill(true);
        }
        let workload =
            Workload { asked: &resolution.asked, runs: &resolution.runs, held: &held, made: &made, threads };
        let (forecast, fusions) = graph.plan.forecast_of(&graph.graph, &workload, capacity);
        (Self { counts: forecast.large.contains(&true), forecast, positions }, fusions)
    }

    /// The bytes that the job needs if its nodes run one after the other.
    pub fn serial(&self) -> u64 {
        self.forecast.serial
    }

    /// The forecast of the memory of the whole process, in bytes. It is reported before anything runs. Nodes
    /// wait rather than exceed the budget's `capacity`, and the forecast takes this into account.
    pub fn total(&self, capacity: u64) -> u64 {
        self.forecast.parallel.min(capacity.max(self.forecast.serial)).saturating_add(PROCESS)
    }

    /// The position of a node in the order in which nodes run one after the other.
    pub fn position(&self, node: usize) -> u32 {
        self.positions[node]
    }

    /// Whether the memory of any node is large enough to be counted.
    pub fn count(&self) -> bool {
        self.counts
    }

    /// Whether a node is large: it computes or reads large values. At most as many large nodes run at once as
    /// there are threads.
    pub fn is_large(&self, node: usize) -> bool {
        self.forecast.large[node]
    }

    /// Bytes that a node needs besides its inputs.
    pub fn of(&self, node: usize) -> u64 {
        self.forecast.nodes[node]
    }
}
