//! Arguments of Python methods and functions for the fields of a node.

use std::fmt::Write as _;

use serde_json::Value as Json;
use terrane_flow::{InputSpec, Literal as _, NodeSpec, ParamSpec, Shape};

use crate::Result;

/// Python keywords, which cannot be argument names.
const KEYWORDS: &[&str] = &["from", "in", "is", "lambda", "class", "def", "global", "with", "as"];

/// What the ports of a node are connected to in Python.
pub enum Wires {
    /// Outputs of other nodes.
    Nodes,
    /// Arrays.
    Arrays,
}

impl Wires {
    /// The type annotation of an argument for a parameter.
    fn annotation(&self, shape: &Shape) -> String {
        match self {
            Self::Nodes => format!("{} | Param", annotation(shape)),
            Self::Arrays => annotation(shape),
        }
    }

    pub fn takes(&self, input: &InputSpec) -> bool {
        matches!(self, Self::Nodes) || input.kind.name == "map"
    }

    /// Argument names that are reserved.
    fn taken(&self) -> &'static [&'static str] {
        match self {
            Self::Nodes => &["self", "name", "keep"],
            Self::Arrays => &["output", "spacing", "graph_seed", "engine"],
        }
    }

    fn kind(&self, input: &InputSpec) -> String {
        let kind = match (self, input.scalar) {
            (Self::Nodes, true) => "ScalarInput",
            (Self::Nodes, false) => "Input",
            (Self::Arrays, true) => "ScalarArray",
            (Self::Arrays, false) => "Array",
        };
        let none = input.optional && input.default.is_none() || input.none;
        if none { format!("{kind} | None") } else { kind.to_owned() }
    }
}

/// The name of an argument for a field.
pub fn argument(name: &str, wires: &Wires) -> String {
    let is_taken = KEYWORDS.contains(&name) || wires.taken().contains(&name);
    if is_taken { format!("{name}_") } else { name.to_owned() }
}

/// The signature: required ports come first and can be passed by position.
pub fn signature(spec: &NodeSpec, indent: &str, wires: &Wires, rest: &[impl AsRef<str>]) -> Result<String> {
    let mut text = String::new();
    let inputs = || spec.inputs.iter().filter(|input| wires.takes(input));
    let must = |input: &&InputSpec| !input.optional && input.default.is_none();
    for input in inputs().filter(must) {
        writeln!(text, "{indent}{}: {},", argument(input.name, wires), wires.kind(input))?;
    }
    writeln!(text, "{indent}*,")?;
    for param in spec.params.iter().filter(|param| param.default.is_none()) {
        writeln!(text, "{indent}{}: {},", argument(param.name, wires), wires.annotation(&(param.shape)()))?;
    }
    for input in inputs().filter(|input| !must(input)) {
        let default = input.default.map_or_else(|| "None".to_owned(), |number| format!("{number:?}"));
        writeln!(text, "{indent}{}: {} = {default},", argument(input.name, wires), wires.kind(input))?;
    }
    for param in spec.params {
        let Some(default) = default_of(spec, param)? else { continue };
        writeln!(
            text,
            "{indent}{}: {} = {default},",
            argument(param.name, wires),
            wires.annotation(&(param.shape)())
        )?;
    }
    for more in rest {
        writeln!(text, "{indent}{},", more.as_ref())?;
    }
    Ok(text)
}

/// The default of a parameter as a Python literal.
fn default_of(spec: &NodeSpec, param: &ParamSpec) -> Result<Option<String>> {
    let Some(default) = param.default.map(|default| default()) else { return Ok(None) };
    let json = (param.shape)().json(&default);
    let json = json.ok_or_else(|| format!("`{}` of `{}`: {default} is no JSON", param.name, spec.name))?;
    Ok(Some(literal(&json, &(param.shape)())))
}

/// The Python type of a value.
fn annotation(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "bool".to_owned(),
        Shape::Integer { .. } => "int".to_owned(),
        Shape::Float => "float".to_owned(),
        Shape::Text | Shape::File => "str".to_owned(),
        Shape::Choice(choices) => {
            let names: Vec<String> = choices.iter().map(|choice| format!("'{}'", choice.name)).collect();
            format!("Literal[{}]", names.join(", "))
        }
        Shape::Record(_) => "str | dict[str, Any]".to_owned(),
        Shape::List(item) => format!("Sequence[{}]", annotation(item)),
        Shape::Tuple(items) => {
            format!("tuple[{}]", items.iter().map(annotation).collect::<Vec<_>>().join(", "))
        }
        Shape::Optional(inner) => format!("{} | None", annotation(inner)),
        Shape::Map => "dict[str, Any]".to_owned(),
        Shape::NumberOrPlace => "int | tuple[float, float]".to_owned(),
    }
}

/// JSON as a Python literal; lists of fixed length are tuples.
fn literal(json: &Json, shape: &Shape) -> String {
    match (json, shape) {
        (Json::Null, _) => "None".to_owned(),
        (Json::Bool(value), _) => if *value { "True" } else { "False" }.to_owned(),
        (Json::Number(number), Shape::Float) => format!("{:?}", number.as_f64().unwrap_or(f64::NAN)),
        (Json::String(number), Shape::Integer { .. } | Shape::Float) => number.clone(),
        (json, Shape::Optional(inner)) => literal(json, inner),
        (Json::Array(items), Shape::Tuple(shapes)) => {
            let items: Vec<String> =
                items.iter().zip(shapes).map(|(json, shape)| literal(json, shape)).collect();
            format!("({})", items.join(", "))
        }
        (Json::Array(items), Shape::List(item)) => {
            let items: Vec<String> = items.iter().map(|json| literal(json, item)).collect();
            format!("({}{})", items.join(", "), if items.len() == 1 { "," } else { "" })
        }
        (Json::Object(fields), _) => {
            let own = |json: &Json| literal(json, if json.is_f64() { &Shape::Float } else { &Shape::Text });
            let fields: Vec<String> =
                fields.iter().map(|(name, json)| format!("{name:?}: {}", own(json))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        (json, _) => json.to_string(),
    }
}

pub fn fields(spec: &NodeSpec, wires: &Wires) -> Vec<String> {
    let inputs = spec.inputs.iter().filter(|input| wires.takes(input)).map(|input| input.name);
    let names = inputs.chain(spec.params.iter().map(|param| param.name));
    names.map(|name| format!("{name:?}: {}", argument(name, wires))).collect()
}

/// The defaults of a node's parameters, which a graph's text can omit.
pub fn defaults(spec: &NodeSpec) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for input in spec.inputs {
        if input.optional || input.default.is_some() {
            let default = input.default.map_or_else(|| "None".to_owned(), |number| format!("{number:?}"));
            all.push(format!("{:?}: {default}", input.name));
        }
    }
    for param in spec.params {
        all.extend(default_of(spec, param)?.map(|default| format!("{:?}: {default}", param.name)));
    }
    Ok(all)
}
