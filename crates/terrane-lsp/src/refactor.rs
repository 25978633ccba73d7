//! Edits that keep what a graph computes: a value becomes a parameter, nodes become a subgraph, and back.

use std::ops::Range as Span;
use std::path::PathBuf;

use terrane_flow::syntax::Form;
use terrane_flow::{GraphText, Registry, Shape, format_text};

use crate::document::Document;
use crate::navigation::{Named, named};
use crate::offers::Place;
use crate::outline::{Entry, Outline, entries, parameter_uses, spec_of};

/// An edit that an editor offers.
#[derive(Clone, Debug)]
pub struct Refactoring {
    /// What it does.
    pub title: String,
    /// Its kind, such as `refactor.extract`.
    pub kind: &'static str,
    /// The new text of the document.
    pub text: String,
    /// A new file, and its text.
    pub file: Option<(PathBuf, String)>,
}

/// The edits that can be made at some bytes.
#[must_use]
pub fn refactorings(
    document: &Document,
    at: &Span<usize>,
    registry: &Registry,
    place: &Place<'_>,
) -> Vec<Refactoring> {
    // A text with mistakes is mended first.
    let Ok(graph) = GraphText::of(document.tree.clone()) else { return Vec::new() };
    let outline = Outline::of(&document.tree);
    let mut all = Vec::new();
    all.extend(to_parameter(&graph, &outline, at, registry));
    all.extend(from_parameter(&graph, document, &outline, at, registry));
    all.extend(to_subgraph(&graph, &outline, at, registry, place));
    all.extend(from_subgraph(&graph, &outline, at, registry, place));
    // A text in the usual layout keeps it.
    let formatted = |text: &str| format_text("graph", text).ok();
    if formatted(document.text()).as_deref() == Some(document.text()) {
        let new = all
            .iter_mut()
            .flat_map(|own| std::iter::once(&mut own.text).chain(own.file.as_mut().map(|(_, text)| text)));
        new.for_each(|text| *text = formatted(text).unwrap_or_else(|| std::mem::take(text)));
    }
    all
}

fn copy(graph: &GraphText) -> Option<GraphText> {
    GraphText::new(graph.text()).ok()
}

fn holds(span: &Span<usize>, at: &Span<usize>) -> bool {
    span.start <= at.start && at.end <= span.end
}

