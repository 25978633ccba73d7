//! Graphs and errors as JSON for the page.

use std::path::Path;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use terrane_flow::{Diagnostic, GraphNode, Loaded, SourceText};

use crate::connected::connected;
use crate::display::Faces;
use crate::editable::EditableValues;
use crate::layout::Layout;
use crate::parameters;
use crate::reach::Reach;

/// Number of source lines shown above and below an error.
const AROUND: usize = 3;
/// Maximum number of characters shown of a line.
const LONGEST: usize = 400;

/// A graph without its progress and results: nodes with their parameters, wires, outputs, and descriptions of
/// the node types.
#[must_use]
pub fn describe_graph(
    loaded: &Loaded,
    editable: &EditableValues,
    revision: u64,
    faces: &Faces,
    layout: &Layout,
) -> Json {
    let graph = &loaded.graph;
    let file = graph.files.first();
    let connected = connected(loaded);
    let header = editable.header_spec().map(|spec| parameters::header(spec, editable)).unwrap_or_default();
    let mut types: IndexMap<&str, Json> = IndexMap::new();
    let nodes: Vec<Json> = graph
        .nodes
        .iter()
        .enumerate()
        .map(|(index, (name, node))| {
            let spec = node.node().spec();
            types.entry(spec.name).or_insert_with(|| {
                let mut described = parameters::describe(spec, faces.is_height);
                described["scene"] = json!((faces.is_scene)(node.node()));
                described
            });
            let (params, inputs) = parameters::values(name, node, editable);
            let open = graph.unconnected(index).into_iter().map(|port| spec.inputs[port].name);
            json!({
                "name": name, "type": spec.name, "line": line(node), "params": params, "inputs": inputs,
                "open": open.collect::<Vec<_>>(), "waits": !connected[index], "lacks": node.lacks,
                "file": node.location.as_ref().and_then(|at| editable.name_of_text(at.scope.file.as_ref()?)),
            })
        })
        .collect();
    let wires: Vec<[usize; 4]> = loaded
        .plan
        .wires
        .iter()
        .enumerate()
        .flat_map(|(reader, wires)| wires.iter().map(move |w| [w.node, w.output, reader, w.input]))
        .collect();
    let outputs: Vec<Json> = graph
        .outputs
        .iter()
        .filter_map(|entry| {
            let (node, output) = graph.find(&entry.from).ok()?;
            let own = entry.options.is_empty();
            Some(json!({ "file": entry.file, "node": node, "output": output, "plain": own }))
        })
        .collect();
    let title = file.and_then(|file| file.file_name()).map(|name| name.to_string_lossy());
    json!({
        "type": "graph", "revision": revision, "title": title, "seed": graph.seed,
        "params": parameters::graph_params(loaded, editable), "nodes": nodes, "wires": wires,
        "layout": { "columns": layout.columns, "routes": layout.routes }, "header": header,
        "outputs": outputs, "fixed": editable.own_file().err(),
        "types": types,
    })
}

fn line(node: &GraphNode) -> Option<String> {
    let location = node.location.as_ref()?;
    let (line, _) = location.source.line_column(location.name.start);
    Some(format!("{}:{line}", location.source.name))
}

/// An error with the lines around it, and the name of its text for pages.
#[must_use]
pub fn describe_mistake(diagnostic: &Diagnostic, reach: Option<&Reach>) -> Json {
    let mut out = diagnostic.to_json();
    if let Some((source, span)) = &diagnostic.place {
        let (line, column) = source.line_column(span.start);
        let (last, end) = source.line_column(span.end);
        out["excerpt"] = excerpt(source, line);
        let length = if last == line { end.saturating_sub(column).max(1) } else { 1 };
        out["length"] = json!(length);
        let path = Path::new(&*source.name).canonicalize().ok();
        out["of"] = reach.zip(path).and_then(|(reach, path)| reach.name_of_text(&path)).into();
    }
    out
}

fn excerpt(source: &Arc<SourceText>, line: usize) -> Json {
    let first = line.saturating_sub(AROUND + 1);
    let lines = source.text.lines().enumerate().skip(first).take(2 * AROUND + 1);
    lines.map(|(index, text)| json!([index + 1, text.chars().take(LONGEST).collect::<String>()])).collect()
}
