//! What changed since another run, in words.

use std::collections::{BTreeMap, HashMap, HashSet};

use terrane_flow::{Engine, KeyPart, Loaded, Source};

use crate::diff::header_fields;

/// Changes of other nodes that are named for one node, at most.
const MOST: usize = 3;

/// The parts of the keys of nodes, by their names.
pub type Parts = BTreeMap<String, Vec<KeyPart>>;

/// The parts of all keys, and where wires come from.
#[must_use]
pub fn parts(engine: &Engine, loaded: &Loaded, targets: &[(usize, usize)]) -> Parts {
    // The key has a digest of the header. Its fields say what changed.
    let part = |(name, value): (&str, Option<String>)| {
        Some(KeyPart { name: format!("header {name}"), value: value? })
    };
    let header: Vec<KeyPart> = header_fields(&loaded.graph).into_iter().filter_map(part).collect();
    let of = |(node, mut parts): (usize, Vec<KeyPart>)| {
        let (name, entry) = loaded.graph.nodes.get_index(node)?;
        let own = entry.node();
        if parts.iter().any(|part| part.name == "header") {
            parts.extend_from_slice(&header);
        }
        for (index, input) in own.spec().inputs.iter().enumerate() {
            if let Source::Wire(from) = own.port(index).source() {
                parts.push(KeyPart { name: format!("wire {}", input.name), value: from.to_string() });
            }
        }
        Some((name.clone(), parts))
    };
    engine.key_parts(loaded, targets).into_iter().filter_map(of).collect()
}

/// What changed since the last run.
pub struct Causes<'a> {
    loaded: &'a Loaded,
    /// Whether there was a run.
    ran: bool,
    /// Per node, its own changes; `None` if the last run did not have it.
    own: HashMap<usize, Option<Vec<String>>>,
}

impl<'a> Causes<'a> {
    /// Compares the parts of two runs; `None` if the graph has not run before.
    #[must_use]
    pub fn new(loaded: &'a Loaded, last: Option<&Parts>, now: &Parts) -> Self {
        let of = |(name, parts): (&String, &Vec<KeyPart>)| {
            let before = last.and_then(|last| last.get(name));
            Some((loaded.graph.nodes.get_index_of(name)?, before.map(|before| changes(before, parts))))
        };
        Self { loaded, ran: last.is_some(), own: now.iter().filter_map(of).collect() }
    }

    /// Why a node runs.
    #[must_use]
    pub fn of(&self, node: usize) -> Vec<String> {
        if !self.ran {
            return vec!["the graph has not run before".to_owned()];
        }
        let Some(Some(own)) = self.own.get(&node) else { return vec!["it is new".to_owned()] };
        let mut found = Vec::new();
        let (mut seen, mut next) = (HashSet::from([node]), vec![node]);
        // The nearest changes upstream. What changed here too, as a size of the graph, is said once: it
        // changed everywhere.
        while let Some(at) = next.pop() {
            for wire in &self.loaded.plan.wires[at] {
                if !seen.insert(wire.node) {
                    continue;
                }
                let name = &self.loaded.plan.names[wire.node];
                let Some(Some(theirs)) = self.own.get(&wire.node) else {
                    found.push(format!("`{name}` is new"));
                    continue;
                };
                let others: Vec<&str> =
                    theirs.iter().filter(|change| !own.contains(change)).map(String::as_str).collect();
                if theirs.is_empty() {
                    next.push(wire.node);
                } else if !others.is_empty() {
                    found.push(format!("`{name}` changed ({})", others.join("; ")));
                }
            }
        }
        if own.is_empty() && found.is_empty() {
            return vec!["its result is no longer in the cache".to_owned()];
        }
        let more = found.len().saturating_sub(MOST);
        found.truncate(MOST);
        let changes = if more == 1 { "change" } else { "changes" };
        found.extend((more > 0).then(|| format!("{more} more {changes}")));
        [own.as_slice(), &found].concat()
    }
}

/// The changes of a node itself, in words. Changes of what it reads belong to other nodes.
fn changes(last: &[KeyPart], now: &[KeyPart]) -> Vec<String> {
    let find = |parts: &[KeyPart], name: &str| {
        parts.iter().find(|part| part.name == name).map(|part| part.value.clone())
    };
    // Another type has other fields.
    if let (Some(old), Some(new)) = (find(last, "type"), find(now, "type"))
        && old != new
    {
        return vec![format!("the type: {old} -> {new}")];
    }
    let mut all = Vec::new();
    let is_same_header = find(last, "header") == find(now, "header");
    for KeyPart { name, value } in now {
        if is_same_header && name.starts_with("header ") {
            continue;
        }
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
            if find(now, &format!("wire {port}")).is_some() {
                continue;
            }
            all.push(match find(last, &format!("wire {port}")) {
                Some(source) => format!("`{port}` came from `{source}` and is {value}"),
                None => from_to(port.to_owned()),
            });
        } else if let Some(field) = name.strip_prefix("header ") {
            all.push(from_to(format!("the graph's {field}")));
        } else if let Some(output) = name.strip_prefix("output ") {
            all.push(format!("the output `{output}` is {value}"));
        } else {
            all.push(match &**name {
                "graph seed" => from_to("the graph's seed".to_owned()),
                "header" => continue,
                "code" => "its code changed".to_owned(),
                "file content" => "the content of its file changed".to_owned(),
                "content beside the file" => "the content beside its file changed".to_owned(),
                "holes" => "what it reads can have holes".to_owned(),
                name => from_to(name.to_owned()),
            });
        }
    }
    for KeyPart { name, .. } in last.iter().filter(|part| find(now, &part.name).is_none()) {
        if let Some(port) = name.strip_prefix("wire ") {
            // A value in its place is named above.
            let is_set = find(now, &format!("input {port}")).is_some();
            all.extend((!is_set).then(|| format!("`{port}` is no longer connected")));
        } else if let Some(port) = name.strip_prefix("input ") {
            // What was connected is said above.
            if find(last, &format!("wire {port}")).is_none() {
                all.push(format!("{port} is no longer set"));
            }
        } else {
            let what = name.strip_prefix("header ").map(|field| format!("the graph's {field}"));
            all.push(format!("{} is no longer part of it", what.as_ref().unwrap_or(name)));
        }
    }
    // The rest of a header has no words, such as the datum of its place.
    if all.is_empty() && !is_same_header {
        all.push("the graph's header changed".to_owned());
    }
    all
}
