//! Inserts, copies, bypasses and deletes nodes together with their wires.

use std::collections::{HashMap, HashSet};

use terrane_syntax::{Bracket, Edit, Item, insert_after, remove};

use super::entries::{added, free_name, key};
use super::error::{RewriteError, value_text};
use super::graph_text::GraphText;
use super::wires::{Wire, Wiring, in_order};
use crate::model::port::Reference;
use crate::model::registry::Registry;
use crate::model::spec::NodeSpec;

impl GraphText {
    /// Adds a node after another one, in the layout of that one. `call` is `Type(field: value, ...)`.
    ///
    /// # Errors
    /// As [`Self::add_node`], and `NoNode` for `after`.
    pub fn insert_node(&mut self, name: &str, call: &str, after: &str) -> Result<(), RewriteError> {
        let call = value_text(call)?;
        free_name(self, name)?;
        let edits = added_after(self, after, &format!("{}: {call}", key(name)))?;
        *self = self.changed(&edits);
        Ok(())
    }

    /// Copies a node, with the comments inside its call, and adds the copy after it.
    ///
    /// # Errors
    /// `NoNode`, `Taken` and `NodeName`.
    pub fn copy_node(&mut self, from: &str, to: &str) -> Result<(), RewriteError> {
        free_name(self, to)?;
        let value = self.group("nodes")?.and_then(|nodes| nodes.get(from)?.value());
        let call = value.ok_or_else(|| self.no_node(from))?.text();
        let edits = added_after(self, from, &format!("{}: {call}", key(to)))?;
        *self = self.changed(&edits);
        Ok(())
    }

    /// Connects whatever reads a node to what the node itself reads: to the source of its first port of the
    /// same kind. The node stays. References for which there is no such source stay too. Returns how many
    /// references were changed.
    ///
    /// # Errors
    /// `NoNode`, and `NoType` if the node's type is unknown.
    pub fn bypass_node(&mut self, name: &str, registry: &Registry) -> Result<usize, RewriteError> {
        let kind = self.node(name)?.name.to_owned();
        if registry.node(&kind).is_none() {
            return Err(RewriteError::NoType { node: name.to_owned(), kind });
        }
        let edits = bypassed(self, &[name], registry, false)?;
        *self = self.changed(&edits);
        Ok(edits.len())
    }

    /// Removes a node. What read it reads what it read, as after [`Self::bypass_node`], if that has the same
    /// unit. Where that is not possible, ports are disconnected, and outputs are removed.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn delete_node(&mut self, name: &str, registry: &Registry) -> Result<(), RewriteError> {
        self.delete_nodes(&[name], registry)
    }

    /// Removes nodes, as [`Self::delete_node`] does one after the other.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn delete_nodes(&mut self, names: &[&str], registry: &Registry) -> Result<(), RewriteError> {
        let mut text = self.changed(&bypassed(self, names, registry, true)?);
        for name in names {
            text.remove_node(name)?;
        }
        // One per node at a time, since the edits of neighbours overlap.
        loop {
            let edits = readers(&text, names, registry)?;
            if edits.is_empty() {
                break;
            }
            text = text.changed(&edits);
        }
        *self = text;
        Ok(())
    }
}

/// The edits that add an entry after a node.
fn added_after(graph: &GraphText, after: &str, entry: &str) -> Result<Vec<Edit>, RewriteError> {
    let Some(nodes) = graph.group("nodes")? else { return added(graph, "nodes", entry) };
    let item = nodes.get(after).ok_or_else(|| graph.no_node(after))?;
    Ok(insert_after(nodes, item, entry))
}

/// Whether a reference is to one of the nodes or to a node inside one.
fn is_of(reference: &Reference, names: &[&str]) -> bool {
    let head = reference.node.split('/').next().unwrap_or_default();
    names.contains(&head)
}

/// What the nodes that are bypassed read, by name.
struct Bypass<'t> {
    /// Whether what takes the place of an output must have its unit too: a height is no mask.
    same_unit: bool,
    nodes: HashMap<&'t str, (&'static NodeSpec, Vec<Wire<'t>>)>,
}

