//! Which nodes would run, and because of which changes since the last run.

mod causes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use terrane_flow::{Engine, Evaluation, Loaded, Outcome, Resolved};
use terrane_io::{read_regular, write_atomic};

pub use causes::{Causes, Parts, parts};

/// What an evaluation would do with a node, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The node.
    pub node: String,
    /// Its type.
    pub kind: &'static str,
    /// Its key; `None` if it depends on a node that has to run first.
    pub key: Option<String>,
    /// Whether its outputs are known.
    pub cached: bool,
    /// Why they are not kept for other runs.
    pub not_kept: Option<String>,
    /// Why it runs, in words.
    pub because: Vec<String>,
    /// How long it took when it ran last.
    pub seconds: Option<f64>,
}

/// What is saved of a run.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
struct Remembered {
    /// What the keys depend on.
    parts: Parts,
    /// How long nodes took, by their names, in seconds.
    #[serde(default)]
    seconds: BTreeMap<String, f64>,
}

/// Explains each node that a graph's outputs need; of a graph without outputs, all nodes. `cache` is the
/// folder of the disk cache, in which [`remember`] has saved the last run.
#[must_use]
pub fn explain(engine: &Engine, loaded: &Loaded, cache: Option<&Path>, graph: &Path) -> Vec<Explained> {
    let targets = targets(loaded);
    let all = Explaining::new(engine, loaded, cache, graph, &targets);
    engine.resolve(loaded, &targets).iter().filter_map(|resolved| all.of(resolved)).collect()
}

/// Explains one output of a graph, and tells how an evaluation would get it.
#[must_use]
pub fn explain_node(
    engine: &Engine,
    loaded: &Loaded,
    cache: Option<&Path>,
    graph: &Path,
    output: (usize, usize),
) -> Option<(Resolved, Explained)> {
    let all = Explaining::new(engine, loaded, cache, graph, &[output]);
    let resolved =
        engine.resolve(loaded, &[output]).into_iter().find(|resolved| resolved.node == output.0)?;
    let explained = all.of(&resolved)?;
    Some((resolved, explained))
}

/// What is known of a graph's nodes.
struct Explaining<'a> {
    loaded: &'a Loaded,
    seconds: BTreeMap<String, f64>,
    causes: Causes<'a>,
}

impl<'a> Explaining<'a> {
    fn new(
        engine: &Engine,
        loaded: &'a Loaded,
        cache: Option<&Path>,
        graph: &Path,
        targets: &[(usize, usize)],
    ) -> Self {
        let last = last(cache, graph);
        let (parts_before, seconds) = last.map(|last| (last.parts, last.seconds)).unzip();
        let causes = Causes::new(loaded, parts_before.as_ref(), &parts(engine, loaded, targets));
        Self { loaded, seconds: seconds.unwrap_or_default(), causes }
    }

    fn of(&self, resolved: &Resolved) -> Option<Explained> {
        let (node, entry) = self.loaded.graph.nodes.get_index(resolved.node)?;
        Some(Explained {
            node: node.clone(),
            kind: entry.node().spec().name,
            key: resolved.key.map(|key| key.0.hex()[..16].to_owned()),
            cached: resolved.known,
            not_kept: resolved.not_kept.as_ref().map(ToString::to_string),
            because: if resolved.known { Vec::new() } else { self.causes.of(resolved.node) },
            seconds: self.seconds.get(node).copied(),
        })
    }
}

/// Saves the keys and the times of a run, for the next [`explain`] to compare with. Times of nodes that did
/// not run are those of the run before.
pub fn remember(
    engine: &Engine,
    loaded: &Loaded,
    evaluation: &Evaluation,
    cache: Option<&Path>,
    graph: &Path,
) {
    let Some(page) = page(cache, graph) else { return };
    if page.parent().is_some_and(Path::is_symlink) {
        return;
    }
    let parts = parts(engine, loaded, &targets(loaded));
    let mut seconds = last(cache, graph).map(|last| last.seconds).unwrap_or_default();
    seconds.retain(|node, _| parts.contains_key(node));
    let ran = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Ran);
    seconds.extend(ran.map(|node| (node.node.to_string(), node.time.as_secs_f64())));
    let now = Remembered { parts, seconds };
    // If saving fails, the next explanation says less.
    let _best_effort =
        write_atomic(&page, false, |out| serde_json::to_writer(out, &now).map_err(std::io::Error::other));
}

fn targets(loaded: &Loaded) -> Vec<(usize, usize)> {
    let wanted: Vec<(usize, usize)> =
        loaded.graph.outputs.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect();
    if wanted.is_empty() { (0..loaded.graph.nodes.len()).map(|node| (node, 0)).collect() } else { wanted }
}

fn page(cache: Option<&Path>, graph: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(graph).ok()?;
    let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
    Some(cache?.join("explain").join(format!("{}.json", &name[..32])))
}

fn last(cache: Option<&Path>, graph: &Path) -> Option<Remembered> {
    serde_json::from_slice(&read_regular(&page(cache, graph)?).ok()?).ok()
}