/// A name that is free, numbered if it has to be.
fn free(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// The value of a node's field becomes a parameter of the graph.
fn to_parameter(
    graph: &GraphText,
    outline: &Outline<'_>,
    at: &Span<usize>,
    registry: &Registry,
) -> Option<Refactoring> {
    let node = outline.nodes.iter().find(|node| holds(&node.span, at))?;
    let call = node.call()?;
    let spec = spec_of(registry, call.name())?;
    let field = entries(call.group()).into_iter().find(|field| holds(&field.span, at))?;
    let value = field.value?;
    let is_port = spec.inputs.iter().any(|input| input.name == field.name);
    let is_wire = is_port && matches!(value.form(), Form::Text(_));
    let is_value = |shape: &Shape| !matches!(shape, Shape::Map | Shape::File);
    let is_param = spec.params.iter().any(|param| param.name == field.name && is_value(&(param.shape)()));
    if is_wire || !(is_port || is_param) || value.text().contains('$') {
        return None;
    }
    let name = free(field.name, |name| outline.params.iter().any(|param| param.name == name));
    let mut graph = copy(graph)?;
    graph.add_param(&name, node.name, field.name, registry).ok()?;
    Some(Refactoring {
        title: format!("Extract `{}` to the parameter `{name}`", field.name),
        kind: "refactor.extract",
        text: graph.into_text(),
        file: None,
    })
}

/// A parameter's value is written where it is used, and the parameter is removed.
fn from_parameter(
    graph: &GraphText,
    document: &Document,
    outline: &Outline<'_>,
    at: &Span<usize>,
    registry: &Registry,
) -> Option<Refactoring> {
    let (Named::Parameter(name), _) = named(&document.tree, at.start, registry)? else { return None };
    let param = outline.params.iter().find(|param| param.name == name)?;
    let (value, text) = (param.value?.text(), document.text());
    let mut new = text.to_string();
    let mut uses: Vec<Span<usize>> = parameter_uses(&document.tree)
        .into_iter()
        .filter(|(used, _)| *used == name)
        .map(|(_, span)| span)
        .collect();
    uses.sort_by_key(|span| std::cmp::Reverse(span.start));
    // A comment behind the parameter moves to the node that is the first to use it.
    let line = text[param.span.end..].lines().next().unwrap_or_default().trim_start_matches(',').trim();
    let comment = Some(line).filter(|line| line.starts_with("//") || line.starts_with("/*"));
    let first = uses.last().and_then(|at| outline.nodes.iter().find(|node| holds(&node.span, at)));
    for span in uses {
        // Arithmetic and lists keep their parameters.
        let whole = span.start.checked_sub(2)?..span.end + 1;
        if text.get(whole.clone())? != format!("\"${name}\"") {
            return None;
        }
        new.replace_range(whole, value);
    }
    if let Some((comment, node)) = comment.zip(first) {
        let line = text[..node.span.start].rfind('\n').map_or(0, |end| end + 1);
        let indent = &text[line..node.span.start];
        let is_first = indent.trim().is_empty();
        let at = if is_first { line } else { node.span.start };
        let space = if is_first { indent } else { "" };
        new.insert_str(at, &format!("{space}{comment}\n"));
    }
    let mut changed = GraphText::new(&new).ok()?;
    changed.remove_param(&name).ok()?;
    // Profiles lose their values of the parameter, which is no longer the same graph.
    if graph.text().contains("profiles") {
        return None;
    }
    Some(Refactoring {
        title: format!("Inline the parameter `{name}`"),
        kind: "refactor.inline",
        text: changed.into_text(),
        file: None,
    })
}

/// The nodes that are selected become a file of their own.
fn to_subgraph(
    graph: &GraphText,
    outline: &Outline<'_>,
    at: &Span<usize>,
    registry: &Registry,
    place: &Place<'_>,
) -> Option<Refactoring> {
    let is_selected = |node: &&Entry<'_>| node.span.start < at.end && at.start < node.span.end;
    let selected: Vec<&str> = outline.nodes.iter().filter(is_selected).map(|node| node.name).collect();
    // A cursor selects nothing; a part of one node is no node.
    let whole =
        outline.nodes.iter().filter(is_selected).all(|node| at.start <= node.span.end.saturating_sub(1));
    let (first, last) = (selected.first()?, selected.last()?);
    let covers =
        outline.node(first)?.name_span.start >= at.start && outline.node(last)?.name_span.end <= at.end;
    if !whole || !covers {
        return None;
    }
    let plain: String = last.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let stem = free(&plain, |name| place.exists(&format!("{name}.ron")));
    let name = match selected.len() {
        1 => (*last).to_owned(),
        _ => free(&format!("{plain}_part"), |name| outline.node(name).is_some()),
    };
    let file = format!("{stem}.ron");
    let mut changed = copy(graph)?;
    let part = changed.extract_subgraph(&selected, &file, &name, registry).ok()?;
    let nodes = if selected.len() == 1 { "node".to_owned() } else { format!("{} nodes", selected.len()) };
    Some(Refactoring {
        title: format!("Extract the {nodes} to the subgraph {file}"),
        kind: "refactor.extract",
        text: changed.into_text(),
        file: Some((place.join(&file), part.into_text())),
    })
}

/// A subgraph's nodes are written in the graph that uses it.
fn from_subgraph(
    graph: &GraphText,
    outline: &Outline<'_>,
    at: &Span<usize>,
    registry: &Registry,
    place: &Place<'_>,
) -> Option<Refactoring> {
    let node = outline.nodes.iter().find(|node| holds(&node.span, at))?;
    let call = node.call().filter(|call| call.name() == "Subgraph")?;
    let (tree, _) = place.inner(call)?;
    let part = GraphText::of(tree).ok()?;
    let mut changed = copy(graph)?;
    changed.inline_subgraph(node.name, &part, "", registry).ok()?;
    Some(Refactoring {
        title: format!("Inline the subgraph `{}`", node.name),
        kind: "refactor.inline",
        text: changed.into_text(),
        file: None,
    })
}
