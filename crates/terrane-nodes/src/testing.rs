//! Helpers that run graphs in tests of nodes.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{Data, Engine, EngineOptions, Evaluation, LoadOptions, Outcome, Wanted, load};

/// A graph that was evaluated on one thread, without a cache.
pub struct Run(Evaluation);

impl Run {
    /// Runs the text of a graph, with its files in `folder`. Fails with the message of the loader.
    pub fn of(text: &str, folder: &Path) -> Result<Self, String> {
        let loaded = load("test.ron", text, folder, &crate::registry(), &LoadOptions::default())
            .map_err(|mistakes| mistakes.to_string())?;
        let options = EngineOptions { threads: 1, memory: 0, reuse: false, ..EngineOptions::default() };
        let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|o| o.from.clone().into()).collect();
        Engine::new(options)
            .unwrap()
            .start(&Arc::new(loaded), wanted)
            .map(|job| Self(job.wait()))
            .map_err(|e| e.to_string())
    }

    /// Runs nodes on a map of 33 x 33 samples with spacing 2 and origin (-8, 4).
    pub fn of_nodes(nodes: &str, output: &str) -> Result<Self, String> {
        let text = format!(
            "Graph(size: (33, 33), spacing: 2.0, origin: (-8, 4), nodes: {{ {nodes} }}, outputs: {{ {output} \
            }})"
        );
        Self::of(&text, Path::new("."))
    }

    /// The value of an output.
    pub fn value<T: Data + Clone>(&self, index: usize) -> T {
        let output = &self.0.outputs[index];
        output
            .value
            .as_ref()
            .and_then(|value| value.get::<T>())
            .cloned()
            .unwrap_or_else(|| panic!("{:?}", self.0.nodes))
    }

    /// The warnings of the run, one per line.
    pub fn warnings(&self) -> String {
        self.0.warnings.join("\n")
    }

    /// The error of the first node that failed, or an empty text.
    pub fn failure(&self) -> String {
        let failed = self.0.nodes.iter().find_map(|node| match &node.outcome {
            Outcome::Failed(error) => Some(error.to_string()),
            _ => None,
        });
        failed.unwrap_or_default()
    }
}
