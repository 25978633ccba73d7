//! Which nodes would run, and because of which changes since the last run.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use terrane_flow::{Engine, Evaluation, KeyPart, Loaded, Outcome, Resolved, Source};
use terrane_io::{read_regular, write_atomic};

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

/// Causes that are named for one node, at most.
const MOST: usize = 3;

/// The parts of the keys of nodes, by their names.
type Parts = BTreeMap<String, Vec<KeyPart>>;

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
        let causes = Causes::new(loaded, parts_before, parts(engine, loaded, targets));
        Self { loaded, seconds: seconds.unwrap_or_default(), causes }
    }

    fn of(&self, resolved: &Resolved) -> Option<Explained> {
        let (node, entry) = self.loaded.graph.nodes.get_index(resolved.node)?;
        Some(Explained {
            node: node.clone(),
            kind: entry.node().spec().name,
            key: resolved.key.map(|key| key.0.hex()[..16].to_owned()),
            cached: resolved.known,
            not_kept: resolved.not_kept.as_ref().map(|why| why.to_string()),
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

/// The parts of all keys, and where wires come from.
fn parts(engine: &Engine, loaded: &Loaded, targets: &[(usize, usize)]) -> Parts {
    let of = |(node, mut parts): (usize, Vec<KeyPart>)| {
        let (name, entry) = loaded.graph.nodes.get_index(node)?;
        let own = entry.node();
        for (index, input) in own.spec().inputs.iter().enumerate() {
            if let Source::Wire(from) = own.port(index).source() {
                parts.push(KeyPart { name: format!("wire {}", input.name), value: from.to_string() });
            }
        }
        Some((name.clone(), parts))
    };
    engine.key_parts(loaded, targets).into_iter().filter_map(of).collect()
}

fn page(cache: Option<&Path>, graph: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(graph).ok()?;
    let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
    Some(cache?.join("explain").join(format!("{}.json", &name[..32])))
}

fn last(cache: Option<&Path>, graph: &Path) -> Option<Remembered> {
    serde_json::from_slice(&read_regular(&page(cache, graph)?).ok()?).ok()
}

/// What changed since the last run.
struct Causes<'a> {
    loaded: &'a Loaded,
    /// Whether there was a run.
    ran: bool,
    /// Per node, its own changes; `None` if the last run did not have it.
    own: HashMap<usize, Option<Vec<String>>>,
}

impl<'a> Causes<'a> {
    fn new(loaded: &'a Loaded, last: Option<Parts>, now: Parts) -> Self {
        let of = |(name, parts): (&String, &Vec<KeyPart>)| {
            let before = last.as_ref().and_then(|last| last.get(name));
            Some((loaded.graph.nodes.get_index_of(name)?, before.map(|before| changes(before, parts))))
        };
        Self { loaded, ran: last.is_some(), own: now.iter().filter_map(of).collect() }
    }

    /// Why a node runs.
    fn of(&self, node: usize) -> Vec<String> {
        if !self.ran {
            return vec!["the graph has not run before".to_owned()];
        }
        match self.own.get(&node) {
            None | Some(None) => return vec!["it is new".to_owned()],
            Some(Some(own)) if !own.is_empty() => return own.clone(),
            Some(_) => {}
        }
        let mut found = Vec::new();
        let (mut seen, mut next) = (vec![node], vec![node]);
        // The nearest changes upstream.
        while let Some(at) = next.pop() {
            for wire in &self.loaded.plan.wires[at] {
                if seen.contains(&wire.node) {
                    continue;
                }
                seen.push(wire.node);
                let name = &self.loaded.plan.names[wire.node];
                match self.own.get(&wire.node) {
                    Some(Some(own)) if own.is_empty() => next.push(wire.node),
                    Some(Some(own)) => found.push(format!("`{name}` changed ({})", own.join("; "))),
                    _ => found.push(format!("`{name}` is new")),
                }
            }
        }
        if found.is_empty() {
            return vec!["its result is no longer in the cache".to_owned()];
        }
        let more = found.len().saturating_sub(MOST);
        found.truncate(MOST);
        found.extend((more > 0).then(|| format!("{more} more changes")));
        found
    }
}

/// The changes of a node itself, in words. Changes of what it reads belong to other nodes.
fn changes(last: &[KeyPart], now: &[KeyPart]) -> Vec<String> {
    let find = |parts: &[KeyPart], name: &str| {
        parts.iter().find(|part| part.name == name).map(|part| part.value.clone())
    };
    let mut all = Vec::new();
    for KeyPart { name, value } in now {
        let old = find(last, name).filter(|old| old != value);
        let is_new = find(last, name).is_none();
        if old.is_none() && !is_new {
            continue;
        }
        let from_to = |what: String| match &old {
            Some(old) => format!("{what}: {old} -> {value}"),
            None => format!("{what}: {value} is new"),
        };
        if let Some(port) = name.strip_prefix("wire ") {
            all.push(match &old {
                Some(old) => format!("`{port}` came from `{old}` and comes from `{value}`"),
                None => format!("`{port}` is connected to `{value}`"),
            });
        } else if let Some(port) = name.strip_prefix("input ") {
            // Numbers are written here; what a wire carries is another node's matter.
            if find(now, &format!("wire {port}")).is_none() {
                all.push(from_to(port.to_owned()));
            }
        } else if let Some(output) = name.strip_prefix("output ") {
            all.push(format!("the output `{output}` is {value}"));
        } else {
            all.push(match &**name {
                "type" => from_to("the type".to_owned()),
                "graph seed" => from_to("the graph's seed".to_owned()),
                "code" => "its code changed".to_owned(),
                "header" => "the graph's size, spacing, origin or place changed".to_owned(),
                "file content" => "the content of its file changed".to_owned(),
                "content beside the file" => "the content beside its file changed".to_owned(),
                "holes" => "what it reads can have holes".to_owned(),
                name => from_to(name.to_owned()),
            });
        }
    }
    for KeyPart { name, .. } in last.iter().filter(|part| find(now, &part.name).is_none()) {
        if let Some(port) = name.strip_prefix("wire ") {
            all.push(format!("`{port}` is no longer connected"));
        } else if let Some(port) = name.strip_prefix("input ") {
            // What was connected is said above.
            if find(last, &format!("wire {port}")).is_none() {
                all.push(format!("{port} is no longer set"));
            }
        } else {
            all.push(format!("{name} is no longer part of it"));
        }
    }
    all
}
