//! Resolves a graph before a job: which results are known, and which nodes must run.

use super::previous::PreviousState;
use super::shared::Shared;
use super::sparse::Sparse;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::language::Loaded;
use crate::model::key::{self, GraphHashes, KeyPart};
use crate::model::node_key::Key;
use crate::model::value::Digest;

/// The state of a graph before a job.
pub struct Resolution {
    /// Per node, whether a wanted output needs it.
    pub needed: Vec<bool>,
    /// Per node, one bit per output that something reads.
    pub asked: Vec<u32>,
    /// Keys of the nodes that were looked up and whose inputs' content is known.
    pub keys: Sparse<Key>,
    /// Per node, the cache entry with the digests of its outputs, if known.
    pub known: Vec<Option<Entry>>,
    /// The previous job whose state was reused, if that state matched the graph.
    pub since: Option<u64>,
    /// Per node, whether it is unchanged since that job.
    pub unchanged: Vec<bool>,
    /// Per node, whether it must run or may have to.
    pub runs: Vec<bool>,
    /// Wanted outputs whose values must be loaded at the end. These are the ones whose values are kept,
    /// except those whose content the caller already has.
    pub due: Vec<usize>,
}

impl Resolution {
    /// The content of an output, if known.
    pub fn digest(&self, node: usize, output: usize) -> Option<&Digest> {
        self.known[node].as_ref()?.digests.get(output)
    }

    /// Computes the node's key, if its inputs' content is known.
    fn key(
        &mut self,
        shared: &Shared,
        graph: &Loaded,
        graph_hashes: &GraphHashes,
        node: usize,
    ) -> Option<Key> {
        let content = |upstream: usize, output: usize| self.digest(upstream, output).copied();
        let key = key_of(shared, graph, graph_hashes, (node, self.asked[node]), content)?;
        self.keys.insert(node, key);
        Some(key)
    }

    /// Decides which nodes run: those with unknown content, and those with a demanded value that no store
    /// has.
    fn decide(&mut self, shared: &Shared, graph: &Loaded, targets: &[Target]) {
        // Per node, one bit per output whose value is demanded.
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

    /// Computes the keys of known nodes that run anyway, since other jobs may be computing them.
    fn find_running_keys(&mut self, shared: &Shared, graph: &Loaded, graph_hashes: &GraphHashes) {
        for node in 0..self.runs.len() {
            if self.runs[node] && self.known[node].is_some() && self.keys.get(node).is_none() {
                self.key(shared, graph, graph_hashes, node);
            }
        }
    }
}

/// Looks up each needed node by its key, upstream nodes first. Then decides which nodes must run, starting at
/// the wanted outputs.
pub fn resolve(
    shared: &Shared,
    graph: &Loaded,
    graph_hashes: &GraphHashes,
    targets: &[Target],
    last: Option<&PreviousState>,
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
    let last = last.filter(|last| last.fits(graph, graph_hashes));
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
        let Some(key) = this.key(shared, graph, graph_hashes, node) else { continue };
        this.known[node] = shared.lookup(&key).filter(|entry| {
            // Ignore an entry that does not match the node's outputs.
            entry.digests.len() == graph.graph.nodes[node].node().spec().outputs.len()
        });
        same[node] =
            this.known[node].is_some() && last.is_some_and(|last| last.known[node] == this.known[node]);
    }
    this.decide(shared, graph, targets);
    this.find_running_keys(shared, graph, graph_hashes);
    this
}

/// The key of a node with some requested outputs, if the content of every wire is known and its files can be
/// read.
pub fn key_of(
    shared: &Shared,
    graph: &Loaded,
    graph_hashes: &GraphHashes,
    (node, asked): (usize, u32),
    content: impl Fn(usize, usize) -> Option<Digest>,
) -> Option<Key> {
    let wires = &graph.plan.wires[node];
    if wires.iter().any(|wire| content(wire.node, wire.output).is_none()) {
        return None;
    }
    let node = &graph.graph.nodes[node];
    let wires = wires.iter().filter_map(|wire| content(wire.node, wire.output));
    key::key(node.node(), node.own(), asked, graph_hashes, &shared.files, wires).ok()
}

/// All parts of a node's key, as text.
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
            if asked { "requested" } else { "not requested" }.to_owned(),
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
