//! Arguments for the ports and parameters of a node.

use terrane_flow::{InputSpec, Literal as _, ParamSpec, Shape};

use crate::constant::Constant;

/// Python keywords, which cannot be argument names.
const KEYWORDS: &[&str] = &["from", "in", "is", "lambda", "class", "def", "global", "with", "as"];

/// An argument of a method or a function.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its name in Python.
    pub name: String,
    /// The field of the node that it sets. `None` for an argument that every node has.
    pub field: Option<&'static str>,
    /// Its type in Python.
    pub annotation: String,
    /// Its default. `None` if it is required.
    pub default: Option<Constant>,
    /// Whether it can be passed by position.
    pub is_positional: bool,
    /// Its description, with unit, type and range.
    pub docs: String,
    /// The names that it can have, with a description of each.
    pub choices: Vec<(&'static str, String)>,
}

/// What the ports of a node are connected to in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wires {
    /// Outputs of other nodes. Parameters of the graph can be used as numbers.
    Nodes,
    /// Arrays.
    Arrays,
}

impl Wires {
    pub(crate) fn takes(self, input: &InputSpec) -> bool {
        self == Self::Nodes || input.kind.name == "map"
    }

    /// The name of an argument for a field.
    fn named(self, field: &str) -> String {
        let taken: &[&str] = match self {
            Self::Nodes => &["self", "name", "keep"],
            Self::Arrays => &["output", "spacing", "graph_seed", "engine"],
        };
        let is_taken = KEYWORDS.contains(&field) || taken.contains(&field);
        if is_taken { format!("{field}_") } else { field.to_owned() }
    }

    pub(crate) fn port(self, input: &InputSpec) -> Argument {
        let kind = match self {
            Self::Nodes => "Input",
            Self::Arrays => "Array",
        };
        let scalar = if input.scalar { "Scalar" } else { "" };
        let is_none = input.optional && input.default.is_none() || input.none;
        let range =
            if input.scalar && !input.range.is_open() { format!("; {}", input.range) } else { String::new() };
        let default = input.default.map(Constant::Float).or_else(|| input.optional.then_some(Constant::None));
        Argument {
            name: self.named(input.name),
            field: Some(input.name),
            annotation: format!("{scalar}{kind}{}", if is_none { " | None" } else { "" }),
            is_positional: default.is_none(),
            default,
            docs: format!("{} ({}{range})", with_unit(input.docs, input.unit), input.kinds()),
            choices: Vec::new(),
        }
    }

    pub(crate) fn parameter(self, param: &ParamSpec) -> Argument {
        let shape = (param.shape)();
        let range = if param.range.is_open() { String::new() } else { format!(", {}", param.range) };
        // A default that is no JSON cannot be written in Python, and the parameter must be given.
        let default = param.default.and_then(|default| shape.json(&default()));
        Argument {
            name: self.named(param.name),
            field: Some(param.name),
            annotation: annotation(&shape) + if self == Self::Nodes { " | Param" } else { "" },
            default: default.map(|json| Constant::new(&json, &shape)),
            is_positional: false,
            docs: format!("{} ({shape}{range})", with_unit(param.docs, param.unit)),
            choices: choices(&shape),
        }
    }
}

/// The names in a value, with the first paragraph of each description.
fn choices(shape: &Shape) -> Vec<(&'static str, String)> {
    let described = |name: &'static str, docs: &'static str| {
        let first = with_unit(docs.split("\n\n").next().unwrap_or_default(), "");
        (!first.is_empty()).then_some((name, first))
    };
    match shape {
        Shape::Choice(choices) => {
            choices.iter().filter_map(|choice| described(choice.name, choice.docs)).collect()
        }
        Shape::Record(records) => {
            records.iter().filter_map(|record| described(record.name, record.docs)).collect()
        }
        Shape::List(item) | Shape::Optional(item) => choices(item),
        Shape::Tuple(items) => items.iter().flat_map(choices).collect(),
        _ => Vec::new(),
    }
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
        Shape::NumberOrNamed(_) => "float | dict[str, str]".to_owned(),
        Shape::NumberOrPlace => "int | tuple[float, float]".to_owned(),
    }
}

/// A description on one line, with its unit.
pub(crate) fn with_unit(docs: &str, unit: &str) -> String {
    let docs = docs.trim().replace('\n', " ");
    if unit.is_empty() { docs } else { format!("{docs} [{unit}]") }
}
