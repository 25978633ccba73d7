//! What each node of a job will take.

use crate::engine::resolve::Resolution;
use crate::engine::wanted::Target;
use crate::language::Loaded;
use crate::model::forecast::{Ahead, Forecast};

pub use crate::model::forecast::SMALL;

/// Bytes that a process takes beside values and nodes: its code, threads, and what it knows of the cache. A
/// run of a graph of 2 x 2 samples takes so many.
const PROCESS: u64 = 14 << 20;

/// What each node that runs in a job will take: its outputs and what it works with.
pub struct Needs {
    forecast: Forecast,
    /// Per node, its position in the order of the graph.
    positions: Vec<u32>,
    counts: bool,
}

impl Needs {
    pub fn new(graph: &Loaded, resolution: &Resolution, targets: &[Target], threads: usize) -> Self {
        let mut positions = vec![0; graph.plan.order.len()];
        for (position, &node) in graph.plan.order.iter().enumerate() {
            positions[node] = position as u32;
        }
        let held: Vec<usize> = resolution.due.iter().map(|&target| targets[target].node).collect();
        let ahead = Ahead { asked: &resolution.asked, runs: &resolution.runs, held: &held, threads };
        let forecast = graph.plan.forecast_of(&graph.graph, &ahead);
        Self { counts: forecast.large.contains(&true), forecast, positions }
    }

    /// What the job takes when its nodes run one after the other.
    pub fn serial(&self) -> u64 {
        self.forecast.serial
    }

    /// What the process will take, which is told before anything runs: nodes wait rather than take more than
    /// a budget's capacity.
    pub fn total(&self, capacity: u64) -> u64 {
        self.forecast.parallel.min(capacity.max(self.forecast.serial)).saturating_add(PROCESS)
    }

    /// Where a node comes when they run one after the other.
    pub fn position(&self, node: usize) -> u32 {
        self.positions[node]
    }

    /// Whether any node is large enough to be counted.
    pub fn count(&self) -> bool {
        self.counts
    }

    /// Whether a node takes or reads so much that only as many of its like run at once as there are threads.
    pub fn is_large(&self, node: usize) -> bool {
        self.forecast.large[node]
    }

    /// Bytes that a node needs beside its inputs.
    pub fn of(&self, node: usize) -> u64 {
        self.forecast.nodes[node]
    }
}
