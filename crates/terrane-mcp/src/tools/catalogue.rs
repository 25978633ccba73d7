//! `find_nodes`, `node` and `catalogue`: what node types there are.

use serde_json::{Value as Json, json};
use terrane_flow::{page, schema as language, suggest};

use super::tool::{Tool, schema};
use crate::answer::Answer;
use crate::arguments::Arguments;
use crate::refusal::Refusal;
use crate::setup::Shared;
use crate::stop::Stop;

pub const FIND: Tool = Tool {
    name: "find_nodes",
    description: "Finds node types by words or by a question: names, synonyms, summaries, ports, parameters.",
    schema: || {
        let words = json!({ "type": "string", "description": "Words, such as \"mask of steep slopes\"." });
        schema(json!({ "words": words }), &["words"])
    },
    reads_only: true,
    work: find,
};

pub const NODE: Tool = Tool {
    name: "node",
    description: "The page of one node type: ports, parameters, outputs, with units, ranges and an example.",
    schema: || {
        let name = json!({ "type": "string", "description": "The name of the type, such as \"Perlin\"." });
        schema(json!({ "type": name }), &["type"])
    },
    reads_only: true,
    work: node,
};

pub const CATALOGUE: Tool = Tool {
    name: "catalogue",
    description: "All node types, the other types of graph files, and the JSON schema of the language.",
    schema: || schema(json!({}), &[]),
    reads_only: true,
    work: catalogue,
};

fn find(shared: &Shared, arguments: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let words = arguments.text("words")?;
    let found = shared.finder().find(words);
    if found.types.is_empty() {
        let known: Vec<&str> = shared.specs().iter().map(|spec| spec.name).collect();
        let what = format!("nothing was found: no node type has the words {}", suggest::shorten(words));
        return Err(Refusal::new(what, found.help(&known)).at("words"));
    }
    let unknown: Vec<Json> =
        found.unknown.iter().map(|(word, near)| json!({ "word": word, "searched_for": near })).collect();
    let names: Vec<&str> = found.types.iter().map(|found| found.spec.name).collect();
    let facts = json!({ "types": found.to_json(), "unknown_words": unknown });
    Ok(Answer::new(format!("found {}", names.join(", ")), facts))
}

fn node(shared: &Shared, arguments: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let name = arguments.text("type")?;
    let Some(spec) = shared.specs().into_iter().find(|spec| spec.name == name) else {
        let known: Vec<&str> = shared.specs().iter().map(|spec| spec.name).collect();
        let what = format!("there is no node type {}", suggest::shorten(name));
        return Err(Refusal::new(what, suggest::help(name, &known, "the types are")).at("type"));
    };
    Ok(Answer::new(page::text(spec), language::node(spec)))
}

fn catalogue(shared: &Shared, _: &Arguments<'_>, _: &Stop) -> Result<Answer, Refusal> {
    let others: Vec<Json> = shared.setup.others.iter().map(|spec| language::node(spec)).collect();
    let facts = json!({
        "types": language::catalogue(&shared.setup.registry), "files": others,
        "schema": language::json_schema(&shared.setup.registry),
    });
    let count = shared.setup.registry.nodes().count();
    Ok(Answer::new(format!("{count} node types, and the JSON schema of the language"), facts))
}
