//! Inlines a subgraph into the graph that uses it.

use std::collections::{HashMap, HashSet};

use terrane_syntax::{Edit, Tree, apply, block, fill, indented, remove_block};

use super::entries::{added, between, key};
use super::error::RewriteError;
use super::graph_text::{GraphText, blanks};
use super::inner_names::InnerNames;
use super::passed_params::{Parameters, PassedParams};
use super::paths::{files, outward, rebased};
use super::set::field_of;
use super::wires::{Wiring, in_order};
use crate::language::document::Entry;
use crate::language::names::SUBGRAPH;
use crate::model::port::Source;
use crate::model::registry::Registry;

impl GraphText {
    /// Replaces a `Subgraph` node by the nodes of the subgraph, whose file has the text `part`. This reverses
    /// [`Self::extract_subgraph`], whose example shows both directions. Nothing is written.
    ///
    /// A node's new name is its name in the subgraph, with `prefix` before it. If this name is taken, a
    /// number is appended. Nodes that `inputs` replaces are left out.
    ///
    /// A parameter passed as `"$name"` becomes that parameter of the graph. All other parameters become new
    /// parameters of the graph, with free names. Paths are made relative to the graph, assuming that their
    /// folders are not links. Size, seed and other header fields of the subgraph have no effect in the graph
    /// that uses it, so they are left out.
    ///
    /// Comments and layout of the nodes are kept. Other comments of the subgraph are left out. Comments
    /// inside the `Subgraph` call are removed with the call.
    ///
    /// # Errors
    /// - `NoNode`, `NoOutput` and `NoGraphParameter` if one text refers to something that the other lacks.
    /// - `NotSubgraph` if `node` is of another type.
    /// - `NoType` if the type of a node is unknown.
    /// - `NodeName` if `prefix` leads to an invalid name.
    /// - `Inexact` if a node would change.
    pub fn inline_subgraph(
        &mut self,
        node: &str,
        part: &Self,
        prefix: &str,
        registry: &Registry,
    ) -> Result<(), RewriteError> {
        let (around, entries) = (self.entries("nodes")?, part.entries("nodes")?);
        let own = around.iter().find(|entry| entry.name == node).ok_or_else(|| self.no_node(node))?;
        let call = self.node(node)?;
        if call.name != SUBGRAPH {
            return Err(RewriteError::NotSubgraph { node: node.to_owned(), kind: call.name.to_owned() });
        }
        let outer = Wiring::new(self, registry, &[])?;
        let given = PassedParams::new((self, node, &call), &outer, part)?;
        let inner = Wiring::new(part, registry, &given.bounds())?;
        outer.check_types(&around)?;
        inner.check_types(&entries)?;
        let file = field_of(&call, "file").and_then(|field| outer.text(field.value)).unwrap_or_default();
        let inside =
            InnerNames::new((own.name, outer.of(own)?), (&outer, &around), (&inner, &entries), prefix)?;

        let stays: Vec<&Entry<'_>> =
            entries.iter().filter(|entry| inside.name(entry.name).is_some()).collect();
        let mut changes = Vec::new();
        for entry in &stays {
            let mut edits = Vec::new();
            if let Some(name) = inside.name(entry.name).filter(|name| *name != entry.name) {
                edits.push(Edit { span: entry.key_span(), text: key(name) });
            }
            for wire in inner.of(entry)? {
                given.check_wire(entry.name, &wire, &inner)?;
                edits.extend(inside.rewired(&wire)?);
            }
            edits.extend(rebased(&inner, entry, &inner.call(entry)?, &|path| outward(&file, path))?);
            changes.push(edits);
        }
        let lines = Lines::new(self, own);
        let shown: String =
            stays.iter().zip(&changes).map(|(entry, edits)| lines.block(entry, edits, true)).collect();
        let parameters = Parameters::new(&shown, &given, &inner, &outer);
        for (entry, edits) in stays.iter().zip(&mut changes) {
            let places: HashSet<usize> = edits.iter().map(|edit| edit.span.start).collect();
            let renamed = parameters.edits(entry.value, &inner.scope).into_iter();
            edits.extend(renamed.filter(|edit| !places.contains(&edit.span.start)));
        }
        let mut edits = lines.replaced(&stays, &changes)?;
        let mut wires = outer.outputs()?;
        for entry in &around {
            let all = outer.of(entry)?.into_iter();
            // The removed call needs no edits, except to parameters that other nodes may share.
            wires.extend(all.filter(|wire| entry.name != node || outer.parameter(wire.value).is_some()));
        }
        for wire in &wires {
            edits.extend(outer.renamed(wire, &mut |reference| inside.of_outer(reference))?);
        }
        let mut changed = self.checked(&in_order(edits))?;
        if !parameters.added.is_empty() {
            let entries = parameters.added.join(&between(&changed, "params")?);
            changed = changed.checked(&added(&changed, "params", &entries)?)?;
        }
        check(&changed, &file, &inside, (&inner, &stays), registry)?;
        *self = changed;
        Ok(())
    }
}

/// The position and layout for the inlined nodes.
struct Lines<'t, 'g> {
    graph: &'t GraphText,
    /// The entry that the inlined nodes replace.
    own: &'g Entry<'t>,
    /// The blanks before the entry, if the entry begins a line.
    indent: Option<&'t str>,
    line_end: &'static str,
}

