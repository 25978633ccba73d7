//! Graphs in pictures (DOT, Mermaid, SVG), and live in the browser.
//!
//! A [`View`] reads a graph file, evaluates it after every change ([`terrane_flow::live`]), and serves one page to those who
//! know its address. Nothing here knows of nodes or of their values: the program says with [`Faces`] what can be shown of them.

#![forbid(unsafe_code)]

mod board;
mod describe;
mod desk;
mod face;
mod parameters;
mod places;
mod preview;
mod server;
mod shrink;
mod store;
mod style;
mod svg;
#[cfg(test)]
mod testing;
mod thumbnail;
mod trial;
mod view;
mod wishes;
mod write;

use std::fmt::Write as _;

use terrane_flow::{Graph, Plan};

#[doc(hidden)]
pub use desk::Desk;
pub use face::{Face, Faces};
pub use svg::svg;
pub use view::{Told, View, ViewError, ViewOptions};

/// The wires of a graph: from node and output, to node and input, by position.
fn wires(plan: &Plan) -> impl Iterator<Item = (usize, usize, usize, usize)> + '_ {
    let of = |(reader, wires): (usize, &'_ Vec<terrane_flow::Wire>)| {
        wires.iter().map(move |wire| (wire.node, wire.output, reader, wire.input)).collect::<Vec<_>>()
    };
    plan.wires.iter().enumerate().flat_map(of)
}

fn label(graph: &Graph, node: usize) -> (&str, &'static str) {
    graph.nodes.get_index(node).map_or(("", ""), |(name, node)| (name.as_str(), node.node().spec().name))
}

fn input_name(graph: &Graph, node: usize, input: usize) -> &'static str {
    graph.nodes[node].node().spec().inputs[input].name
}

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
