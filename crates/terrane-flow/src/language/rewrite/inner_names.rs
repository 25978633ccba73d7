//! Nodes of a subgraph, with the names that the outer graph will use.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use indexmap::IndexMap;
use terrane_syntax::{Edit, literal};

use super::entries::{freed, node_name};
use super::error::RewriteError;
use super::wires::{Wire, Wiring};
use crate::language::document::Entry;
use crate::model::port::Reference;
use crate::report::suggest;

/// The maximum number of references between subgraph and outer graph that are followed.
const MAX_FOLLOWED: usize = 64;

/// The nodes, inputs and outputs of a subgraph, with the names that the outer graph will use.
pub struct InnerNames<'t> {
    /// The node that uses the subgraph.
    node: &'t str,
    outer: &'t Wiring<'t>,
    inner: &'t Wiring<'t>,
    /// New names by old names. Nodes that are replaced from outside have no new names.
    names: IndexMap<&'t str, String>,
    /// The wires that replace nodes, by the names of those nodes.
    inputs: HashMap<&'t str, Wire<'t>>,
    /// The sources of the subgraph's outputs, by file name without extension.
    outputs: IndexMap<String, Reference>,
}

impl<'t> InnerNames<'t> {
    /// The names for the subgraph of a node. A node's new name is its name with `prefix` before it. If this
    /// name is taken, a number is appended.
    pub fn new(
        (node, wires): (&'t str, Vec<Wire<'t>>),
        (outer, around): (&'t Wiring<'t>, &[Entry<'t>]),
        (inner, entries): (&'t Wiring<'t>, &[Entry<'t>]),
        prefix: &str,
    ) -> Result<Self, RewriteError> {
        let inputs: HashMap<&str, Wire<'_>> = wires.into_iter().map(|wire| (wire.port, wire)).collect();
        let known: HashSet<&str> = entries.iter().map(|entry| entry.name).collect();
        if let Some(name) = inputs.keys().find(|name| !known.contains(**name)) {
            let known: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
            let help = suggest::help(name, &known, "the subgraph's nodes are");
            return Err(RewriteError::NoNode { name: format!("{node}/{name}"), help });
        }
        let others = around.iter().map(|entry| entry.name).filter(|name| *name != node);
        let mut taken: HashSet<String> = others.map(str::to_owned).collect();
        let mut names = IndexMap::new();
        for entry in entries.iter().filter(|entry| !inputs.contains_key(entry.name)) {
            let name = freed(&format!("{prefix}{}", entry.name), &mut taken);
            node_name(&name)?;
            names.insert(entry.name, name);
        }
        let mut outputs = IndexMap::new();
        for wire in inner.outputs()? {
            let stem = Path::new(wire.port).file_stem();
            let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            outputs.entry(stem).or_insert(wire.reference);
        }
        Ok(Self { node, outer, inner, names, inputs, outputs })
    }

    /// The new name of a node; `None` for a node that is replaced from outside.
    pub fn name(&self, name: &str) -> Option<&str> {
        self.names.get(name).map(String::as_str)
    }

    /// The new form of a reference in the outer graph; `None` if it does not lead into the subgraph.
    pub fn of_outer(&self, reference: &Reference) -> Result<Option<Reference>, RewriteError> {
        self.outer(reference, 0)
    }

    /// The new form of a reference in the subgraph's text.
    pub fn of_inner(&self, reference: &Reference) -> Result<Reference, RewriteError> {
        self.inner(reference, 0)
    }

    fn outer(&self, reference: &Reference, followed: usize) -> Result<Option<Reference>, RewriteError> {
        if &*reference.node == self.node {
            let output = match &reference.output {
                None => self.outputs.values().next(),
                Some(name) => self.outputs.get(&**name),
            };
            let output = output.ok_or_else(|| RewriteError::NoOutput { name: reference.to_string() })?;
            return self.inner(output, followed + 1).map(Some);
        }
        let rest = reference.node.strip_prefix(self.node).and_then(|rest| rest.strip_prefix('/'));
        rest.map(|rest| self.renamed(rest, reference)).transpose()
    }

    fn inner(&self, reference: &Reference, followed: usize) -> Result<Reference, RewriteError> {
        if followed > MAX_FOLLOWED {
            let reason = format!("`{reference}` leads through more than {MAX_FOLLOWED} inputs and outputs");
            return Err(RewriteError::Inexact { node: self.node.to_owned(), reason });
        }
        match self.inputs.get(&*reference.node) {
            Some(wire) => {
                let outside = self.outer(&wire.reference, followed + 1)?;
                Ok(outside.unwrap_or_else(|| wire.reference.clone()))
            }
            None => self.renamed(&reference.node, reference),
        }
    }

    /// A reference to a node of the subgraph, or to a node nested in it, with the new name.
    fn renamed(&self, path: &str, reference: &Reference) -> Result<Reference, RewriteError> {
        let head = path.split('/').next().unwrap_or_default();
        let Some(name) = self.names.get(head) else {
            let known: Vec<&str> = self.names.keys().copied().collect();
            let help = suggest::help(head, &known, "the subgraph's own nodes are");
            return Err(RewriteError::NoNode { name: format!("{}/{path}", self.node), help });
        };
        let node = format!("{name}{}", &path[head.len()..]).into();
        Ok(Reference { node, output: reference.output.clone() })
    }

    /// The edit of a wire in the subgraph; `None` if the wire does not change. If a parameter of the outer
    /// graph sets an input, wires to this input use the parameter.
    pub fn rewired(&self, wire: &Wire<'t>) -> Result<Option<Edit>, RewriteError> {
        let span = wire.value.span();
        if let Some(outside) = self.inputs.get(&*wire.reference.node)
            && self.outer.parameter(outside.value).is_some()
        {
            return Ok(Some(Edit { span, text: outside.value.text().to_owned() }));
        }
        let reference = self.of_inner(&wire.reference)?;
        let is_named = self.inner.parameter(wire.value).is_some();
        let is_changed = is_named || reference != wire.reference;
        Ok(is_changed.then(|| Edit { span, text: literal::quoted(&reference.to_string()) }))
    }
}
