//! Helpers for engines and jobs in tests.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::testing::wanted;
use terrane_flow::{Engine, EngineOptions, Evaluation, Event, Job, Loaded, Outcome};

/// An engine with this many threads, and memory for everything.
pub fn engine(threads: usize) -> Engine {
    Engine::new(EngineOptions { threads, ..EngineOptions::default() }).unwrap()
}

/// An engine with a cache on disk and none in memory.
pub fn on_disk(folder: &Path) -> Engine {
    let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder, 1 << 20));
    let options = EngineOptions { threads: 2, memory: 0, store: Some(store), ..EngineOptions::default() };
    Engine::new(options).unwrap()
}

pub fn start(engine: &Engine, graph: &Arc<Loaded>, names: &[&str]) -> Job {
    engine.start(graph, wanted(names)).unwrap()
}

pub fn run(engine: &Engine, graph: &Arc<Loaded>, names: &[&str]) -> Evaluation {
    start(engine, graph, names).wait()
}

/// The outcome of a node.
pub fn outcome(evaluation: &Evaluation, node: &str) -> Outcome {
    evaluation.nodes.iter().find(|timing| &*timing.node == node).unwrap().outcome.clone()
}

/// All events of a job in short form, except progress, which depends on the clock.
pub fn events(job: &Job) -> Vec<String> {
    let short = |event: Event| match event {
        Event::Planned { nodes, .. } => Some(format!("planned {nodes}")),
        Event::Started { node } => Some(format!("started {node}")),
        Event::Progress { .. } => None,
        Event::Finished { node, unchanged, .. } => {
            Some(format!("finished {node}{}", if unchanged { " unchanged" } else { "" }))
        }
        Event::Cached { node } => Some(format!("cached {node}")),
        Event::Failed { node, error } => Some(format!("failed {node}: {error}")),
        Event::Skipped { node, because } => Some(format!("skipped {node} because of {because}")),
        Event::Cancelled { node } => Some(format!("cancelled {node}")),
        Event::Warning { message, .. } => Some(format!("warning: {message}")),
    };
    job.events().iter().filter_map(short).collect()
}

/// The nodes of a chain: `n0` is 1, and each further node adds 1.
pub fn chain(nodes: usize) -> String {
    let node = |i: usize| match i {
        0 => r#""n0": Take()"#.to_owned(),
        _ => format!(r#""n{i}": Add(a: "n{}", b: 1.0)"#, i - 1),
    };
    (0..nodes).map(node).collect::<Vec<_>>().join(", ")
}
