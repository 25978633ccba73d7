//! `check`: the mistakes and warnings of a graph, with fixes as edits.

use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_flow::{LoadOptions, load_file};

use super::tool::{Tool, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::refusal::{self, Refusal};
use crate::setup::Shared;
use crate::stop::Stop;
use crate::{graph, mistakes, outline};

pub const TOOL: Tool = Tool {
    name: "check",
    description: "All mistakes of a graph or world file, each with its place and, where there is one \
        right edit, its fix; then warnings. Nothing is evaluated. The answer has the digest of the text, \
        the nodes and fields that are written in it, and the outputs.",
    schema: || {
        let path = json!({ "type": "string", "description": "The file, relative to the server's folder." });
        schema(json!({ "path": path }), &["path"])
    },
    reads_only: true,
    work: check,
};

fn check(shared: &Shared, arguments: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let path = shared.folder.existing(arguments.text("path")?)?;
    let facts = facts(shared, &path)?;
    let (count, listed) = (&facts["mistake_count"], facts["mistakes"].as_array().map_or(0, Vec::len));
    let count = usize::try_from(count.as_u64().unwrap_or_default()).unwrap_or(listed);
    let first = if count > listed { format!(", of which {listed} are listed") } else { String::new() };
    let path = shared.folder.relative(&path);
    let mut text = format!("{path}: {}{first}\n", mistakes::counted(count));
    for mistake in facts["mistakes"].as_array().into_iter().flatten() {
        text += &refusal::line(mistake);
    }
    Ok(Answer::new(text, facts))
}

/// What a check of a file finds: whether it is valid, its mistakes, warnings, notes and outputs.
pub fn facts(shared: &Shared, path: &Path) -> Result<Json, Refusal> {
    let (text, digest) = graph::text(shared, path)?;
    let options = LoadOptions::default();
    let registry = &shared.setup.registry;
    let checked = terrane_runs::check(path, registry, &options);
    let is_valid = checked.mistakes.0.is_empty();
    let outputs = is_valid.then(|| load_file(path, registry, &options).ok()).flatten().map(|loaded| {
        let one = |entry: &terrane_flow::OutputEntry| {
            let (node, output) = loaded.graph.find(&entry.from).unwrap_or_default();
            let kind = loaded.graph.nodes[node].node().spec().outputs[output].kind.name;
            json!({ "file": entry.file, "from": entry.from.to_string(), "kind": kind })
        };
        loaded.graph.outputs.iter().map(one).collect::<Vec<_>>()
    });
    let notes: Vec<String> = checked.notes.iter().map(|note| shared.folder.shown(note)).collect();
    Ok(json!({
        "path": shared.folder.relative(path), "digest": digest, "valid": is_valid,
        "mistake_count": checked.mistakes.0.len(),
        "mistakes": mistakes::listed(&checked.mistakes, &shared.folder),
        "warnings": mistakes::warnings(&checked.warnings, &shared.folder), "notes": notes, "outputs": outputs,
        "nodes": outline::nodes(&text),
    }))
}
