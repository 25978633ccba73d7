//! Graphs for tests of nodes.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{Data, Engine, EngineOptions, Evaluation, LoadOptions, Outcome, Wanted, load};

/// A graph, evaluated on one thread without a cache; its files lie in `folder`.
pub struct Run(Evaluation);

impl Run {
    /// Runs the text of a graph; the error is what is wrong with it before it runs.
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

    /// The same, of nodes on a map of 33 by 33 samples, 2 apart from (-8, 4).
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

    /// What the author is told.
    pub fn warnings(&self) -> String {
        self.0.warnings.join("\n")
    }

    /// Why the first node that failed did so.
    pub fn failure(&self) -> String {
        let failed = self.0.nodes.iter().find_map(|node| match &node.outcome {
            Outcome::Failed(error) => Some(error.to_string()),
            _ => None,
        });
        failed.unwrap_or_default()
    }
}