impl Bypass<'_> {
    /// What takes the place of a reference to a bypassed node, if anything does.
    fn source(&self, reference: &Reference) -> Option<Reference> {
        let mut at = reference.clone();
        // A chain of nodes is at most as long as there are nodes.
        for _ in 0..=self.nodes.len() {
            let Some((spec, wires)) = self.nodes.get(&*at.node) else { return Some(at) };
            let output = &spec.outputs[spec.output(at.output.as_deref())?];
            let has_unit = |wire: &&Wire<'_>| {
                let input = spec.inputs.iter().find(|input| input.name == wire.port);
                !self.same_unit || input.is_some_and(|input| input.unit == output.unit)
            };
            let mut fits = wires.iter().filter(|wire| wire.kind == Some(output.kind)).filter(has_unit);
            at = fits.next()?.reference.clone();
        }
        None
    }
}

/// The edits that connect readers of nodes to what these read.
fn bypassed(
    graph: &GraphText,
    names: &[&str],
    registry: &Registry,
    same_unit: bool,
) -> Result<Vec<Edit>, RewriteError> {
    let wiring = Wiring::new(graph, registry, &[])?;
    let entries = graph.entries("nodes")?;
    for name in names {
        graph.node(name)?;
    }
    let names: HashSet<&str> = names.iter().copied().collect();
    let mut bypass = Bypass { same_unit, nodes: HashMap::new() };
    let (mut readers, mut own) = (wiring.outputs()?, Vec::new());
    for entry in &entries {
        let wires = wiring.of(entry)?;
        if names.contains(entry.name) { own.push((entry, wires)) } else { readers.extend(wires) }
    }
    for (entry, wires) in own {
        // Without a known type, it is not known what a node reads.
        if let Some(node_type) = registry.node(wiring.call(entry)?.name) {
            bypass.nodes.insert(entry.name, (node_type.spec(), wires));
        }
    }
    let mut edits = Vec::new();
    for wire in readers.iter().filter(|wire| bypass.nodes.contains_key(&*wire.reference.node)) {
        let to = &mut |reference: &Reference| {
            let is_bypassed = bypass.nodes.contains_key(&*reference.node);
            Ok::<_, RewriteError>(is_bypassed.then(|| bypass.source(reference)).flatten())
        };
        edits.extend(wiring.renamed(wire, to)?);
    }
    Ok(in_order(edits))
}

/// The edits that remove references to missing nodes, at most one in each node.
fn readers(graph: &GraphText, names: &[&str], registry: &Registry) -> Result<Vec<Edit>, RewriteError> {
    let wiring = Wiring::new(graph, registry, &[])?;
    let mut edits = Vec::new();
    for entry in graph.entries("nodes")? {
        let wires = wiring.of(&entry)?;
        let Some(wire) = wires.iter().find(|wire| is_of(&wire.reference, names)) else { continue };
        let call = wiring.call(&entry)?;
        let holds = |item: &Item<'_>| item.value().is_some_and(|value| value.span() == wire.value.span());
        if let Some(field) = call.fields.iter().find(|field| holds(&field.item)) {
            edits.push(remove(call.group, field.item));
            continue;
        }
        // The input of a subgraph.
        let inputs = call.fields.iter().find(|field| field.name == "inputs");
        let group = inputs.and_then(|field| field.value.group(Bracket::Curly));
        let item = group.and_then(|group| Some((group, group.items().find(holds)?)));
        edits.extend(item.map(|(group, item)| remove(group, item)));
    }
    let outputs = wiring.outputs()?;
    let gone = outputs.iter().find(|wire| is_of(&wire.reference, names));
    if let Some((group, gone)) = graph.group("outputs")?.zip(gone) {
        edits.extend(group.get(gone.port).map(|item| remove(group, item)));
    }
    Ok(in_order(edits))
}
