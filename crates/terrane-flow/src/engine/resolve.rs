//! What is known before anything runs, and what must run.

use super::last::Last;
use super::shared::Shared;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::language::Loaded;
use crate::model::key::{self, Ground, Key, KeyPart};
use crate::model::value::Digest;

/// The state of a graph before a job.
pub struct Resolution {
    /// Whether some target needs the node.
    pub needed: Vec<bool>,
    /// Per node, a bit per output that something reads.
    pub asked: Vec<u32>,
    /// The node's key, where its inputs' content is known.
    pub keys: Vec<Option<Key>>,
    /// What is known of the outputs: their content, above all.
    pub known: Vec<Option<Entry>>,
    /// Whether the node runs, or may have to.
    pub runs: Vec<bool>,
}

/// Looks every needed node up, givers first; then decides from the readers' side what has to run.
pub fn resolve(
    shared: &Shared,
    graph: &Loaded,
    ground: &Ground,
    targets: &[Target],
    last: Option<&Last>,
) -> Resolution {
    let count = graph.plan.wires.len();
    let needed = graph.plan.needed(targets.iter().map(|t| t.node));
    let asked = graph.plan.asked(&needed, targets.iter().map(|t| (t.node, t.output)));
    let mut this = Resolution {
        needed,
        asked,
        keys: vec![None; count],
        known: vec![None; count],
        runs: vec![false; count],
    };
    let last = last.filter(|last| last.fits(graph, ground));
    let mut same = vec![false; count];
    for &node in graph.plan.order.iter().filter(|&&node| this.needed[node]) {
        if let Some(entry) = last.and_then(|last| last.unchanged(graph, node, this.asked[node], &same)) {
            this.known[node] = Some(entry.clone());
            same[node] = true;
            continue;
        }
        this.keys[node] = key_of(shared, graph, ground, (node, this.asked[node]), |giver, output| {
            this.known[giver].as_ref().and_then(|entry| entry.digests.get(output).copied())
        });
        this.known[node] = this.keys[node].and_then(|key| shared.lookup(&key)).filter(|entry| {
            // An index that does not fit the node's outputs is none.
            entry.digests.len() == graph.graph.nodes[node].node().spec().outputs.len()
        });
        same[node] =
            this.known[node].is_some() && last.is_some_and(|last| last.known[node] == this.known[node]);
    }
    decide(shared, graph, targets, &mut this);
    keys_of_running(shared, graph, ground, &mut this);
    this
}

/// A node must run when its content is unknown, or when a value is demanded that is nowhere.
fn decide(shared: &Shared, graph: &Loaded, targets: &[Target], this: &mut Resolution) {
    let mut demanded: Vec<Vec<usize>> = vec![Vec::new(); this.needed.len()];
    for target in targets {
        let known = this.known[target.node].as_ref().and_then(|entry| entry.digests.get(target.output));
        if known.is_none() || target.keep && known != target.have.as_ref() {
            demanded[target.node].push(target.output);
        }
    }
    for &node in graph.plan.order.iter().rev().filter(|&&node| this.needed[node]) {
        this.runs[node] = match &this.known[node] {
            None => true,
            Some(entry) => demanded[node].iter().any(|&output| !shared.available(&entry.digests[output])),
        };
        if this.runs[node] {
            for wire in &graph.plan.wires[node] {
                demanded[wire.node].push(wire.output);
            }
        }
    }
}

/// What was known without its key and runs all the same gets its key: other jobs may be computing it.
fn keys_of_running(shared: &Shared, graph: &Loaded, ground: &Ground, this: &mut Resolution) {
    for node in 0..this.runs.len() {
        if this.runs[node] && this.known[node].is_some() && this.keys[node].is_none() {
            this.keys[node] = key_of(shared, graph, ground, (node, this.asked[node]), |giver, output| {
                this.known[giver].as_ref().and_then(|entry| entry.digests.get(output).copied())
            });
        }
    }
}

/// The key of a node of which some outputs are asked for, when the content of every wire is known and its files can be read.
pub fn key_of(
    shared: &Shared,
    graph: &Loaded,
    ground: &Ground,
    (node, asked): (usize, u32),
    content: impl Fn(usize, usize) -> Option<Digest>,
) -> Option<Key> {
    let wires = &graph.plan.wires[node];
    if wires.iter().any(|wire| content(wire.node, wire.output).is_none()) {
        return None;
    }
    let node = &graph.graph.nodes[node];
    let wires = wires.iter().filter_map(|wire| content(wire.node, wire.output));
    key::key(node.node(), node.own(), asked, ground, &shared.files, wires).ok()
}

/// All parts of a node's key in words.
pub fn parts(shared: &Shared, graph: &Loaded, resolution: &Resolution, node: usize) -> Vec<KeyPart> {
    let part = |name: &str, value: String| KeyPart { name: name.to_owned(), value };
    let own = graph.graph.nodes[node].node();
    let mut parts = match key::own_parts(own, graph.graph.seed, &*graph.graph.header, &shared.files) {
        Ok(parts) => parts,
        Err(problem) => vec![part("file content", problem.error)],
    };
    let asked = resolution.asked[node];
    for (index, output) in own.spec().outputs.iter().enumerate().filter(|(_, output)| output.lazy) {
        let asked = asked >> index & 1 == 1;
        parts.push(part(
            &format!("output {}", output.name),
            if asked { "asked for" } else { "not asked for" }.to_owned(),
        ));
    }
    for (index, input) in own.spec().inputs.iter().enumerate() {
        let name = format!("input {}", input.name);
        match own.port(index).source() {
            crate::model::port::Source::Number(number) => parts.push(part(&name, number.to_string())),
            crate::model::port::Source::Wire(_) => {
                let wire = graph.plan.wires[node].iter().find(|wire| wire.input == index);
                let digest = wire.and_then(|w| {
                    resolution.known[w.node].as_ref()?.digests.get(w.output).map(|d| d.hex()[..16].to_owned())
                });
                parts.push(part(&name, digest.unwrap_or_else(|| "not known yet".to_owned())));
            }
            crate::model::port::Source::Bound(value) => {
                parts.push(part(&name, value.digest().hex()[..16].to_owned()));
            }
            crate::model::port::Source::Unset => {}
        }
    }
    parts
}
