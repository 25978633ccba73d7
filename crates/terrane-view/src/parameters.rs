//! What can be turned on a node: its parameters and its constants, as the page is told of them and as they come back.

use serde_json::{Value as Json, json};
use terrane_flow::{GraphNode, NodeSpec, Range, Shape, Source};

/// What a type of node says about its ports and parameters.
#[must_use]
pub fn describe(spec: &NodeSpec, is_height: fn(&str) -> bool) -> Json {
    let params: Vec<Json> = spec
        .params
        .iter()
        .map(|param| {
            let mut out = json!({ "name": param.name, "docs": param.docs, "unit": param.unit });
            merge(&mut out, shape(&(param.shape)()), &param.range);
            out["default"] = param.default.map(|default| default()).into();
            out
        })
        .collect();
    let inputs: Vec<Json> = spec
        .inputs
        .iter()
        .map(|input| {
            let mut out = json!({
                "name": input.name, "docs": input.docs, "unit": input.unit, "kind": input.kind.name, "default": input.default,
            });
            merge(&mut out, json!({ "shape": "number" }), &input.range);
            out
        })
        .collect();
    let outputs: Vec<Json> = spec
        .outputs
        .iter()
        .map(|output| {
            let relief = is_height(output.unit);
            json!({ "name": output.name, "docs": output.docs, "unit": output.unit, "kind": output.kind.name, "relief": relief })
        })
        .collect();
    json!({
        "summary": spec.summary(), "category": spec.category, "paper": spec.paper,
        "params": params, "inputs": inputs, "outputs": outputs,
    })
}

fn merge(into: &mut Json, shape: Json, range: &Range) {
    if let (Some(into), Json::Object(shape)) = (into.as_object_mut(), shape) {
        into.extend(shape);
        // What the type allows is narrowed by what the parameter allows.
        for (name, bound) in [("min", range.min), ("max", range.max)] {
            if let Some(bound) = bound {
                into.insert(name.to_owned(), json!(bound));
            }
        }
        if range.above {
            into.insert("above".to_owned(), json!(true));
        }
    }
}

fn shape(shape: &Shape) -> Json {
    match shape {
        Shape::Bool => json!({ "shape": "bool" }),
        Shape::Float => json!({ "shape": "number" }),
        Shape::Integer { min, max } => json!({ "shape": "integer", "min": *min as f64, "max": *max as f64 }),
        Shape::Choice(choices) => {
            let choices: Vec<Json> =
                choices.iter().map(|choice| json!({ "name": choice.name, "docs": choice.docs })).collect();
            json!({ "shape": "choice", "choices": choices })
        }
        other => json!({ "shape": "text", "takes": other.to_string() }),
    }
}

/// What a node's parameters are, and its constants: the value, how it is written in the file (nothing where it is not), and
/// whether it can be turned.
#[must_use]
pub fn values(node: &GraphNode, in_this_file: bool) -> (Vec<Json>, Vec<Json>) {
    let spec = node.node().spec();
    let written = |span: Option<&Option<std::ops::Range<usize>>>| {
        let location = node.location.as_ref()?;
        location.source.text.get(span?.clone()?)
    };
    let params = (0..spec.params.len()).map(|index| {
        let span = node.location.as_ref().and_then(|location| location.params.get(index));
        json!({ "value": node.node().param(index), "written": written(span), "free": in_this_file })
    });
    let inputs = (0..spec.inputs.len()).map(|index| {
        let span = node.location.as_ref().and_then(|location| location.inputs.get(index));
        match node.node().port(index).source() {
            Source::Number(number) => {
                json!({ "value": number, "written": written(span), "free": in_this_file })
            }
            Source::Wire(reference) => json!({ "wire": reference.to_string() }),
            Source::Unset | Source::Bound(_) => Json::Null,
        }
    });
    (params.collect(), inputs.collect())
}

/// The RON text of a value that a page asks for; only numbers, `true`, `false` and known choices can be asked for, so that no
/// page can write anything else into a file.
///
/// # Errors
/// What is wrong, in a sentence.
pub fn to_ron(spec: &NodeSpec, name: &str, value: &Json) -> Result<String, String> {
    if spec.inputs.iter().any(|input| input.name == name && input.scalar) {
        return number(value).ok_or_else(|| format!("`{name}` takes a number"));
    }
    let Some(param) = spec.params.iter().find(|param| param.name == name) else {
        return Err(format!("a {} has no parameter `{name}`", spec.name));
    };
    let text = match (param.shape)() {
        Shape::Bool => value.as_bool().map(|value| value.to_string()),
        Shape::Float => number(value),
        Shape::Integer { min, max } => value
            .as_i64()
            .map(i128::from)
            .or_else(|| value.as_u64().map(i128::from))
            .filter(|value| (min..=max).contains(value))
            .map(|value| value.to_string()),
        Shape::Choice(choices) => {
            let name = value.as_str();
            choices.iter().find(|choice| Some(choice.name) == name).map(|choice| choice.name.to_owned())
        }
        _ => None,
    };
    text.ok_or_else(|| format!("`{name}` takes {}", (param.shape)()))
}

fn number(value: &Json) -> Option<String> {
    let number = value.as_f64().filter(|number| number.is_finite())?;
    // A point, so that a reader sees that it is no whole number.
    Some(format!("{number:?}"))
}
