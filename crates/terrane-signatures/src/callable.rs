//! The method and the function of a node type.

use terrane_flow::{InputSpec, NodeSpec};

use crate::argument::{Argument, Wires, with_unit};
use crate::constant::Constant;

/// A method or a function for a node type.
#[derive(Clone, Debug)]
pub struct Callable {
    /// Its name: that of the node type.
    pub name: &'static str,
    /// Its arguments: ports, parameters, and then those of every node.
    pub arguments: Vec<Argument>,
    /// The type that it returns.
    pub returns: String,
    /// The node's description without its example.
    pub text: &'static str,
    /// The node's outputs.
    pub outputs: Vec<Output>,
}

/// An output of a node.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: &'static str,
    /// The unit of the value. Empty if it has none.
    pub unit: &'static str,
    /// Its description, with unit and kind.
    pub docs: String,
}

impl Callable {
    fn new(spec: &NodeSpec, wires: Wires, returns: String, own: impl IntoIterator<Item = Argument>) -> Self {
        let ports = spec.inputs.iter().filter(|input| wires.takes(input)).map(|input| wires.port(input));
        let mut ports: Vec<Argument> = ports.collect();
        // A node that can start from a terrain takes it by position, like a node that needs one.
        if !ports.iter().any(|port| port.is_positional)
            && let Some(height) = ports.iter_mut().find(|port| port.field == Some("height"))
        {
            height.is_positional = true;
        }
        let params = spec.params.iter().map(|param| wires.parameter(param));
        let outputs = spec.outputs.iter().map(|output| Output {
            name: output.name,
            kind: output.kind.name,
            unit: output.unit,
            docs: format!("{} ({})", with_unit(output.docs, output.unit), output.kind.name),
        });
        Self {
            name: spec.name,
            arguments: ports.into_iter().chain(params).chain(own).collect(),
            returns,
            text: spec.docs.split("# Example").next().unwrap_or_default().trim(),
            outputs: outputs.collect(),
        }
    }

    /// The arguments in the order of the signature: first those that can be passed by position, then those
    /// that are required.
    #[must_use]
    pub fn signature(&self) -> Vec<&Argument> {
        let mut ordered: Vec<&Argument> = self.arguments.iter().collect();
        ordered.sort_by_key(|argument| (!argument.is_positional, argument.default.is_some()));
        ordered
    }

    /// The whole docstring: the node's description, the arguments, and the outputs.
    #[must_use]
    pub fn docstring(&self) -> String {
        let outputs = self.outputs.iter().map(|output| format!("\n    {}: {}", output.name, output.docs));
        format!("{}\n\nOutputs:{}", self.with_arguments(self.text), outputs.collect::<String>())
    }

    /// A text, followed by the arguments, and by the names that an argument can have.
    #[must_use]
    pub fn with_arguments(&self, text: &str) -> String {
        let mut text = format!("{text}\n\nArgs:");
        for argument in &self.arguments {
            text += &format!("\n    {}: {}", argument.name, argument.docs);
            for (name, docs) in &argument.choices {
                text += &format!("\n        {name}: {docs}");
            }
        }
        text
    }

    /// The port that takes the array of `array.terrane`: the first that can be passed by position.
    #[must_use]
    pub fn leading(&self) -> Option<&Argument> {
        self.signature().into_iter().find(|argument| argument.is_positional)
    }
}

/// An argument that every node has.
fn own(name: &str, annotation: &str, default: Constant, docs: &str) -> Argument {
    let (annotation, docs) = (annotation.to_owned(), docs.to_owned());
    Argument {
        name: name.to_owned(),
        field: None,
        annotation,
        default: Some(default),
        is_positional: false,
        docs,
        choices: Vec::new(),
    }
}

/// The method that adds a node to a graph.
#[must_use]
pub fn method(spec: &NodeSpec) -> Callable {
    let class = if spec.outputs.is_empty() { "Node".to_owned() } else { format!("{}Node", spec.name) };
    let keep = "Literal['Never', 'Always'] | None";
    let rest = [
        own("name", "str | None", Constant::None, "name of the node. Default: after its type"),
        own("keep", keep, Constant::None, "whether its results are kept for other runs"),
    ];
    Callable::new(spec, Wires::Nodes, class, rest)
}

/// The function that evaluates a node with arrays at its ports. `None` if the node has a required port that
/// takes something else.
#[must_use]
pub fn function(spec: &NodeSpec) -> Option<Callable> {
    let is_map = |input: &InputSpec| input.kind.name == "map";
    let first = spec.outputs.first()?;
    let takes_maps = spec.inputs.iter().any(is_map)
        && spec.inputs.iter().all(|input| input.optional || input.scalar || is_map(input));
    let names: Vec<String> = spec.outputs.iter().map(|output| format!("'{}'", output.name)).collect();
    let names = names.join(", ");
    let output = format!("Literal[{names}] | Sequence[Literal[{names}]]");
    let spacing = "distance between samples if there are no coordinates. Default: 1";
    let engine = "the engine that evaluates. Default: a shared one";
    let rest = [
        own("output", &output, Constant::Text(first.name.to_owned()), "the output to return, or several"),
        own("spacing", "float | None", Constant::None, spacing),
        own("graph_seed", "int", Constant::Int(0), "the seed of the graph"),
        own("engine", "Engine | None", Constant::None, engine),
    ];
    takes_maps.then(|| Callable::new(spec, Wires::Arrays, "Any".to_owned(), rest))
}
