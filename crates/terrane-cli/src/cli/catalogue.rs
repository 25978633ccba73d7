//! `terrane nodes`.

use std::fmt::Write as _;

use clap::Args;
use terrane_flow::find::{self, Finder};
use terrane_flow::{NodeSpec, NodeType, Registry, page, schema, suggest};
use terrane_runs::Failure;

use super::console;

#[derive(Debug, Args)]
pub struct Nodes {
    /// A node type, a category, or words to search for: "mask of steep slopes". Default: list all types.
    pub words: Vec<String>,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print the JSON schema of the graph language.
    #[arg(long, conflicts_with_all = ["words", "json"])]
    pub schema: bool,
}

pub fn nodes(args: &Nodes) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    if args.schema {
        console::print(&format!("{:#}\n", schema::json_schema(&registry)));
        return Ok(());
    }
    let asked = args.words.join(" ");
    let is_category = |spec: &&NodeSpec| spec.category == asked;
    if args.words.is_empty() {
        console::print(&if args.json {
            format!("{:#}\n", schema::catalogue(&registry))
        } else {
            list(types(&registry))
        });
    } else if let Some(spec) = types(&registry).into_iter().find(|spec| spec.name == asked) {
        console::print(&if args.json { format!("{:#}\n", schema::node(spec)) } else { page::text(spec) });
    } else if !args.json && types(&registry).iter().any(is_category) {
        console::print(&list(types(&registry).into_iter().filter(|spec| is_category(spec))));
    } else {
        return search(&registry, &asked, args.json);
    }
    Ok(())
}

/// Prints the types that words find, the best first.
fn search(registry: &Registry, asked: &str, json: bool) -> Result<(), Failure> {
    let found = Finder::new(types(registry)).find(asked);
    if found.types.is_empty() {
        let known: Vec<&str> = types(registry).iter().map(|spec| spec.name).collect();
        let message = format!("nothing was found: no node type has the words {}", suggest::shorten(asked));
        return Err(Failure::usage(message, found.help(&known)));
    }
    if json {
        console::print(&format!("{:#}\n", found.to_json()));
        return Ok(());
    }
    for (word, near) in &found.unknown {
        let near = near.as_ref().map_or_else(String::new, |near| format!("; searched for `{near}`"));
        console::line(&format!("no node type has the word `{word}`{near}"));
    }
    let lines = found.types.iter().map(|found| line(found.spec));
    console::print(&(lines.collect::<String>() + MORE));
    Ok(())
}

/// All types: nodes, then the other types of graph files.
fn types(registry: &Registry) -> Vec<&'static NodeSpec> {
    registry.nodes().map(NodeType::spec).chain(terrane::file_types()).collect()
}

const MORE: &str = "\n`terrane nodes TYPE` shows the page of a type.\n";

/// Types, grouped by category.
fn list(types: impl IntoIterator<Item = &'static NodeSpec>) -> String {
    let mut text = String::new();
    let mut category = "";
    for spec in types {
        if spec.category != category {
            category = spec.category;
            let _infallible = writeln!(text, "{}{category}", if text.is_empty() { "" } else { "\n" });
        }
        text += &line(spec);
    }
    text + MORE
}

fn line(spec: &NodeSpec) -> String {
    format!("  {:<22} {}\n", spec.name, find::summary(spec))
}
