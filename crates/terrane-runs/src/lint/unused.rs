//! Nodes and parameters that nothing uses.

use std::collections::HashSet;
use std::sync::Arc;

use terrane_flow::syntax::{Bracket, Edit, Group, TokenKind, Tree, Value, parameter_names};
use terrane_flow::{Graph, GraphNode, GraphText, Loaded, SourceText};
use terrane_nodes::values::TerrainKind;

use super::warning::Warning;

/// Warnings of one lint with an edit that mends them, at most: each edit reads the whole text.
const MENDED: usize = 20;

/// The text of a graph's main file: that of its first node outside subgraphs.
fn main_text(graph: &Graph) -> Option<Arc<SourceText>> {
    let own = graph.nodes.iter().filter(|(name, _)| !name.contains('/'));
    let located = own.filter_map(|(_, node)| node.location.as_ref());
    // Nodes of repeated files have no `/`, but their text is not the main one: the main one has a scope whose
    // file is the first of the graph.
    let outputs =
        graph.outputs.iter().filter_map(|output| output.location.as_ref()).map(|(source, _)| source);
    outputs.chain(located.map(|location| &location.source)).next().cloned()
}

/// The entries of a map of the graph, such as `nodes`.
fn map<'t>(tree: &'t Tree, field: &str) -> Option<Group<'t>> {
    let call = tree.value().and_then(Value::call)?;
    call.group().get(field)?.value()?.group(Bracket::Curly)
}

/// Nodes that no output needs. In a graph without outputs, each node may still be wanted. Tables and numbers
/// are wanted too: `terrane eval` prints them, and sweeps tabulate them.
pub fn nodes(loaded: &Loaded) -> Vec<Warning> {
    let graph = &loaded.graph;
    let Some(source) = main_text(graph).filter(|_| !graph.outputs.is_empty()) else { return Vec::new() };
    let wanted =
        graph.outputs.iter().filter_map(|output| graph.find(&output.from).ok()).map(|(node, _)| node);
    let is_printed = |node: &GraphNode| {
        let mut outputs = node.node().spec().outputs.iter();
        outputs.all(|output| TerrainKind::find(output.kind).is_some_and(|kind| kind.is_printed))
    };
    let printed = graph.nodes.values().enumerate().filter(|(_, node)| is_printed(node)).map(|(at, _)| at);
    let needed = loaded.plan.needed(wanted.chain(printed));
    let used: HashSet<&str> = loaded
        .plan
        .names
        .iter()
        .zip(&needed)
        .filter(|(_, is_needed)| **is_needed)
        .map(|(name, _)| name.split(['/', '[']).next().unwrap_or_default())
        .collect();
    let tree = Tree::parse(Arc::clone(&source.text));
    // The header may name a node, such as the import that gives the graph its spacing.
    let header = header_words(&tree);
    let Some(entries) = map(&tree, "nodes") else { return Vec::new() };
    let unused = entries.items().filter_map(|item| Some((item.name()?, item.name_span()?)));
    let unused = unused.filter(|(name, _)| !used.contains(name) && !header.contains(name));
    let warning = |(at, (name, span))| {
        let place = Some((Arc::clone(&source), span));
        let mut warning = Warning::new(
            "unused-node",
            name,
            place,
            format!("no output needs `{name}`"),
            "connect it, or remove it",
        );
        if at < MENDED {
            let removed = GraphText::new(&source.text).and_then(|mut text| {
                text.remove_node(name)?;
                Ok(text.into_text())
            });
            warning.diagnostic.fix = removed.ok().map(|text| Edit::between(&source.text, &text));
        }
        warning
    };
    unused.enumerate().map(warning).collect()
}

/// The quoted texts of the header's fields.
fn header_words(tree: &Tree) -> HashSet<&str> {
    let Some(call) = tree.value().and_then(Value::call) else { return HashSet::new() };
    let fields = call.group().items().filter(|item| {
        item.name().is_some_and(|name| !["nodes", "outputs", "params", "profiles"].contains(&name))
    });
    let texts = fields.flat_map(|item| {
        let span = item.span();
        tree.tokens_from(span.start).take_while(move |(_, token)| token.start < span.end)
    });
    texts
        .filter(|(kind, _)| *kind == TokenKind::Text)
        .map(|(_, span)| tree.text()[span].trim_matches('"'))
        .collect()
}

/// Parameters of the graph that nothing in its file uses.
pub fn parameters(graph: &Graph) -> Vec<Warning> {
    let Some(source) = main_text(graph) else { return Vec::new() };
    let tree = Tree::parse(Arc::clone(&source.text));
    let Some(params) = map(&tree, "params") else { return Vec::new() };
    let texts = tree.tokens_from(0).filter(|(kind, _)| *kind == TokenKind::Text);
    let used: HashSet<&str> = texts.flat_map(|(_, span)| parameter_names(&source.text[span])).collect();
    let declared = params.items().filter_map(|item| Some((item.name()?, item.name_span()?)));
    let warning = |(at, (name, span))| {
        let place = Some((Arc::clone(&source), span));
        let message = format!("nothing uses the parameter `{name}`");
        let help = format!("write \"${name}\" where its value belongs, or remove it");
        let mut warning = Warning::new("unused-parameter", name, place, message, help);
        if at < MENDED {
            let removed = GraphText::new(&source.text).and_then(|mut text| {
                text.remove_param(name)?;
                Ok(text.into_text())
            });
            warning.diagnostic.fix = removed.ok().map(|text| Edit::between(&source.text, &text));
        }
        warning
    };
    declared.filter(|(name, _)| !used.contains(name)).enumerate().map(warning).collect()
}