impl<'t, 'g> Lines<'t, 'g> {
    fn new(graph: &'t GraphText, own: &'g Entry<'t>) -> Self {
        let indent = blanks(graph.text(), block(own.item).start);
        Self { graph, own, indent, line_end: graph.line_end() }
    }

    /// The text of a node with its edits and comments.
    fn block(&self, entry: &Entry<'_>, edits: &[Edit], has_comma: bool) -> String {
        let text = entry.item.tree().text();
        let span = block(entry.item);
        let mut edits = edits.to_vec();
        match entry.item.comma() {
            None if has_comma => {
                let end = entry.item.span().end;
                edits.push(Edit { span: end..end, text: ",".to_owned() });
            }
            Some(comma) if !has_comma => edits.push(Edit { span: comma, text: String::new() }),
            _ => {}
        }
        edits
            .iter_mut()
            .for_each(|edit| edit.span = edit.span.start - span.start..edit.span.end - span.start);
        let columns = |indent: Option<&str>| indent.unwrap_or("        ").chars().count();
        let (from, to) = (columns(blanks(text, span.start)), columns(self.indent));
        let tree = Tree::parse(apply(&text[span], &edits));
        indented(&tree, 0..tree.text().len(), from, to, self.line_end)
    }

    /// The edits that replace the `Subgraph` node by the inlined nodes.
    fn replaced(&self, entries: &[&Entry<'_>], changes: &[Vec<Edit>]) -> Result<Vec<Edit>, RewriteError> {
        if entries.is_empty() {
            let group = self.graph.group("nodes")?;
            return Ok(group.map(|group| remove_block(group, self.own.item)).into_iter().collect());
        }
        let text = self.graph.text();
        let comma = self.own.item.comma();
        let end = comma.as_ref().map_or(self.own.item.span().end, |comma| comma.end);
        let last = entries.len() - 1;
        let pairs = entries.iter().zip(changes).enumerate();
        let blocks: Vec<String> = pairs
            .map(|(at, (entry, edits))| self.block(entry, edits, at < last || comma.is_some()))
            .collect();
        let has_lines = blocks.iter().any(|block| block.contains('\n') || block.contains("//"));
        let line = format!("{}{}", self.line_end, self.indent.unwrap_or("        "));
        let gap = if self.indent.is_some() || has_lines { &*line } else { " " };
        let mut joined = String::new();
        for (at, (entry, block)) in entries.iter().zip(&blocks).enumerate() {
            if at > 0 {
                joined += if is_apart(entry) { self.line_end } else { "" };
                joined += gap;
            }
            joined += block;
        }
        // Text after a line comment would become part of the comment, so it goes on a new line.
        let rest = text[end..].lines().next().unwrap_or_default().trim_start();
        if !rest.is_empty()
            && !rest.starts_with("//")
            && blocks[last].lines().last().is_some_and(|line| line.contains("//"))
        {
            joined += &line;
        }
        Ok(vec![Edit { span: self.own.item.span().start..end, text: joined }])
    }
}

/// Whether a blank line precedes a node.
fn is_apart(entry: &Entry<'_>) -> bool {
    let text = &entry.item.tree().text()[..block(entry.item).start];
    text[text.trim_end_matches([' ', '\t', '\r', '\n']).len()..].matches('\n').count() > 1
}

/// Checks that the nodes in the changed text equal those in the subgraph.
fn check(
    graph: &GraphText,
    file: &str,
    inside: &InnerNames<'_>,
    (inner, stays): (&Wiring<'_>, &[&Entry<'_>]),
    registry: &Registry,
) -> Result<(), RewriteError> {
    let wiring = Wiring::new(graph, registry, &[])?;
    let entries = graph.entries("nodes")?;
    let by_name: HashMap<&str, &Entry<'_>> = entries.iter().map(|entry| (entry.name, entry)).collect();
    let is_near = outward(file, "x") == "x";
    for entry in stays {
        let differs = |field: &str| RewriteError::Inexact {
            node: entry.name.to_owned(),
            reason: format!("its `{field}` would change"),
        };
        let now =
            inside.name(entry.name).and_then(|name| by_name.get(name)).ok_or_else(|| differs("name"))?;
        let (old, new) = (inner.call(entry)?, wiring.call(now)?);
        let of_files = files(inner, &old);
        let (Some(before), Some(after)) = (inner.node(&old), wiring.node(&new)) else {
            for (field, other) in
                old.fields.iter().zip(&new.fields).filter(|(field, _)| field.name == "params")
            {
                if fill(field.value, &inner.scope).ok() != fill(other.value, &wiring.scope).ok() {
                    return Err(differs(field.name));
                }
            }
            continue;
        };
        for (at, param) in before.spec().params.iter().enumerate() {
            let is_path = of_files.iter().any(|(field, _)| *field == param.name);
            if before.param(at) != after.param(at) && (is_near || !is_path) {
                return Err(differs(param.name));
            }
        }
        for (at, input) in before.spec().inputs.iter().enumerate() {
            let same = match (before.port(at).source(), after.port(at).source()) {
                (Source::Number(a), Source::Number(b)) => a.to_bits() == b.to_bits(),
                (Source::Unset, Source::Unset) => true,
                (Source::Wire(a), Source::Wire(b)) => inside.of_inner(a)? == *b,
                _ => false,
            };
            if !same {
                return Err(differs(input.name));
            }
        }
    }
    Ok(())
}
