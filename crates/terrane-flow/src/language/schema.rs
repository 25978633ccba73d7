//! The catalogue of a registry and the JSON schema of its graph language, as JSON.

use serde_json::{Map, Value, json};

use super::declared::{Repeat, Subgraph};
use crate::model::keep::Common;
use crate::model::node::Declare as _;
use crate::model::param::{RecordSpec, Shape};
use crate::model::registry::{NodeType, Registry};
use crate::model::spec::{NodeSpec, ParamSpec, Range};

/// The complete description of a node type.
#[must_use]
pub fn node(spec: &NodeSpec) -> Value {
    let inputs: Vec<Value> = spec
        .inputs
        .iter()
        .map(|input| {
            json!({
                "name": input.name, "kind": input.kinds(), "docs": input.docs, "unit": input.unit,
                "required": !input.optional, "number_allowed": input.scalar, "default": input.default,
                "min": input.range.min, "max": input.range.max,
            })
        })
        .collect();
    let params: Vec<Value> = spec
        .params
        .iter()
        .map(|param| {
            let shape = (param.shape)();
            json!({
                "name": param.name, "type": shape.to_string(), "docs": param.docs, "unit": param.unit,
                "required": param.default.is_none(), "default": param.default.map(|default| default()),
                "min": param.range.min, "max": param.range.max, "min_is_outside": param.range.above,
                "choices": choices(&shape),
            })
        })
        .collect();
    let outputs: Vec<Value> = spec
        .outputs
        .iter()
        .map(|output| {
            json!({
                "name": output.name, "kind": output.kind.name, "docs": output.docs, "unit": output.unit,
            })
        })
        .collect();
    json!({
        "type": spec.name, "category": spec.category, "summary": spec.summary(),
        "words": spec.words, "docs": spec.docs, "paper": spec.paper,
        "version": spec.version, "tiles": spec.tiles.name(), "because": spec.because,
        "holes": spec.under_holes(), "seeded": spec.seeded(),
        "inputs": inputs, "parameters": params, "outputs": outputs, "example": spec.example(),
    })
}

/// The choices that a shape allows, with their docs.
fn choices(shape: &Shape) -> Value {
    match shape {
        Shape::Choice(choices) => choices.iter().map(|c| json!({"name": c.name, "docs": c.docs})).collect(),
        Shape::Record(records) => {
            let fields = |record: &RecordSpec| -> Value {
                record
                    .fields
                    .iter()
                    .map(|f| json!({"name": f.name, "docs": f.docs, "type": f.kind}))
                    .collect()
            };
            records.iter().map(|r| json!({"name": r.name, "docs": r.docs, "fields": fields(r)})).collect()
        }
        Shape::Optional(item) | Shape::List(item) => choices(item),
        Shape::Tuple(items) => {
            items.iter().map(choices).find(|found| !found.is_null()).unwrap_or(Value::Null)
        }
        _ => Value::Null,
    }
}

/// The whole catalogue.
#[must_use]
pub fn catalogue(registry: &Registry) -> Value {
    registry.nodes().map(|entry| node(entry.spec())).collect()
}

/// A JSON schema (2020-12) of the graph language. It describes the structure of the RON text as JSON; a node
/// is an object with `type`.
#[must_use]
pub fn json_schema(registry: &Registry) -> Value {
    let of_files = [Subgraph::spec(), Repeat::spec()];
    let specs = registry.nodes().map(NodeType::spec).chain(of_files);
    let nodes: Vec<Value> = specs.map(node_schema).collect();
    let mut properties = Map::new();
    for param in registry.family().graph.params {
        properties.insert(param.name.to_owned(), parameter(param));
    }
    properties.insert(
        "nodes".to_owned(),
        json!({
            "type": "object", "description": "The nodes, by name.",
            "additionalProperties": {"oneOf": nodes},
        }),
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Graph", "type": "object", "properties": properties, "additionalProperties": false,
    })
}

fn described(mut schema: Value, docs: &str) -> Value {
    schema["description"] = docs.into();
    schema
}

fn node_schema(spec: &NodeSpec) -> Value {
    let mut properties = Map::new();
    properties.insert("type".to_owned(), json!({"const": spec.name}));
    let mut required = vec!["type"];
    for input in spec.inputs {
        let wire = json!({"type": "string"});
        let schema =
            if input.scalar { json!({"oneOf": [wire, shape(&input.shape(), &input.range)]}) } else { wire };
        properties.insert(input.name.to_owned(), described(schema, input.docs));
        if !input.optional {
            required.push(input.name);
        }
    }
    for param in Common::fields().params.iter().chain(spec.params) {
        if param.default.is_none() {
            required.push(param.name);
        }
        properties.insert(param.name.to_owned(), parameter(param));
    }
    json!({
        "title": spec.name, "description": spec.summary(), "type": "object",
        "properties": properties, "required": required, "additionalProperties": false,
    })
}

fn parameter(param: &ParamSpec) -> Value {
    let mut schema = described(shape(&(param.shape)(), &param.range), param.docs);
    if let Some(default) = param.default {
        schema["default"] = default().into();
    }
    schema
}

fn record(spec: &RecordSpec) -> Value {
    let properties: Map<String, Value> = spec
        .fields
        .iter()
        .map(|field| (field.name.to_owned(), json!({"description": field.docs, "type": field.kind})))
        .collect();
    json!({
        "title": spec.name, "description": spec.docs, "type": "object",
        "properties": properties, "additionalProperties": false,
    })
}

fn shape(shape_of: &Shape, range: &Range) -> Value {
    let bounded = |kind: &str| {
        let mut schema = json!({"type": kind});
        if let Some(min) = range.min {
            schema[if range.above { "exclusiveMinimum" } else { "minimum" }] = min.into();
        }
        if let Some(max) = range.max {
            schema["maximum"] = max.into();
        }
        schema
    };
    match shape_of {
        Shape::Bool => json!({"type": "boolean"}),
        Shape::Integer { .. } => bounded("integer"),
        Shape::Float => bounded("number"),
        Shape::Text | Shape::File => json!({"type": "string"}),
        Shape::Choice(choices) => json!({"enum": choices.iter().map(|c| c.name).collect::<Vec<_>>()}),
        Shape::Record(records) => json!({"oneOf": records.iter().map(record).collect::<Vec<_>>()}),
        Shape::List(item) => json!({"type": "array", "items": shape(item, range)}),
        Shape::Tuple(items) => json!({
            "type": "array", "prefixItems": items.iter().map(|item| shape(item, range)).collect::<Vec<_>>(),
            "minItems": items.len(), "maxItems": items.len(),
        }),
        Shape::Optional(item) => json!({"oneOf": [shape(item, range), {"type": "null"}]}),
        Shape::Map => json!({"type": "object"}),
        Shape::NumberOrNamed(name) => json!({"oneOf": [bounded("number"), {
            "type": "object", "properties": {*name: {"type": "string"}}, "required": [name],
            "additionalProperties": false,
        }]}),
        Shape::NumberOrPlace => json!({"oneOf": [
            {"type": "integer", "minimum": 0, "maximum": u32::MAX},
            {
                "type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}],
                "minItems": 2, "maxItems": 2,
            },
        ]}),
    }
}
