//! Graphs used as nodes of other graphs.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use terrane_syntax::{Problem, ReadError, Wrong, read};

use super::inner_file::{InnerFile, own_fields, stem};
use super::limits::ENTRY_BYTES;
use super::loader::{Alias, At, Inner, Loader, Parts};
use super::nodes::Place;
use crate::language::declared::Subgraph;
use crate::language::document::{Call, Entry};
use crate::model::fields::Fields;
use crate::model::node::Declare;
use crate::model::origin::{Bound, Home, Slot};
use crate::model::plan::find;
use crate::model::port::{Reference, Source};
use crate::report::suggest;
use crate::report::{Diagnostic, MAX_RENDERED};

impl Loader<'_> {
    /// Expands another graph's file as a node.
    pub(super) fn subgraph(&mut self, place: &Place<'_>, name: &str, call: &Call<'_>) {
        let own = own_fields(place, call, &["inputs", "params"]);
        let lookup = self.limited(place.scope);
        let mut reader = Fields::new(Subgraph::spec(), &own, &lookup).of_broken_text(call.is_wrong);
        let file = Subgraph::from_fields(&mut reader).file;
        let is_right = reader.is_right();
        self.field_errors(place.source, call.name_span.clone(), reader.into_errors());
        let Some(file) = self.inner_file(place, &own, &file, is_right) else { return };
        let shares = call.fields.iter().all(|field| field.name != "params");
        let Some(parts) = self.inner_parts(&file, shares) else { return };
        let replaced = self.subgraph_inputs(place, &call.fields, &parts);
        let set = self.subgraph_params(place, name, &call.fields, &parts);
        let inner = self.inner(&file, &parts, set);
        self.copy(place, name, (&file, &parts, &inner), replaced);
    }

    /// The parameters and outputs of a graph that is used as a node, with the parameters that the use sets.
    pub(super) fn inner(&mut self, file: &InnerFile, parts: &Parts<'_>, set: Vec<(String, Bound)>) -> Inner {
        let is_shared = set.is_empty();
        if is_shared && let Some(inner) = self.inner.get(&file.canonical) {
            return inner.clone();
        }
        let source = &file.parsed.source;
        self.expanded += (parts.params.len() + parts.outputs.len()) * ENTRY_BYTES;
        let scope = Arc::new(self.scope(source, Some(file.canonical.as_path().into()), parts, set));
        let (mut outputs, mut sources, mut seen) = (IndexMap::new(), Vec::new(), HashSet::new());
        for entry in self.read_outputs(source, &parts.outputs, &scope) {
            if seen.insert(entry.from.node.clone()) {
                sources.push((entry.from.clone(), entry.location));
            }
            outputs.entry(stem(&entry.file)).or_insert(Some(entry.from));
        }
        let inner = Inner { scope, outputs: Rc::new(outputs), sources: sources.into() };
        if is_shared {
            self.inner.insert(file.canonical.clone(), inner.clone());
        }
        inner
    }

    /// Reads the nodes of another graph into this one, under a name.
    pub(super) fn copy(
        &mut self,
        place: &Place<'_>,
        name: &str,
        (file, parts, inner): (&InnerFile, &Parts<'_>, &Inner),
        replaced: HashMap<String, Reference>,
    ) {
        let source = &file.parsed.source;
        self.expanded += source.text.len();
        self.stack.push(file.canonical.clone());
        let prefix = format!("{}{name}/", place.prefix);
        let folder = file.path.parent().unwrap_or(Path::new("")).to_owned();
        self.read_nodes(source, &prefix, &folder, &parts.nodes, &inner.scope, &replaced);
        self.expanded += prefix.len() * inner.sources.len();
        for (from, location) in inner.sources.iter().filter(|(from, _)| !replaced.contains_key(&*from.node)) {
            self.check_inner(&format!("{prefix}{}", from.node), (&from.node, location.as_ref()), parts);
        }
        let outputs = Rc::clone(&inner.outputs);
        self.aliases.insert(format!("{}{name}", place.prefix), Alias { outputs, prefix, replaced });
        self.stack.pop();
    }

    /// Checks that the node of a subgraph's output exists. A missing node is reported at the output's
    /// position in the subgraph's text.
    fn check_inner(&mut self, node: &str, (own, location): (&str, Option<&At>), parts: &Parts<'_>) {
        let is_known = self.nodes.contains_key(node) || self.aliases.contains_key(node);
        if is_known || self.unread.contains(node) || self.is_too_large || parts.nodes.is_empty() {
            return;
        }
        if let Some((source, span)) = location {
            let message = format!("there is no node `{own}`");
            let names: Vec<&str> = if self.errors.len() < MAX_RENDERED {
                parts.nodes.iter().map(|entry| entry.name).collect()
            } else {
                Vec::new()
            };
            let help = suggest::help(own, &names, "the nodes are");
            self.error(source, span.clone(), "unknown-reference", message, help);
        }
        self.unread.insert(node.to_owned());
    }

    /// The nodes of a subgraph that are replaced from outside, each with the reference that replaces it.
    pub(super) fn subgraph_inputs(
        &mut self,
        place: &Place<'_>,
        fields: &[Entry<'_>],
        parts: &Parts<'_>,
    ) -> HashMap<String, Reference> {
        let mut replaced = HashMap::new();
        let Some(field) = fields.iter().find(|f| f.name == "inputs") else { return replaced };
        let entries = self.entries(place.source, field, "input");
        let names: Vec<&str> = parts.nodes.iter().map(|e| e.name).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        for entry in &entries {
            let field = entry.field();
            if !known.contains(&entry.name) {
                let message = format!("the subgraph has no node `{}`", entry.name);
                let names = (entry.name, &*names, "an input replaces one of the subgraph's nodes, which are");
                self.unknown("unknown-node", (place.source, field.name_span), message, names);
                continue;
            }
            let read = read::<String>(entry.value, &self.limited(place.scope));
            if let Ok(text) = &read {
                let reference = place.outer(Reference::parse(text));
                self.given.push((Arc::clone(place.source), field.value_span, reference.clone()));
                replaced.insert(entry.name.to_owned(), reference);
            } else if field.is_wrong || place.scope.is_reported(entry.value) {
                continue;
            } else if let Err(ReadError { wrong: Wrong::Problem(problem), .. }) = read {
                self.error(place.source, field.value_span, "parameter", problem.message, problem.help);
            } else {
                let help = "write \"NODE\" or \"NODE.OUTPUT\" in quotes; a number needs a Constant node";
                self.error(
                    place.source,
                    field.value_span,
                    "no-wire",
                    format!("the input `{}` needs a node", entry.name),
                    help,
                );
            }
        }
        replaced
    }

    /// The parameters passed to a subgraph, with the outer graph's parameters filled in.
    pub(super) fn subgraph_params(
        &mut self,
        place: &Place<'_>,
        name: &str,
        fields: &[Entry<'_>],
        parts: &Parts<'_>,
    ) -> Vec<(String, Bound)> {
        let Some(field) = fields.iter().find(|f| f.name == "params") else { return Vec::new() };
        let entries = self.entries(place.source, field, "parameter");
        let names: Vec<&str> = parts.params.iter().map(|e| e.name).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        let mut set = Vec::new();
        for entry in &entries {
            let field = entry.field();
            if !known.contains(&entry.name) {
                let message = format!("the subgraph has no parameter `{}`", entry.name);
                let names = (entry.name, &*names, "its parameters are");
                self.unknown("unknown-parameter", (place.source, field.name_span), message, names);
                continue;
            }
            let home = place.scope.file.clone().map(|file| Home {
                file,
                slot: Slot::Given { node: name.to_owned(), name: entry.name.to_owned() },
            });
            let bound = self.bound(place.source, entry.value, place.scope, home);
            set.extend(bound.map(|bound| (entry.name.to_owned(), bound)));
        }
        set
    }

    /// Checks that the nodes that are passed to subgraphs exist. Missing nodes are reported where they are
    /// passed, and not where the subgraph uses them.
    pub(super) fn check_given(&mut self) {
        for (source, span, reference) in std::mem::take(&mut self.given) {
            if self.reported.contains(&reference) {
                continue;
            }
            let helps = self.errors.len() < MAX_RENDERED;
            let found = follow(&self.aliases, &reference, helps).and_then(|inner| {
                let inner = inner.unwrap_or_else(|| reference.clone());
                let is_unread = self.unread.contains(&*inner.node);
                if is_unread { Ok(()) } else { find(&self.nodes, &inner, helps).map(|_| ()) }
            });
            if let Err(Problem { message, help }) = found {
                self.error(&source, span, "unknown-reference", message, help);
                self.unread.insert(reference.node.to_string());
                self.reported.insert(reference);
            }
        }
    }

    /// Replaces references to subgraphs by references to the nodes inside them.
    pub(super) fn resolve_aliases(&mut self) {
        let (mut errors, mut unread) = (Vec::new(), Vec::new());
        for graph_node in self.nodes.values_mut() {
            for index in 0..graph_node.node().spec().inputs.len() {
                let Source::Wire(reference) = graph_node.node().port(index).source() else { continue };
                if self.reported.contains(reference) {
                    continue;
                }
                let helps = self.errors.len() + errors.len() < MAX_RENDERED;
                match follow(&self.aliases, reference, helps) {
                    Ok(None) => {}
                    Ok(Some(inner)) => graph_node.node_mut().port_mut(index).connect(Source::Wire(inner)),
                    Err(Problem { message, help }) => {
                        // The node is marked as unread, so that it is not also reported as unknown.
                        unread.push(reference.node.to_string());
                        let place = graph_node
                            .location
                            .as_ref()
                            .and_then(|l| Some((Arc::clone(&l.source), l.inputs[index].clone()?)));
                        errors.push(Diagnostic::new(place, message, help).coded("unknown-reference"));
                    }
                }
            }
        }
        self.errors.extend(errors);
        self.unread.extend(unread);
    }
}

impl Alias {
    /// Converts the source of an output to a reference in the whole graph.
    fn outer(&self, inner: &Reference) -> Reference {
        self.replaced.get(&*inner.node).cloned().unwrap_or_else(|| Reference {
            node: format!("{}{}", self.prefix, inner.node).into(),
            output: inner.output.clone(),
        })
    }
}

/// Follows a reference through subgraphs to the node that it leads to. `None` if it does not lead to a
/// subgraph. Outputs are searched for near names only if `helps` is set.
pub(super) fn follow(
    aliases: &HashMap<String, Alias>,
    reference: &Reference,
    helps: bool,
) -> Result<Option<Reference>, Problem> {
    let mut current = reference.clone();
    let mut followed = 0;
    while let Some(alias) = aliases.get(&*current.node) {
        followed += 1;
        if followed > aliases.len() {
            return Err(Problem::new(
                format!("`{reference}` refers back to itself through subgraphs"),
                "a node cannot depend on its own result: remove one of these wires".to_owned(),
            ));
        }
        let next = match &current.output {
            None => alias.outputs.values().next(),
            Some(name) => alias.outputs.get(&**name),
        };
        if next == Some(&None) {
            return Err(Problem::new(
                format!("`{reference}` is computed by each repetition, and times is 0"),
                "carry it, or write times: 1 or more".to_owned(),
            ));
        }
        let next = next.and_then(Option::as_ref).map(|inner| alias.outer(inner));
        current = next.ok_or_else(|| {
            let known: Vec<&str> = alias.outputs.keys().map(String::as_str).collect();
            let wanted = current.output.clone().unwrap_or_default();
            let inside = alias.prefix.trim_end_matches('/');
            if known.is_empty() {
                let help = format!("name one of its nodes: \"{inside}/NODE\"");
                return Problem::new(format!("the subgraph `{inside}` has no outputs"), help);
            }
            let help = match helps {
                true => suggest::help(&wanted, &known, "its outputs, by file name without extension, are"),
                false => String::new(),
            };
            Problem::new(format!("the subgraph `{inside}` has no output `{wanted}`"), help)
        })?;
    }
    Ok((followed > 0).then_some(current))
}
