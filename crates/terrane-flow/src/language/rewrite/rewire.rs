//! Inserts, copies, bypasses and deletes nodes together with their wires.

use terrane_syntax::{Edit, Item, insert_after, remove};

use super::entries::{added, free_name, key};
use super::error::{RewriteError, value_text};
use super::graph_text::GraphText;
use super::wires::{Wiring, in_order};
use crate::model::port::Reference;
use crate::model::registry::Registry;

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
        let edits = bypassed(self, name, registry)?;
        *self = self.changed(&edits);
        Ok(edits.len())
    }

    /// Removes a node. What read it reads what it read, as after [`Self::bypass_node`]. Where that is not
    /// possible, ports are disconnected, and outputs are removed.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn delete_node(&mut self, name: &str, registry: &Registry) -> Result<(), RewriteError> {
        let mut text = match bypassed(self, name, registry) {
            Ok(edits) => self.changed(&edits),
            // Without its type, it is not known what it reads.
            Err(RewriteError::NoType { .. }) => self.changed(&[]),
            Err(error) => return Err(error),
        };
        text.remove_node(name)?;
        // One at a time, since the edits of neighbours overlap.
        while let Some(edit) = first_reader(&text, name, registry)? {
            text = text.changed(&[edit]);
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

/// Whether a reference is to a node or to a node inside it.
fn is_of(reference: &Reference, name: &str) -> bool {
    reference.node.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The edits that connect readers of a node to what it reads.
fn bypassed(graph: &GraphText, name: &str, registry: &Registry) -> Result<Vec<Edit>, RewriteError> {
    graph.node(name)?;
    let wiring = Wiring::new(graph, registry, &[])?;
    let entries = graph.entries("nodes")?;
    let Some(own) = entries.iter().find(|entry| entry.name == name) else { return Ok(Vec::new()) };
    let call = wiring.call(own)?;
    let Some(node_type) = registry.node(call.name) else {
        return Err(RewriteError::NoType { node: name.to_owned(), kind: call.name.to_owned() });
    };
    let read = wiring.of(own)?;
    let source = |reference: &Reference| {
        let output = node_type.spec().output(reference.output.as_deref())?;
        let kind = node_type.spec().outputs[output].kind;
        let wire = read.iter().find(|wire| wire.kind == Some(kind) && !is_of(&wire.reference, name))?;
        Some(wire.reference.clone())
    };
    let mut readers = wiring.outputs()?;
    for entry in entries.iter().filter(|entry| entry.name != name) {
        readers.extend(wiring.of(entry)?);
    }
    let mut edits = Vec::new();
    for wire in readers.iter().filter(|wire| *wire.reference.node == *name) {
        let to = &mut |reference: &Reference| {
            Ok::<_, RewriteError>((*reference.node == *name).then(|| source(reference)).flatten())
        };
        edits.extend(wiring.renamed(wire, to)?);
    }
    Ok(in_order(edits))
}

/// The edit that removes the first reference to a missing node, if there is one.
fn first_reader(graph: &GraphText, name: &str, registry: &Registry) -> Result<Option<Edit>, RewriteError> {
    let wiring = Wiring::new(graph, registry, &[])?;
    for entry in graph.entries("nodes")? {
        let wires = wiring.of(&entry)?;
        let Some(wire) = wires.iter().find(|wire| is_of(&wire.reference, name)) else { continue };
        let call = wiring.call(&entry)?;
        let holds = |item: &Item<'_>| item.value().is_some_and(|value| value.span() == wire.value.span());
        if let Some(field) = call.fields.iter().find(|field| holds(&field.item)) {
            return Ok(Some(remove(call.group, field.item)));
        }
        // The input of a subgraph.
        let inputs = call.fields.iter().find(|field| field.name == "inputs");
        let group = inputs.and_then(|field| field.value.group(terrane_syntax::Bracket::Curly));
        if let Some((group, item)) = group.and_then(|group| Some((group, group.items().find(holds)?))) {
            return Ok(Some(remove(group, item)));
        }
    }
    let gone: Vec<String> = wiring
        .outputs()?
        .iter()
        .filter(|wire| is_of(&wire.reference, name))
        .map(|wire| wire.port.to_owned())
        .collect();
    let outputs = graph.group("outputs")?;
    let entry = |outputs: terrane_syntax::Group<'_>| Some(remove(outputs, outputs.get(gone.first()?)?));
    Ok(outputs.and_then(entry))
}
