//! Adds and removes entries of a graph's sections.

use std::collections::HashSet;

use terrane_syntax::{Edit, Item, insert, remove};

use super::error::RewriteError;
use super::graph_text::{GraphText, blanks};
use crate::language::names::bad_name;

/// Checks that a name is valid and free for a node.
pub fn free_name(graph: &GraphText, name: &str) -> Result<(), RewriteError> {
    node_name(name)?;
    if graph.has("nodes", name)? {
        return Err(RewriteError::Taken { what: "node", name: name.to_owned() });
    }
    Ok(())
}

/// Checks that a name is valid for a node.
pub fn node_name(name: &str) -> Result<(), RewriteError> {
    match bad_name(name) {
        Some(reason) => Err(RewriteError::NodeName { name: name.to_owned(), reason }),
        None => Ok(()),
    }
}

/// A name as the key of an entry. Keys cannot contain escapes, so a name with quotes or backslashes becomes a
/// raw string.
pub fn key(name: &str) -> String {
    if !name.contains(['"', '\\']) {
        return format!("\"{name}\"");
    }
    // Use more marks than follow any quote in the name.
    let mut marks = "#".to_owned();
    while name.contains(&format!("\"{marks}")) {
        marks.push('#');
    }
    format!("r{marks}\"{name}\"{marks}")
}

/// A free name: `name` itself, or `name` with a number appended if it is taken. Adds the free name to
/// `taken`.
pub fn freed(name: &str, taken: &mut HashSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

/// The edits that add an entry to a section. A missing section is created: `params` before the nodes, other
/// sections at the end. It has a line for each entry if the nodes have.
pub fn added(graph: &GraphText, section: &str, entry: &str) -> Result<Vec<Edit>, RewriteError> {
    if let Some(group) = graph.group(section)? {
        return Ok(insert(group, entry));
    }
    let (whole, _) = graph.section(section)?;
    let in_lines =
        graph.group("nodes")?.is_some_and(|nodes| blanks(graph.text(), nodes.span().end - 1).is_some());
    let first = whole.items().next().filter(|_| in_lines);
    let indent = first.and_then(|item| blanks(graph.text(), item.span().start));
    let made = match indent {
        Some(indent) => {
            let end = graph.line_end();
            format!("{section}: {{{end}{indent}    {entry},{end}{indent}}}")
        }
        None => format!("{section}: {{ {entry} }}"),
    };
    match whole.get("nodes").filter(|_| section == "params") {
        Some(nodes) => Ok(vec![before(graph, nodes, &made)]),
        None => Ok(insert(whole, &made)),
    }
}

/// The edit that adds a field to a graph's header, before its sections.
pub fn header_added(graph: &GraphText, field: &str) -> Result<Vec<Edit>, RewriteError> {
    let (whole, _) = graph.section("nodes")?;
    let is_section = |item: &Item<'_>| item.name().is_some_and(|name| SECTIONS.contains(&name));
    match whole.items().find(is_section) {
        Some(section) => Ok(vec![before(graph, section, field)]),
        None => Ok(insert(whole, field)),
    }
}

/// The maps of a graph.
const SECTIONS: [&str; 4] = ["params", "profiles", "nodes", "outputs"];

/// The edit that adds a field before another one, on a line of its own if the other one is at the start of a
/// line.
fn before(graph: &GraphText, other: Item<'_>, made: &str) -> Edit {
    let (text, at) = (graph.text(), other.span().start);
    let before = text[..at].trim_end_matches([' ', '\t']);
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
    let gap = line_break.map_or_else(|| " ".to_owned(), |line| format!("{line}{}", &text[before.len()..at]));
    Edit { span: at..at, text: format!("{made},{gap}") }
}

/// The separator between two entries of a section. Its line break and blanks are those before the last entry.
pub fn between(graph: &GraphText, section: &str) -> Result<String, RewriteError> {
    let last = graph.group(section)?.and_then(|group| group.items().last());
    let indent = last.and_then(|item| blanks(graph.text(), item.span().start));
    Ok(indent.map_or_else(|| ", ".to_owned(), |indent| format!(",{}{indent}", graph.line_end())))
}

/// The edit that removes an entry of a section; `None` if there is no such entry.
pub fn removed(graph: &GraphText, section: &str, name: &str) -> Result<Option<Edit>, RewriteError> {
    Ok(graph.group(section)?.and_then(|group| Some(remove(group, group.get(name)?))))
}
