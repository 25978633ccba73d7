//! What each node of a job will take.

use crate::language::Loaded;
use crate::model::forecast::Forecast;

pub use crate::model::forecast::SMALL;

/// Bytes that a process takes beside values and nodes: its code, threads, and what it knows of the cache.
const PROCESS: u64 = 12 << 20;

/// What each node of a job will take while it runs: its outputs and what it works with.
pub struct Needs {
    forecast: Forecast,
    /// Per node, its position in the order of the graph.
    positions: Vec<u32>,
    counts: bool,
}

impl Needs {
    pub fn new(graph: &Loaded, targets: &[(usize, usize)], threads: usize) -> Self {
        let mut positions = vec![0; graph.plan.order.len()];
        for (position, &node) in graph.plan.order.iter().enumerate() {
            positions[node] = position as u32;
        }
        let forecast = graph.plan.forecast(&graph.graph, targets, threads);
        Self { counts: forecast.nodes.iter().any(|&bytes| bytes >= SMALL), forecast, positions }
    }

    /// What the job takes when its nodes run one after the other.
    pub fn serial(&self) -> u64 {
        self.forecast.serial
    }

    /// What the process will take, which is told before anything runs: nodes wait rather than take more than a budget's capacity.
    pub fn total(&self, capacity: u64) -> u64 {
        self.forecast.parallel.min(capacity.max(self.forecast.serial)).saturating_add(PROCESS)
    }

    /// Where a node comes when they run one after the other.
    pub fn position(&self, node: usize) -> u32 {
        self.positions[node]
    }

    /// Whether any node takes so much that it is counted.
    pub fn count(&self) -> bool {
        self.counts
    }

    /// Bytes that a node needs beside its inputs.
    pub fn of(&self, node: usize) -> u64 {
        self.forecast.nodes[node]
    }
}
