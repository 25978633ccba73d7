//! Resolves a graph before a job: which results are known, and which nodes must run.

use super::previous::PreviousState;
use super::shared::Shared;
use super::sparse::Sparse;
use super::wanted::Target;
use crate::engine::cache::Entry;
use crate::language::Loaded;
use crate::model::key::{self, GraphHashes, KeyPart};
use crate::model::node_key::Key;
use crate::model::spec::Cost;
use crate::model::value_id::ValueId;

/// The state of a graph before a job.
pub struct Resolution {
    /// Per node, whether a wanted output needs it.
    pub needed: Vec<bool>,
    /// Per node, one bit per output that a needed node or a target reads.
    pub asked: Vec<u32>,
    /// The keys that were computed. A node has no key if the identity of an input is unknown, or if the key
    /// was not needed.
    pub keys: Sparse<Key>,
    /// Per node, its cache entry, if known. The entry contains the identities of the outputs.
    pub known: Vec<Option<Entry>>,
    /// The number of the previous job, if its state matched the graph and was reused.
    pub since: Option<u64>,
    /// Per node, whether it is unchanged since the previous job.
    pub unchanged: Vec<bool>,
    /// Per node, whether it must run or may have to run.
    pub runs: Vec<bool>,
    /// The targets whose values must be in memory at the end, as positions in the job's list of targets. A
    /// target is left out if its value is not to be kept. It is also left out if the caller has the value and
    /// the node does not run.
    pub due: Vec<usize>,
}

impl Resolution {
    /// The identity of an output, if known.
    pub fn id(&self, node: usize, output: usize) -> Option<&ValueId> {
        self.known[node].as_ref()?.ids.get(output)
    }

    /// The identity of an output, if it is known before the node has run. For a cheap node, its key suffices.
    pub fn early_id(&self, graph: &Loaded, node: usize, output: usize) -> Option<ValueId> {
        let by_key = || {
            let is_cheap = graph.graph.nodes[node].node().cost() == Cost::Cheap;
            let key = self.keys.get(node).filter(|_| is_cheap)?;
            Some(ValueId::of_cheap_output(key, output))
        };
        self.id(node, output).copied().or_else(by_key)
    }

    /// Computes the node's key and stores it. Returns `None` if the identity of an input is unknown or a file
    /// cannot be read.
    fn key(
        &mut self,
        shared: &Shared,
        graph: &Loaded,
        graph_hashes: &GraphHashes,
        node: usize,
    ) -> Option<Key> {
        let id = |upstream: usize, output: usize| self.early_id(graph, upstream, output);
        let key = key_of(shared, graph, graph_hashes, (node, self.asked[node]), id)?;
        self.keys.insert(node, key);
        Some(key)
    }

    /// Decides which nodes run: those with unknown identities, and those with a demanded value that no store
    /// has. Also finds the targets that are due.
    fn decide(&mut self, shared: &Shared, graph: &Loaded, targets: &[Target]) {
        // Per node, one bit per output whose value is demanded: a running node reads it, or the caller does
        // not have it.
        let mut demanded = vec![0u32; self.needed.len()];
        let mut here = vec![false; targets.len()];
        for (target, here) in targets.iter().zip(&mut here) {
            let known = self.id(target.node, target.output);
            *here = !target.keep || known.is_some() && known == target.have.as_ref();
            if known.is_none() || !*here {
                demanded[target.node] |= 1 << target.output;
            }
        }
        for &node in graph.plan.order.iter().rev().filter(|&&node| self.needed[node]) {
            self.runs[node] = match &self.known[node] {
                None => true,
                Some(_) if demanded[node] == 0 => false,
                Some(entry) => entry
                    .ids
                    .iter()
                    .enumerate()
                    .any(|(output, id)| demanded[node] >> output & 1 == 1 && !shared.available(id)),
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

    /// Computes the keys of nodes that run although the identities of their outputs are known. Another job
    /// may be running nodes with the same keys.
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
            // An entry is ignored unless it has one identity per output of the node.
            entry.ids.len() == graph.graph.nodes[node].node().spec().outputs.len()
        });
        same[node] =
            this.known[node].is_some() && last.is_some_and(|last| last.known[node] == this.known[node]);
    }
    this.decide(shared, graph, targets);
    this.find_running_keys(shared, graph, graph_hashes);
    this
}

/// The key of a node; `asked` has one bit per requested output. The result is `None` if the identity of an
/// input is unknown, or if a file that the node names cannot be read.
pub fn key_of(
    shared: &Shared,
    graph: &Loaded,
    graph_hashes: &GraphHashes,
    (node, asked): (usize, u32),
    id: impl Fn(usize, usize) -> Option<ValueId>,
) -> Option<Key> {
    let wires = &graph.plan.wires[node];
    if wires.iter().any(|wire| id(wire.node, wire.output).is_none()) {
        return None;
    }
    // What a node makes of not-a-numbers depends on whether they can be holes.
    let holes = graph.plan.holes[node].inputs.then_some([1; 32]);
    let node = &graph.graph.nodes[node];
    let ids = wires.iter().filter_map(|wire| id(wire.node, wire.output));
    let wires = ids.map(|id| id.0).chain(holes);
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
    if graph.plan.holes[node].inputs {
        parts.push(part("holes", "possible".to_owned()));
    }
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
                let id = wire.and_then(|wire| resolution.early_id(graph, wire.node, wire.output));
                let text = id.map_or_else(|| "not known yet".to_owned(), |id| id.hex()[..16].to_owned());
                parts.push(part(&name, text));
            }
            crate::model::port::Source::Bound(value) => {
                parts.push(part(&name, value.digest().hex()[..16].to_owned()));
            }
            crate::model::port::Source::Unset => {}
        }
    }
    parts
}
