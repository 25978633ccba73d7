//! Rewrites the file paths in a text that moves to another folder.

use std::path::{Component, Path};

use terrane_syntax::{Bracket, Edit, Form, Item, Value, literal};

use super::error::RewriteError;
use super::wires::Wiring;
use crate::language::document::{Call, Entry};
use crate::language::file_names::bad_on_windows;
use crate::language::names::is_file;
use crate::model::param::Shape;

/// Checks that a path is valid for a subgraph's file: it must lie below the folder of the outer graph.
pub fn check_file(name: &str) -> Result<(), RewriteError> {
    let path = Path::new(name);
    let reason = if name.is_empty() || name.ends_with('/') {
        "it names no file"
    } else if name.contains('\\') || name.chars().any(char::is_control) {
        "it has a backslash or control characters"
    } else if name.starts_with('$') {
        "`$` begins the name of a parameter"
    } else if path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir)) {
        "it is outside the graph's folder"
    } else if parts(name).into_iter().any(|part| bad_on_windows(part).is_some()) {
        "Windows does not allow it"
    } else {
        return Ok(());
    };
    Err(RewriteError::FileName { name: name.to_owned(), reason })
}

/// The components of a path, without `.`, and with `..` resolved where possible.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match parts.last() {
            Some(last) if part == ".." && *last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

/// Whether two paths are the same.
pub fn is_same(a: &str, b: &str) -> bool {
    parts(a) == parts(b)
}

/// The folder of a file, as path components.
fn folder(file: &str) -> Vec<&str> {
    let mut parts = parts(file);
    parts.pop();
    parts
}

/// Converts a path that is relative to the graph's folder to a path that is relative to the folder of `file`.
/// `file` lies below the graph's folder.
pub fn inward(file: &str, path: &str) -> String {
    if Path::new(path).is_absolute() || folder(file).is_empty() {
        return path.to_owned();
    }
    let (folder, parts) = (folder(file), parts(path));
    let below_both = parts.len().saturating_sub(1);
    let common = folder.iter().zip(&parts[..below_both]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", folder.len() - common);
    up.chain(parts[common..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Converts a path that is relative to the folder of `file` to a path that is relative to the folder of the
/// graph that uses `file`.
pub fn outward(file: &str, path: &str) -> String {
    if Path::new(path).is_absolute() || !file.contains('/') {
        return path.to_owned();
    }
    let joined = format!("{}/{path}", file.rsplit_once('/').map_or("", |(folder, _)| folder));
    let root = if file.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts(&joined).join("/"))
}

/// The fields of a node that name files, with the values of the paths.
pub fn files<'t>(wiring: &Wiring<'t>, call: &Call<'t>) -> Vec<(&'t str, Value<'t>)> {
    let shape_of = |field: &Entry<'_>| match wiring.node(call) {
        None => (is_file(call.name) && field.name == "file").then_some(Shape::File),
        Some(node) => {
            node.spec().params.iter().find(|param| param.name == field.name).map(|param| (param.shape)())
        }
    };
    let mut files = Vec::new();
    for field in &call.fields {
        let mut found = Vec::new();
        if let Some(shape) = shape_of(field) {
            texts(field.value, &shape, &mut found);
        }
        files.extend(found.into_iter().map(|value| (field.name, value)));
    }
    files
}

/// Collects the parts of a value that are paths. Its shape determines which parts these are.
fn texts<'t>(value: Value<'t>, shape: &Shape, found: &mut Vec<Value<'t>>) {
    match (shape, value.form()) {
        (Shape::File, Form::Text(_)) => found.push(value),
        (Shape::List(inner), Form::Group(group)) if group.bracket() == Some(Bracket::Square) => {
            group.items().filter_map(Item::value).for_each(|item| texts(item, inner, found));
        }
        (Shape::Optional(inner), Form::Call(call)) if call.name() == "Some" => {
            call.group().items().filter_map(Item::value).for_each(|item| texts(item, inner, found));
        }
        (Shape::Optional(inner), _) => texts(value, inner, found),
        (Shape::Tuple(shapes), Form::Group(group)) => {
            let items = group.items().filter_map(Item::value);
            items.zip(shapes).for_each(|(item, shape)| texts(item, shape, found));
        }
        _ => {}
    }
}

/// The edits that convert the paths of a node.
pub fn rebased(
    wiring: &Wiring<'_>,
    entry: &Entry<'_>,
    call: &Call<'_>,
    to: &dyn Fn(&str) -> String,
) -> Result<Vec<Edit>, RewriteError> {
    let mut edits = Vec::new();
    if to("x") == "x" {
        return Ok(edits);
    }
    for (field, value) in files(wiring, call) {
        let Form::Text(written) = value.form() else { continue };
        let path = literal::text(written).filter(|_| !written.contains('$'));
        let Some(path) = path else {
            return Err(RewriteError::Inexact {
                node: entry.name.to_owned(),
                reason: format!("its `{field}` uses a parameter, and paths depend on the folder"),
            });
        };
        let moved = to(&path);
        if moved != path {
            edits.push(Edit { span: value.span(), text: literal::quoted(&moved) });
        }
    }
    Ok(edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_converted_between_the_folders() {
        for (file, outer, inner) in [
            ("sub.ron", "x.csv", "x.csv"),
            ("a/sub.ron", "x.csv", "../x.csv"),
            ("a/sub.ron", "a/x.csv", "x.csv"),
            ("a/b/sub.ron", "a/x.csv", "../x.csv"),
            ("a/b/sub.ron", "../x.csv", "../../../x.csv"),
            ("a/sub.ron", "a", "../a"),
            ("a/sub.ron", "/x.csv", "/x.csv"),
        ] {
            assert_eq!(inward(file, outer), inner, "{outer} in {file}");
            assert_eq!(outward(file, inner), outer, "{inner} in {file}");
        }
        assert_eq!(outward("../lib/sub.ron", "x.csv"), "../lib/x.csv");
        assert_eq!(outward("/lib/sub.ron", "../x.csv"), "/x.csv");
        assert_eq!(outward("./sub.ron", "x.csv"), "x.csv");
        assert!(is_same("./a//x", "a/b/../x") && !is_same("../x", "x"));
    }

    #[test]
    fn files_lie_below_the_graph() {
        for name in ["sub.ron", "a/b.ron", "./x y"] {
            assert_eq!(check_file(name), Ok(()));
        }
        for name in ["", "a/", "../a.ron", "/a.ron", "a\\b", "a\nb", "$file"] {
            assert!(matches!(check_file(name), Err(RewriteError::FileName { .. })), "{name:?}");
        }
    }
}
