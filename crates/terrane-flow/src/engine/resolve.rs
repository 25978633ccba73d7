//! What is known before anything runs, and what must run.

use super::last::Last;
use super::shared::Shared;
use super::sparse::Sparse;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::language::Loaded;
use crate::model::key::{self, Ground, KeyPart};
use crate::model::node_key::Key;
use crate::model::value::Digest;

/// The state of a graph before a job.
pub struct Resolution {
    /// Whether some target needs the node.
    pub needed: Vec<bool>,
    /// Per node, a bit per output that something reads.
    pub asked: Vec<u32>,
    /// The node's key, where it was looked up and its inputs' content is known.
    pub keys: Sparse<Key>,
    /// What is known of the outputs: their content, above all.
    pub known: Vec<Option<Entry>>,
    /// The job that left what was known at the start, where that fits.
    pub since: Option<u64>,
    /// Whether the node is as that job left it.
    pub unchanged: Vec<bool>,
    /// Whether the node runs, or may have to.
    pub runs: Vec<bool>,
    /// Targets whose values are to be there at the end: those that are kept, unless whoever asks has that
    /// content.
    pub due: Vec<usize>,
}

impl Resolution {
    /// Content of an output, where it is known.
    pub fn digest(&self, node: usize, output: usize) -> Option<&Digest> {
        self.known[node].as_ref()?.digests.get(output)
    }

    /// Finds the node's key, where its inputs' content is known.
    fn key(&mut self, shared: &Shared, graph: &Loaded, ground: &Ground, node: usize) -> Option<Key> {
        let content = |giver: usize, output: usize| self.digest(giver, output).copied();
        let key = key_of(shared, graph, ground, (node, self.asked[node]), content)?;
        self.keys.insert(node, key);
        Some(key)
    }

    /// A node must run when its content is unknown, or when a value is demanded that is nowhere.
    fn decide(&mut self, shared: &Shared, graph: &Loaded, targets: &[Target]) {
        // Per node, a bit per output whose value is demanded.
        let mut demanded = vec![0u32; self.needed.len()];
        let mut here = vec![false; targets.len()];
        for (target, here) in targets.iter().zip(&mut here) {
            let known = self.digest(target.node, target.output);
            *here = !target.keep || known.is_some() && known == target.have.as_ref();
            if known.is_none() || !*here {
                demanded[target.node] |= 1 << target.output;
            }
        }
        for &node in graph.plan.order.iter().rev().filter(|&&node| self.needed[node]) {
            self.runs[node] =
                match &self.known[node] {
                    None => true,
                    Some(_) if demanded[node] == 0 => false,
                    Some(entry) => entry.digests.iter().enumerate().any(|(output, digest)| {
                        demanded[node] >> output & 1 == 1 && !shared.available(digest)
                    }),
                };
            if self.runs[node] {
                for wire in &graph.plan.wires[node] {
                    demanded[wire.node] |= 1 << wire.output;
                }
            }
        }
        let is_due = |&at: &usize| targets[at].keep && (!here[at] || self.runs[targets[at].node]);
        self.due = (0..targets.len()).filter(is_due).collect();
    }

    /// What was known without its key and runs all the same gets its key: other jobs may be computing it.
    fn find_running_keys(&mut self, shared: &Shared, graph: &Loaded, ground: &Ground) {
        for node in 0..self.runs.len() {
            if self.runs[node] && self.known[node].is_some() && self.keys.get(node).is_none() {
                self.key(shared, graph, ground, node);
            }
        }
    }
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
        keys: Sparse::new(count),
        known: vec![None; count],
        since: None,
        unchanged: vec![false; count],
        runs: vec![false; count],
        due: Vec::new(),
    };
    let last = last.filter(|last| last.fits(graph, ground));
    this.since = last.map(|last| last.by);
    let mut same = vec![false; count];
    for &node in &graph.plan.order {
        if !this.needed[node] {
            continue;
        }
        if let Some(entry) = last.and_then(|last| last.unchanged(graph, node, this.asked[node], &same)) {
            this.known[node] = Some(entry.clone());
            (same[node], this.unchanged[node]) = (true, true);
            continue;
        }
        let Some(key) = this.key(shared, graph, ground, node) else { continue };
        this.known[node] = shared.lookup(&key).filter(|entry| {
            // An index that does not fit the node's outputs is none.
            entry.digests.len() == graph.graph.nodes[node].node().spec().outputs.len()
        });
        same[node] =
            this.known[node].is_some() && last.is_some_and(|last| last.known[node] == this.known[node]);
    }
    this.decide(shared, graph, targets);
    this.find_running_keys(shared, graph, ground);
    this
}

/// The key of a node of which some outputs are asked for, when the content of every wire is known and its
/// files can be read.
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
    let mut parts = match key::own_parts(own, graph.graph.seed, graph.graph.header_of(node), &shared.files) {
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
                    resolution.digest(w.node, w.output).map(|digest| digest.hex()[..16].to_owned())
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
