//! `explain`: what is cached, what would run, and why.

use serde_json::json;
use terrane_runs::explain::{Causes, parts};

use super::evaluate;
use super::tool::{Tool, evaluated, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::graph;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

pub const TOOL: Tool = Tool {
    name: "explain",
    description: "For each node that the outputs need: whether its result is cached in this session or \
        it would run, and what changed since the last evaluation. Evaluates nothing.",
    schema: || {
        let ports = json!({
            "type": "array", "items": { "type": "string" }, "description": "Ports: NODE or NODE.OUTPUT.",
        });
        schema(evaluated(json!({ "ports": ports })), &["path"])
    },
    reads_only: true,
    work: explain,
};

fn explain(shared: &Shared, arguments: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let opened = graph::open(shared, arguments)?;
    let ports = graph::ports(&opened, &arguments.texts("ports")?)?;
    let (loaded, targets) = (&opened.loaded, evaluate::positions(&opened, &ports));
    let (now, last) = (parts(&shared.engine, loaded, &targets), shared.remembered(&opened.path));
    let causes = Causes::new(loaded, last.as_ref(), &now);
    let (mut nodes, mut text) = (Vec::new(), String::new());
    for resolved in shared.engine.resolve(loaded, &targets) {
        let Some((name, node)) = loaded.graph.nodes.get_index(resolved.node) else { continue };
        let (kind, known) = (node.node().spec().name, resolved.known);
        let changes = if known && !resolved.runs { Vec::new() } else { causes.of(resolved.node) };
        let not_kept = resolved.not_kept.map(|why| why.to_string());
        let why = if changes.is_empty() { String::new() } else { format!(" because {}", changes.join("; ")) };
        let state = if resolved.runs { "runs" } else { "cached" };
        text += &format!("{state} {name} ({kind}){why}\n");
        nodes.push(json!({
            "node": name, "type": kind, "cached": known, "runs": resolved.runs, "changes": changes,
            "not_kept": not_kept, "key": resolved.key.map(|key| key.0.hex()),
        }));
    }
    Ok(Answer::new(text, json!({ "path": shared.folder.relative(&opened.path), "nodes": nodes })))
}
