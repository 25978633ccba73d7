//! Graphs as DOT and Mermaid text.

use std::fmt::Write as _;

use terrane_flow::{Graph, Plan};

use crate::wires::{input_name, label, wires};

/// The graph for Graphviz.
#[must_use]
pub fn dot(graph: &Graph, plan: &Plan) -> String {
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut out = String::from("digraph terrane {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
    for node in 0..graph.nodes.len() {
        let (name, kind) = label(graph, node);
        let _infallible = writeln!(out, "  n{node} [label=\"{}\\n{kind}\"];", quote(name));
    }
    for (from, _, to, input) in wires(plan) {
        let _infallible = writeln!(out, "  n{from} -> n{to} [label=\"{}\"];", input_name(graph, to, input));
    }
    for (index, output) in graph.outputs.iter().enumerate() {
        if let Ok((node, _)) = graph.find(&output.from) {
            let _infallible = writeln!(
                out,
                "  o{index} [label=\"{}\", shape=note];\n  n{node} -> o{index};",
                quote(&output.file)
            );
        }
    }
    out + "}\n"
}

/// The graph for Mermaid.
#[must_use]
pub fn mermaid(graph: &Graph, plan: &Plan) -> String {
    let quote = |text: &str| text.replace('"', "#quot;").replace('<', "#lt;");
    let mut out = String::from("flowchart LR\n");
    for node in 0..graph.nodes.len() {
        let (name, kind) = label(graph, node);
        let _infallible = writeln!(out, "  n{node}[\"{}<br/><i>{kind}</i>\"]", quote(name));
    }
    for (from, _, to, input) in wires(plan) {
        let _infallible = writeln!(out, "  n{from} -->|{}| n{to}", input_name(graph, to, input));
    }
    for (index, output) in graph.outputs.iter().enumerate() {
        if let Ok((node, _)) = graph.find(&output.from) {
            let _infallible = writeln!(out, "  n{node} --> o{index}([\"{}\"])", quote(&output.file));
        }
    }
    out
}
