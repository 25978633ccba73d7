//! Shared helpers of the end-to-end tests.

#[cfg(doctest)]
mod documents;
pub mod variants;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane::flow::cache::{DiskCache, Store};
use terrane::flow::{Diagnostics, Evaluation, GraphText, load};
use terrane::{Engine, EngineOptions, LoadOptions, Loaded, Wanted, load_file, registry};

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every graph in `graphs/`, in order.
#[must_use]
pub fn graphs() -> Vec<PathBuf> {
    let mut graphs = Vec::new();
    let mut folders = vec![root().join("graphs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ron") && !is_world(&path) {
                graphs.push(path);
            }
        }
    }
    graphs.sort();
    graphs
}

/// Whether a file describes a world rather than a graph.
fn is_world(path: &Path) -> bool {
    terrane::flow::described_type(&terrane::flow::Disk, path).as_deref() == Some("World")
}

/// An engine with this many threads, and a disk cache if a folder is given.
///
/// # Panics
/// If the system provides no threads.
#[must_use]
pub fn engine(threads: usize, cache: Option<&Path>) -> Engine {
    let store = cache.map(|folder| Arc::new(DiskCache::new(folder, 1 << 30)) as Arc<dyn Store>);
    let options = EngineOptions {
        threads,
        memory: 0,
        reuse: store.is_some(),
        store,
        keep_all: true,
        ..EngineOptions::default()
    };
    Engine::new(options).unwrap_or_else(|error| panic!("{error}"))
}

/// Loads a graph file as it is.
///
/// # Errors
/// The file's mistakes.
pub fn load_graph(path: &Path) -> Result<Loaded, Diagnostics> {
    load_file(path, &registry(), &LoadOptions::default())
}

/// Loads a graph from its text with this many samples and with small rendered pictures.
///
/// # Errors
/// The text's mistakes.
///
/// # Panics
/// If the text is loaded but cannot be edited.
pub fn load_small(path: &Path, text: &str, (columns, rows): (usize, usize)) -> Result<Loaded, Diagnostics> {
    let header = vec![("size".to_owned(), format!("({columns}, {rows})"))];
    let options = LoadOptions { header, ..LoadOptions::default() };
    let (name, folder) = (path.to_string_lossy(), path.parent().unwrap_or(path));
    let load = |text: &str| load(&name, text, folder, &registry(), &options);
    let loaded = load(text)?;
    let mut graph = GraphText::new(text).unwrap_or_else(|error| panic!("{error}"));
    let mut changed = false;
    for (node, _) in loaded.graph.nodes.iter().filter(|(_, node)| node.node().spec().name == "Render") {
        // Fails for nodes of subgraphs, which are in other texts.
        changed |= graph.set_field(node, "pixels", "(160, 90)").is_ok();
    }
    if changed { load(graph.text()) } else { Ok(loaded) }
}

/// Loads a graph from text. Its file names are relative to `graphs/`.
///
/// # Errors
/// The text's mistakes.
pub fn load_text(text: &str) -> Result<Loaded, Diagnostics> {
    load("test.ron", text, &root().join("graphs"), &registry(), &LoadOptions::default())
}

/// Evaluates all outputs of a graph.
///
/// # Panics
/// If the graph does not know its own outputs, which loading has ruled out.
#[must_use]
pub fn evaluate(engine: &Engine, loaded: &Arc<Loaded>) -> Evaluation {
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|output| output.from.clone().into()).collect();
    match engine.start(loaded, wanted) {
        Ok(job) => job.wait(),
        Err(diagnostics) => panic!("{diagnostics}"),
    }
}

/// Evaluates all outputs of a graph, and cancels what is not done after a time. `None` if it cannot start.
#[must_use]
pub fn evaluate_for(engine: &Engine, loaded: &Arc<Loaded>, patience: Duration) -> Option<Evaluation> {
    let wanted: Vec<Wanted> = loaded.graph.outputs.iter().map(|output| output.from.clone().into()).collect();
    let job = engine.start(loaded, wanted).ok()?;
    let begin = Instant::now();
    while begin.elapsed() < patience {
        let left = patience.saturating_sub(begin.elapsed());
        if job.events().recv_timeout(left).is_err_and(|error| error.is_disconnected()) {
            break;
        }
    }
    job.cancel();
    Some(job.wait())
}

/// Evaluates ports of a graph's text, given as `node` or `node.output`.
#[must_use]
pub fn run(text: &str, ports: &[&str]) -> Evaluation {
    let loaded = Arc::new(load_text(text).unwrap_or_else(|errors| panic!("{errors}")));
    let wanted: Vec<Wanted> = ports.iter().map(|port| terrane::flow::Reference::parse(port).into()).collect();
    engine(2, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait()
}

/// The value of a port, by its position among the requested ones.
#[must_use]
pub fn value<T: terrane::flow::Data>(evaluation: &Evaluation, index: usize) -> Arc<T> {
    let value = evaluation.outputs[index].value.clone();
    value.and_then(terrane::flow::Value::downcast).unwrap_or_else(|| panic!("{:?}", evaluation.nodes))
}

/// The message of a node that fails.
#[must_use]
pub fn said(text: &str, port: &str) -> String {
    let evaluation = run(text, &[port]);
    let failed = evaluation.nodes.iter().filter_map(|node| match &node.outcome {
        terrane::flow::Outcome::Failed(error) => Some(format!("{error:?}")),
        _ => None,
    });
    failed.collect()
}

/// The content of all outputs, as one text.
#[must_use]
pub fn digests(evaluation: &Evaluation) -> Vec<String> {
    evaluation
        .outputs
        .iter()
        .map(|o| o.value.as_ref().map_or_else(|| "none".to_owned(), |value| value.digest().hex()))
        .collect()
}
