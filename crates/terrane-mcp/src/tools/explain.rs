//! `explain`: what is cached, what would run, and why.

use serde_json::json;
use terrane_flow::KeyPart;

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
    let (now, last) = (graph::parts(shared, loaded, &targets), shared.remembered(&opened.path));
    let (mut nodes, mut text) = (Vec::new(), String::new());
    for resolved in shared.engine.resolve(loaded, &targets) {
        let Some((name, node)) = loaded.graph.nodes.get_index(resolved.node) else { continue };
        let (kind, known) = (node.node().spec().name, resolved.known);
        let changes = changes(last.as_ref().map(|last| last.get(name)), now.get(name));
        let not_kept = resolved.not_kept.map(|why| why.to_string());
        let why = if known && !resolved.runs { String::new() } else { format!(": {}", changes.join("; ")) };
        let state = if resolved.runs { "runs" } else { "cached" };
        text += &format!("{state} {name} ({kind}){why}\n");
        nodes.push(json!({
            "node": name, "type": kind, "cached": known, "runs": resolved.runs, "changes": changes,
            "not_kept": not_kept, "key": resolved.key.map(|key| key.0.hex()),
        }));
    }
    Ok(Answer::new(text, json!({ "path": shared.folder.relative(&opened.path), "nodes": nodes })))
}

/// The differences between two keys, in words.
fn changes(last: Option<Option<&Vec<KeyPart>>>, now: Option<&Vec<KeyPart>>) -> Vec<String> {
    let Some(last) = last else { return vec!["the graph was not evaluated in this session".to_owned()] };
    let (Some(last), Some(now)) = (last, now) else { return vec!["the node is new".to_owned()] };
    let find = |parts: &[KeyPart], name: &str| parts.iter().find(|part| part.name == name).cloned();
    let mut changes = Vec::new();
    for part in now {
        match find(last, &part.name) {
            None => changes.push(format!("{} is new", part.name)),
            Some(old) if old.value != part.value => {
                changes.push(format!("{} was {} and is {}", part.name, old.value, part.value));
            }
            Some(_) => {}
        }
    }
    let gone = last.iter().filter(|part| find(now, &part.name).is_none());
    changes.extend(gone.map(|part| format!("{} was removed", part.name)));
    if changes.is_empty() { vec!["nothing changed".to_owned()] } else { changes }
}
