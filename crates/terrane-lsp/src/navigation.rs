//! Where things are declared and used, and their renaming.

use std::collections::HashMap;
use std::ops::Range as Span;
use std::path::PathBuf;

use terrane_flow::syntax::{Bracket, Form, Item, Tree, Value};
use terrane_flow::{GraphText, Registry};

use crate::offers::Place;
use crate::outline::{Entry, Outline, entries, parameter_uses, uses};

/// Something that has a name in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// A node.
    Node(String),
    /// A parameter of the graph.
    Parameter(String),
}

/// A place in a file; `None` stands for the file that was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The file.
    pub path: Option<PathBuf>,
    /// The bytes.
    pub span: Span<usize>,
}

impl Spot {
    const fn here(span: Span<usize>) -> Self {
        Self { path: None, span }
    }
}

fn holds(span: &Span<usize>, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

/// What is named at a byte, and the bytes of the name there.
#[must_use]
pub fn named(tree: &Tree, offset: usize, registry: &Registry) -> Option<(Named, Span<usize>)> {
    let outline = Outline::of(tree);
    let declared = |entries: &[Entry<'_>]| {
        let found = entries.iter().find(|entry| holds(&entry.name_span, offset));
        found.map(|entry| (entry.name.to_owned(), entry.name_span.clone()))
    };
    if let Some((name, span)) = declared(&outline.nodes) {
        return Some((Named::Node(name), span));
    }
    if let Some((name, span)) = declared(&outline.params) {
        return Some((Named::Parameter(name), span));
    }
    if let Some((name, span)) = parameter_uses(tree).into_iter().find(|(_, span)| holds(span, offset)) {
        return Some((Named::Parameter(name.to_owned()), span));
    }
    let used = uses(&outline, registry).into_iter().find(|used| holds(&used.span, offset))?;
    // The first part of `sub/node` is a node of this file.
    let node = used.node().split('/').next().unwrap_or_default().to_owned();
    let span = used.span.start..used.span.start + node.len();
    Some((Named::Node(node), span))
}

/// All places of a file where something is declared or used, the declaration first.
#[must_use]
pub fn places(tree: &Tree, named: &Named, registry: &Registry) -> Vec<Span<usize>> {
    let outline = Outline::of(tree);
    let declared = |entries: &[Entry<'_>], name: &str| {
        entries.iter().filter(|entry| entry.name == name).map(|entry| entry.name_span.clone()).collect()
    };
    let mut all: Vec<Span<usize>>;
    match named {
        Named::Node(name) => {
            all = declared(&outline.nodes, name);
            let heads = uses(&outline, registry).into_iter().filter_map(|used| {
                let head = used.node().split('/').next().unwrap_or_default();
                (head == name).then(|| used.span.start..used.span.start + head.len())
            });
            all.extend(heads);
        }
        Named::Parameter(name) => {
            all = declared(&outline.params, name);
            all.extend(
                parameter_uses(tree).into_iter().filter(|(used, _)| used == name).map(|(_, span)| span),
            );
        }
    }
    all
}

/// Where the thing at a byte is declared, also in other files.
#[must_use]
pub fn definition(tree: &Tree, offset: usize, place: &Place<'_>) -> Option<Spot> {
    let outline = Outline::of(tree);
    // A file that is named.
    for node in &outline.nodes {
        let Some(call) = node.call() else { continue };
        for field in entries(call.group()) {
            let Some(value) = field.value.filter(|value| holds(&value.span(), offset)) else { continue };
            if field.name == "file"
                && let Form::Text(written) = value.form()
            {
                let (_, inner) = place.file(written.trim_matches('"'))?;
                return Some(Spot { path: Some(inner.path().to_owned()), span: 0..0 });
            }
            // A node of the inner file that is replaced.
            let keys = value.group(Bracket::Curly).map(entries).unwrap_or_default();
            if let Some(key) = keys.iter().find(|key| holds(&key.name_span, offset)) {
                let (tree, inner) = place.inner(call)?;
                let inside = Outline::of(&tree);
                let of = if field.name == "params" { &inside.params } else { &inside.nodes };
                let span = of.iter().find(|entry| entry.name == key.name)?.name_span.clone();
                return Some(Spot { path: Some(inner.path().to_owned()), span });
            }
        }
    }
    if let Some(used) = uses(&outline, place.registry).into_iter().find(|used| holds(&used.span, offset)) {
        let (head, rest) = match used.node().split_once('/') {
            Some((head, rest)) => (head, Some(rest)),
            None => (used.node(), None),
        };
        let node = outline.node(head)?;
        // Of a subgraph, what is inside.
        let output = used.reference.rsplit_once('.').map(|(_, output)| output);
        let within = offset > used.span.start + head.len();
        if within
            && (rest.is_some() || output.is_some())
            && let Some(spot) = inside(node, rest, output, place)
        {
            return Some(spot);
        }
        return Some(Spot::here(node.name_span.clone()));
    }
    let (named, _) = named(tree, offset, place.registry)?;
    places(tree, &named, place.registry).into_iter().next().map(Spot::here)
}

/// A node or an output in the file of a subgraph.
fn inside(node: &Entry<'_>, rest: Option<&str>, output: Option<&str>, place: &Place<'_>) -> Option<Spot> {
    let (tree, inner) = place.inner(node.call()?)?;
    let outline = Outline::of(&tree);
    let entry = match rest {
        Some(rest) => {
            let (head, deeper) = rest.split_once('/').map_or((rest, None), |(head, rest)| (head, Some(rest)));
            let entry = outline.node(head)?;
            if deeper.is_some() {
                return inside(entry, deeper, output, &inner);
            }
            entry
        }
        None => {
            let stem = |name: &str| std::path::Path::new(name).file_stem()?.to_str().map(str::to_owned);
            outline.outputs.iter().find(|entry| stem(entry.name).as_deref() == output)?
        }
    };
    Some(Spot { path: Some(inner.path().to_owned()), span: entry.name_span.clone() })
}

/// The places in another file that name something of a file that it uses as a subgraph.
#[must_use]
pub fn outer_places(
    tree: &Tree,
    named: &Named,
    is_inner: &dyn Fn(&str) -> bool,
    registry: &Registry,
) -> Vec<Span<usize>> {
    let outline = Outline::of(tree);
    let mut all = Vec::new();
    let mut subgraphs: HashMap<&str, ()> = HashMap::new();
    for node in &outline.nodes {
        let Some(call) = node.call().filter(|call| matches!(call.name(), "Subgraph" | "Repeat")) else {
            continue;
        };
        let file = call.group().get("file").and_then(Item::value).map(Value::text);
        if !file.is_some_and(|file| is_inner(file.trim_matches('"'))) {
            continue;
        }
        subgraphs.insert(node.name, ());
        for field in entries(call.group()) {
            let keys =
                field.value.and_then(|value| value.group(Bracket::Curly)).map(entries).unwrap_or_default();
            for key in keys {
                match (named, field.name) {
                    (Named::Node(name), "inputs") | (Named::Parameter(name), "params")
                        if key.name == name =>
                    {
                        all.push(key.name_span);
                    }
                    (Named::Node(name), "carry") => {
                        let Some(value) = key.value else { continue };
                        if value.text().trim_matches('"') == name {
                            all.push(value.span().start + 1..value.span().end - 1);
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    if let Named::Node(name) = named {
        for used in uses(&outline, registry) {
            let mut parts = used.node().splitn(3, '/');
            let (Some(head), Some(inner)) = (parts.next(), parts.next()) else { continue };
            if subgraphs.contains_key(head) && inner == name {
                let start = used.span.start + head.len() + 1;
                all.push(start..start + inner.len());
            }
        }
    }
    all
}

/// Checks that something can get another name.
///
/// # Errors
/// Why not.
pub fn check_rename(text: &str, named: &Named, to: &str, registry: &Registry) -> Result<(), String> {
    let mut graph = GraphText::new(text).map_err(|_| "correct the mistakes in the file first".to_owned())?;
    match named {
        // Not every place can be written in another way.
        Named::Node(_) if to.contains(['"', '\\']) => {
            Err(format!("`{to}` is no name for a node: use letters, digits, `_`, `-` and spaces"))
        }
        Named::Node(name) => graph.rename_node(name, to, registry).map_err(|error| error.to_string()),
        Named::Parameter(name) => {
            let outline_tree = Tree::parse(text);
            let outline = Outline::of(&outline_tree);
            let plain = to.chars().all(|c| c.is_alphanumeric() || c == '_') && !to.is_empty();
            if !plain {
                return Err(format!("`{to}` is no name for a parameter: use letters, digits and `_`"));
            }
            if to != name && outline.params.iter().any(|param| param.name == to) {
                return Err(format!("the graph has a parameter `{to}` already"));
            }
            Ok(())
        }
    }
}

/// The node in whose entry a byte is.
#[must_use]
pub fn node_at(tree: &Tree, offset: usize) -> Option<String> {
    let outline = Outline::of(tree);
    outline.nodes.iter().find(|node| holds(&node.span, offset)).map(|node| node.name.to_owned())
}

/// The output that a byte names: of a wire, or the first one of a node whose name is declared there.
#[must_use]
pub fn reference_at(tree: &Tree, offset: usize, registry: &Registry) -> Option<String> {
    let outline = Outline::of(tree);
    if let Some(node) = outline.nodes.iter().find(|node| holds(&node.name_span, offset)) {
        return Some(node.name.to_owned());
    }
    let used = uses(&outline, registry).into_iter().find(|used| holds(&used.span, offset))?;
    Some(used.reference.to_owned())
}
