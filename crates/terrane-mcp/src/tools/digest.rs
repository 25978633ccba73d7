//! `digest`: the digests and statistics of ports, without writing.

use serde_json::{Value as Json, json};
use terrane_flow::{Outcome, Value};
use terrane_nodes::values::{Shown, TerrainKind};

use super::evaluate;
use super::tool::{Tool, evaluated, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::graph;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

pub const TOOL: Tool = Tool {
    name: "digest",
    description: "Evaluates ports and answers the digest and statistics of each value; writes nothing. Equal \
        digests mean equal bits. Default: the ports of all outputs.",
    schema: || {
        let ports = json!({
            "type": "array", "items": { "type": "string" }, "description": "Ports: NODE or NODE.OUTPUT.",
        });
        schema(evaluated(json!({ "ports": ports })), &["path"])
    },
    reads_only: true,
    work: digest,
};

fn digest(shared: &Shared, arguments: &Arguments<'_>, stop: &Stop) -> Result<Answer, Refusal> {
    let opened = graph::open(shared, arguments)?;
    let ports = graph::ports(&opened, &arguments.texts("ports")?)?;
    let evaluation = evaluate::ports(shared, &opened, &ports, stop)?;
    let mut values = Vec::new();
    for output in &evaluation.outputs {
        let Some(value) = &output.value else { continue };
        let mut facts = facts(shared, value);
        facts["port"] = output.output.to_string().into();
        values.push(facts);
    }
    let line = |value: &Json| format!("{}: {}\n", text(&value["port"]), text(&value["digest"]));
    let lines: String = values.iter().map(line).collect();
    let ran = evaluation.ran();
    let cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
    let path = shared.folder.relative(&opened.path);
    let facts = json!({
        "path": path, "values": values, "ran": ran, "cached": cached, "warnings": evaluation.warnings,
    });
    Ok(Answer::new(lines, facts))
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap_or_default()
}

/// The kind, the digest and the facts of a value: size and range of a map, numbers of a table, holes.
pub fn facts(shared: &Shared, value: &Value) -> Json {
    let digest = shared.engine.within(|| value.digest());
    let mut facts = json!({ "kind": value.kind().name, "digest": digest.hex() });
    let Some(kind) = TerrainKind::find(value.kind()) else { return facts };
    if let Shown::Heights(map) | Shown::Levels(map) = kind.shown(value) {
        let samples = map.grid().as_slice();
        let finite = || samples.iter().filter(|sample| sample.is_finite());
        let count = finite().count();
        let sum: f64 = finite().map(|sample| f64::from(*sample)).sum();
        facts["size"] = json!([map.grid().width(), map.grid().height()]);
        facts["min"] = finite().copied().reduce(f32::min).into();
        facts["max"] = finite().copied().reduce(f32::max).into();
        facts["mean"] = (count > 0).then(|| sum / count as f64).into();
        facts["holes"] = (samples.len() - count).into();
    }
    let described = kind.facts(value);
    if !described.is_null() {
        facts["value"] = described;
    }
    if kind.is_printed {
        facts["numbers"] = value.to_json().unwrap_or_default();
    }
    facts
}
