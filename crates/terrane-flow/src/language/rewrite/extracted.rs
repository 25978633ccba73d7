//! The layout of a graph and of the file that is extracted from it.

use std::collections::HashSet;
use std::ops::Range;

use terrane_syntax::{Edit, Item, apply, block, format_value, literal, remove_block};

use super::entries::key;
use super::error::RewriteError;
use super::graph_text::{GraphText, blanks};
use super::placeholders::Placeholders;
use super::wires::{Wiring, names};

/// The comment before placeholder nodes.
const PROVIDED: &str = "// Provided by the graph that uses this one.";

/// The layout of a graph and of the file that is extracted from it.
pub struct ExtractLayout<'t> {
    graph: &'t GraphText,
    line_end: &'static str,
    /// Blanks before the fields of the graph.
    field: &'t str,
    /// Blanks before the nodes of the graph.
    node: &'t str,
}

impl<'t> ExtractLayout<'t> {
    /// Takes the layout from the graph and the first of the moved nodes.
    pub fn new(graph: &'t GraphText, moved: &[Item<'t>]) -> Result<Self, RewriteError> {
        let text = graph.text();
        let (_, nodes) = graph.section("nodes")?;
        let field = nodes.and_then(|nodes| blanks(text, nodes.item.span().start)).unwrap_or("    ");
        let node = moved.first().and_then(|item| blanks(text, block(*item).start)).unwrap_or("        ");
        Ok(Self { graph, line_end: graph.line_end(), field, node })
    }

    /// The text of a moved node, with its edits and a comma. A blank line before the node is kept.
    pub fn block(&self, item: Item<'_>, mut edits: Vec<Edit>) -> String {
        let text = self.graph.text();
        let span = block(item);
        if item.comma().is_none() {
            edits.push(Edit { span: item.span().end..item.span().end, text: ",".to_owned() });
        }
        let here = |range: &Range<usize>| range.start - span.start..range.end - span.start;
        edits.iter_mut().for_each(|edit| edit.span = here(&edit.span));
        let before = text[..span.start].trim_end_matches([' ', '\t', '\r', '\n']).len();
        let is_apart = text[before..span.start].matches('\n').count() > 1;
        let line = if is_apart { self.line_end } else { "" };
        format!("{line}{}{}{}", self.node, apply(&text[span], &edits), self.line_end)
    }

    /// The text of the file with the moved nodes.
    pub fn part(
        &self,
        wiring: &Wiring<'_>,
        placeholders: &Placeholders<'_>,
        blocks: &[String],
        given: &HashSet<String>,
    ) -> Result<String, RewriteError> {
        let end = self.line_end;
        let mut nodes = String::new();
        if !placeholders.all().is_empty() {
            nodes += &format!("{}{PROVIDED}{end}", self.node);
        }
        for placeholder in placeholders.all().values() {
            nodes += &format!("{}{}: {},{end}", self.node, key(&placeholder.name), placeholder.call);
        }
        let all = blocks.concat();
        let all = all.strip_prefix(end).unwrap_or(&all);
        nodes += if placeholders.all().is_empty() { "" } else { end };
        nodes += all;
        let (_, section) = self.graph.section("nodes")?;
        let (whole, _) = self.graph.section("params")?;
        let mut header = String::new();
        for item in whole
            .items()
            .filter(|item| !matches!(item.name(), Some("params" | "profiles" | "nodes" | "outputs") | None))
        {
            header += &format!("{}{},{end}", self.field, item.text());
        }
        let mut needed = names(&header, &wiring.scope);
        needed.extend(names(&nodes, &wiring.scope));
        needed.extend(given.iter().cloned());
        // A value can use earlier parameters, which are then needed too.
        for param in wiring.params.iter().rev().filter(|_| section.is_some()) {
            if needed.contains(param.name) {
                needed.extend(names(param.value.text(), &wiring.scope));
            }
        }
        let params: Vec<&str> = wiring
            .params
            .iter()
            .filter(|param| needed.contains(param.name))
            .map(|param| param.item.text())
            .collect();
        if !params.is_empty() {
            let indent = self.field.chars().count();
            let params = self.laid_out(&format!("{{ {} }}", params.join(", ")), indent, 8);
            header += &format!("{}params: {params},{end}", self.field);
        }
        let field = self.field;
        Ok(format!("Graph({end}{header}{field}nodes: {{{end}{nodes}{field}}},{end}){end}"))
    }

    fn laid_out(&self, value: &str, indent: usize, before: usize) -> String {
        format_value(value, indent, indent + before, self.line_end)
    }

    /// The node that replaces the moved nodes.
    pub fn call(
        &self,
        wiring: &Wiring<'_>,
        placeholders: &Placeholders<'_>,
        given: &HashSet<String>,
        file: &str,
        name: &str,
    ) -> String {
        let mut call = format!("Subgraph(file: {}", literal::quoted(file));
        let inputs: Vec<String> = placeholders
            .all()
            .iter()
            .map(|(given, placeholder)| format!("{}: {given}", key(&placeholder.name)))
            .collect();
        if !inputs.is_empty() {
            call += &format!(", inputs: {{ {} }}", inputs.join(", "));
        }
        let params: Vec<String> = wiring
            .params
            .iter()
            .filter(|param| given.contains(param.name))
            .map(|param| format!("\"{}\": \"${}\"", param.name, param.name))
            .collect();
        if !params.is_empty() {
            call += &format!(", params: {{ {} }}", params.join(", "));
        }
        let name = key(name);
        let before = name.chars().count() + 2;
        format!("{name}: {}", self.laid_out(&format!("{call})"), self.node.chars().count(), before))
    }

    /// The edits that remove the moved nodes and put `entry` in the position of the first of them.
    pub fn replaced(&self, moved: &[Item<'_>], entry: &str) -> Result<Vec<Edit>, RewriteError> {
        let (Some(group), Some((first, others))) = (self.graph.group("nodes")?, moved.split_first()) else {
            return Err(RewriteError::NoNodes);
        };
        let (span, whole) = (first.span(), block(*first));
        let comma = first.comma().unwrap_or(span.end..span.end);
        let gone = |span: Range<usize>| Edit { span, text: String::new() };
        let mut edits = vec![
            Edit { span: whole.start..span.end, text: entry.to_owned() },
            gone(span.end..comma.start),
            gone(comma.end..whole.end),
        ];
        let text = self.graph.text();
        for (before, item) in moved.iter().zip(others) {
            let mut edit = remove_block(group, *item);
            let is_next = text[block(*before).end..block(*item).start].trim().is_empty();
            if is_next && text[edit.span.start..].starts_with(['\r', '\n']) {
                // The blank lines between two moved nodes are removed too.
                edit.span.start = text[..edit.span.start].trim_end().len();
            }
            edits.push(edit);
        }
        Ok(edits)
    }
}
