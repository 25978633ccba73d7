//! `terrane nodes`.

use std::fmt::Write as _;

use clap::Args;
use terrane_flow::{NodeSpec, NodeType, Registry, schema, suggest};
use terrane_runs::Failure;

use super::console;

#[derive(Debug, Args)]
pub struct Nodes {
    /// A node type, or part of the name of a type or category. Default: list all types.
    pub node: Option<String>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the JSON schema of the graph language.
    #[arg(long, conflicts_with_all = ["node", "json"])]
    pub schema: bool,
}

pub fn nodes(args: &Nodes) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    if args.schema {
        console::print(&format!("{:#}\n", schema::json_schema(&registry)));
        return Ok(());
    }
    let Some(name) = &args.node else {
        console::print(&if args.json {
            format!("{:#}\n", schema::catalogue(&registry))
        } else {
            list(&registry, |_| true)
        });
        return Ok(());
    };
    let Some(spec) = types(&registry).into_iter().find(|spec| spec.name == name) else {
        let found = list(&registry, |spec| contains(spec.name, name) || contains(spec.category, name));
        if !found.is_empty() && !args.json {
            console::print(&found);
            return Ok(());
        }
        let known: Vec<&str> = types(&registry).iter().map(|spec| spec.name).collect();
        return Err(Failure::usage(
            format!("there is no node type `{name}`"),
            suggest::help(name, &known, "the types are"),
        ));
    };
    console::print(&if args.json { format!("{:#}\n", schema::node(spec)) } else { page(spec) });
    Ok(())
}

/// All types: nodes, then the other types of graph files.
fn types(registry: &Registry) -> Vec<&'static NodeSpec> {
    registry.nodes().map(NodeType::spec).chain(terrane::file_types()).collect()
}

/// Whether a name contains a part, ignoring case.
fn contains(name: &str, part: &str) -> bool {
    name.to_lowercase().contains(&part.to_lowercase())
}

/// The types that match, grouped by category; empty if there are none.
fn list(registry: &Registry, wanted: impl Fn(&NodeSpec) -> bool) -> String {
    let mut text = String::new();
    let mut category = "";
    for spec in types(registry).into_iter().filter(|spec| wanted(spec)) {
        if spec.category != category {
            category = spec.category;
            let _infallible = writeln!(text, "{}{category}", if text.is_empty() { "" } else { "\n" });
        }
        let summary = spec.summary().replace('\n', " ");
        let _infallible = writeln!(text, "  {:<22} {summary}", spec.name);
    }
    if text.is_empty() { text } else { text + "\n`terrane nodes TYPE` shows the page of a type.\n" }
}

fn page(spec: &NodeSpec) -> String {
    let is_node = !spec.outputs.is_empty();
    let tiles = if is_node { format!("; under tiles {}", spec.under_tiles()) } else { String::new() };
    let holes = spec.under_holes().map_or_else(String::new, |holes| format!("; holes are {holes}"));
    let mut text = format!("{} ({}{tiles}{holes})\n\n{}\n", spec.name, spec.category, spec.docs);
    if !spec.paper.is_empty() {
        let _infallible = writeln!(text, "\nSource: {}", spec.paper);
    }
    if is_node {
        text.push_str("\nPorts\n");
    }
    for input in spec.inputs {
        let need = input.need();
        entry(&mut text, input.name, &format!("{}, {need}", input.kinds()), input.unit, input.docs);
    }
    text.push_str(if is_node { "\nParameters\n" } else { "\nFields\n" });
    for param in spec.params {
        let default =
            param.default.map_or_else(|| "required".to_owned(), |default| format!("default {}", default()));
        let range = if param.range.is_open() { String::new() } else { format!(", {}", param.range) };
        entry(
            &mut text,
            param.name,
            &format!("{}{range}; {default}", (param.shape)()),
            param.unit,
            param.docs,
        );
    }
    if is_node {
        text.push_str("\nOutputs\n");
    }
    for output in spec.outputs {
        entry(&mut text, output.name, output.kind.name, output.unit, output.docs);
    }
    text
}

fn entry(text: &mut String, name: &str, what: &str, unit: &str, docs: &str) {
    let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
    let _infallible = writeln!(text, "  {name}{unit}: {what}\n      {}", docs.replace('\n', " "));
}
