//! Placeholder nodes of a subgraph, which the outer graph replaces by its `inputs`.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use terrane_syntax::{apply, literal};

use super::entries::freed;
use super::error::RewriteError;
use super::paths::{inward, rebased};
use super::wires::{Wire, Wiring};
use crate::language::document::Entry;
use crate::language::names::bad_name;
use crate::model::registry::{NodeType, Registry};
use crate::model::value::Kind;

/// Placeholder nodes, by the text of the reference that replaces them.
pub struct Placeholders<'t> {
    wiring: &'t Wiring<'t>,
    registry: &'t Registry,
    /// The nodes of the graph.
    entries: HashMap<&'t str, &'t Entry<'t>>,
    /// The subgraph's file.
    file: &'t str,
    taken: HashSet<String>,
    all: IndexMap<String, Placeholder>,
}

/// A placeholder node.
pub struct Placeholder {
    /// Its name in the subgraph.
    pub name: String,
    /// Its call. It makes the subgraph a complete graph.
    pub call: String,
}

impl<'t> Placeholders<'t> {
    /// An empty set of placeholders for a file in which some node names are taken.
    pub fn new(
        wiring: &'t Wiring<'t>,
        registry: &'t Registry,
        file: &'t str,
        entries: &'t [Entry<'t>],
        taken: impl Iterator<Item = &'t str>,
    ) -> Self {
        let taken = taken.map(str::to_owned).collect();
        let entries = entries.iter().map(|entry| (entry.name, entry)).collect();
        Self { wiring, registry, entries, file, taken, all: IndexMap::new() }
    }

    /// All placeholders, with the reference that replaces each.
    pub fn all(&self) -> &IndexMap<String, Placeholder> {
        &self.all
    }

    /// The name of the placeholder for the source of a wire.
    pub fn of(&mut self, wire: &Wire<'t>) -> Result<&str, RewriteError> {
        let parameter = self.wiring.parameter(wire.value);
        let named = parameter.map_or_else(|| wire.reference.to_string(), |name| format!("${name}"));
        let given = literal::quoted(&named);
        if !self.all.contains_key(&given) {
            let plain = named.trim_start_matches('$').replace(['.', '/', '$'], "_");
            let plain = if bad_name(&plain).is_some() { "input".to_owned() } else { plain };
            let call = match self.copied(wire)? {
                Some(call) => call,
                None => self.made(wire)?,
            };
            let name = freed(&plain, &mut self.taken);
            self.all.insert(given.clone(), Placeholder { name, call });
        }
        Ok(self.all.get(&given).map_or("", |placeholder| &placeholder.name))
    }

    /// A copy of the call of the referenced node, if that node has no inputs. With such copies, evaluating
    /// the file alone gives the same results.
    fn copied(&self, wire: &Wire<'_>) -> Result<Option<String>, RewriteError> {
        let Some(entry) = self.entries.get(&*wire.reference.node) else { return Ok(None) };
        let call = self.wiring.call(entry)?;
        let Some(node) = self.wiring.node(&call) else { return Ok(None) };
        let is_first = node.spec().output(wire.reference.output.as_deref()) == Some(0);
        if !is_first || !self.wiring.of(entry)?.is_empty() {
            return Ok(None);
        }
        let Ok(mut edits) = rebased(self.wiring, entry, &call, &|path| inward(self.file, path)) else {
            return Ok(None);
        };
        let start = entry.value.span().start;
        edits.iter_mut().for_each(|edit| edit.span = edit.span.start - start..edit.span.end - start);
        Ok(Some(apply(entry.value.text(), &edits)))
    }

    /// A call of the simplest type that needs no fields and outputs the required kind. If there is no such
    /// type, a call of the referenced node's type. The mistakes in this call then show what the file needs to
    /// be complete.
    fn made(&self, wire: &Wire<'_>) -> Result<String, RewriteError> {
        let upstream = self.entries.get(&*wire.reference.node);
        let upstream = upstream.map(|entry| self.wiring.call(entry)).transpose()?;
        let node_type = upstream.as_ref().and_then(|call| self.registry.node(call.name));
        let given = node_type.and_then(|node| {
            let outputs = node.spec().outputs;
            outputs.get(node.spec().output(wire.reference.output.as_deref())?).map(|output| output.kind)
        });
        let kind = wire.kind.or(given);
        let free = kind.and_then(|kind| simplest(self.registry, Some(kind)));
        let other = node_type.or_else(|| simplest(self.registry, None));
        Ok(free.or(other).map_or_else(|| "Given()".to_owned(), |node| format!("{}()", node.spec().name)))
    }
}

/// A type whose fields are all optional and whose first output has this kind (any kind, if it is `None`). Of
/// several such types, the one with the fewest fields.
fn simplest<'r>(registry: &'r Registry, kind: Option<&'static Kind>) -> Option<&'r NodeType> {
    let fits = |node: &&NodeType| {
        let spec = node.spec();
        spec.inputs.iter().all(|input| input.optional || input.default.is_some())
            && spec.params.iter().all(|param| param.default.is_some())
            && spec.outputs.first().is_some_and(|output| kind.is_none_or(|kind| output.kind == kind))
    };
    registry.nodes().filter(fits).min_by_key(|node| node.spec().inputs.len() + node.spec().params.len())
}
