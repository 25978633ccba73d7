//! What each node of a job will take.

use crate::language::Loaded;
use crate::model::forecast::Forecast;

/// Values and nodes below this many bytes are not counted: there would be more to count than to save.
pub const SMALL: u64 = 64 << 10;

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
        let forecast = graph.plan.forecast_on(&graph.graph, targets, threads);
        Self { counts: forecast.nodes.iter().any(|&bytes| bytes >= SMALL), forecast, positions }
    }

    /// What the job takes when its nodes run one after the other.
    pub fn serial(&self) -> u64 {
        self.forecast.serial
    }

    /// What is to be told before anything runs.
    pub fn total(&self) -> u64 {
        self.forecast.parallel
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
