//! Adds and removes entries of a graph's sections.

use std::collections::HashSet;

use terrane_syntax::{Bracket, Edit, insert, remove};

use super::error::RewriteError;
use super::text::Text;
use crate::language::document;
use crate::language::names::bad_name;

/// Checks that a name is valid and free for a node.
pub fn free_name(graph: &Text, name: &str) -> Result<(), RewriteError> {
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

/// Adds an entry to a section. A missing section is created: `params` before the nodes, other sections at the
/// end.
pub fn add_entry(graph: &Text, section: &str, entry: &str) -> Result<Text, RewriteError> {
    let (whole, field) = graph.section(section)?;
    if let Some(field) = field {
        let Some(group) = field.value.group(Bracket::Curly) else {
            return document::map(graph.source(), field.value)
                .map(|_| graph.changed(&[]))
                .map_err(RewriteError::Text);
        };
        return Ok(graph.changed(&insert(group, entry)));
    }
    let made = format!("{section}: {{ {entry} }}");
    let nodes = whole.get("nodes").filter(|_| section == "params");
    let Some(nodes) = nodes else { return Ok(graph.changed(&insert(whole, &made))) };
    let (text, at) = (&graph.source().text, nodes.span().start);
    let before = text[..at].trim_end_matches([' ', '\t']);
    let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
    let gap = line_break.map_or_else(|| " ".to_owned(), |line| format!("{line}{}", &text[before.len()..at]));
    Ok(graph.changed(&[Edit { span: at..at, text: format!("{made},{gap}") }]))
}

/// Removes an entry of a section.
pub fn remove_entry(graph: &Text, section: &str, name: &str) -> Result<Text, RewriteError> {
    let missing = || RewriteError::NoOutput { name: name.to_owned() };
    let (_, field) = graph.section(section)?;
    let group = field.and_then(|field| field.value.group(Bracket::Curly)).ok_or_else(missing)?;
    let item = group.get(name).ok_or_else(missing)?;
    Ok(graph.changed(&[remove(group, item)]))
}
