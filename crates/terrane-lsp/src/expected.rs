//! What may stand at a position: derived from the brackets around it and from the specs of node types.

use std::sync::OnceLock;

use terrane_flow::find::Finder;
use terrane_flow::syntax::Bracket;
use terrane_flow::{
    Common, Declare as _, Family, InputSpec, NodeSpec, NodeType, ParamSpec, RecordField, Registry, Shape,
    declared,
};

use crate::context::{Context, Frame};
use crate::outline::spec_of;
use crate::wires::Reader;

/// What may stand at a position.
#[derive(Debug)]
pub enum Expected<'t> {
    /// The first word of the file.
    File,
    /// A field of a call that does not have these yet.
    Field {
        /// The specs of the fields.
        specs: Vec<&'static NodeSpec>,
        /// The fields that are given.
        given: Vec<&'t str>,
        /// How many of them stand before the position.
        before: usize,
        /// The name of the node, if the call is one.
        node: Option<&'t str>,
    },
    /// A field of a value such as `Slope(range: ...)`.
    RecordField {
        /// The fields.
        fields: &'static [RecordField],
        /// The fields that are given.
        given: Vec<&'t str>,
    },
    /// The type of a node.
    NodeType {
        /// The node's name.
        node: &'t str,
    },
    /// A reference to an output; with a port, one that fits.
    Wire {
        /// The port.
        input: Option<&'static InputSpec>,
        /// What reads it.
        reader: Reader<'t>,
    },
    /// A value of a parameter.
    Value {
        /// What may be written.
        shape: Shape,
        /// The parameter.
        param: &'static ParamSpec,
        /// The name of the node, if it is one's.
        node: Option<&'t str>,
    },
    /// The name of a parameter of the graph, as a key.
    Parameter,
    /// Something in the file that a subgraph or a repetition names.
    Inner {
        /// What it is.
        what: Inner,
        /// The node.
        node: &'t str,
        /// The keys that are given.
        given: Vec<&'t str>,
    },
    /// The value of a parameter of the file that a subgraph names.
    InnerValue {
        /// The node.
        node: &'t str,
        /// The parameter.
        parameter: &'t str,
    },
    /// A new entry.
    Entry(Entries),
    /// Arithmetic with parameters.
    Arithmetic,
    /// A name that the author chooses, or nothing.
    Nothing,
}

/// A map of entries that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entries {
    /// Nodes.
    Nodes,
    /// Parameters.
    Params,
    /// Output files.
    Outputs,
}

/// A part of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// A node, as a value.
    Carried,
    /// The name of a node.
    Node,
    /// The name of an output, without extension.
    Output,
    /// The name of a parameter.
    Parameter,
}

/// The types of files and their specs.
pub struct Types<'a> {
    /// The node types.
    pub registry: &'a Registry,
    /// Other types of files, such as `World`.
    pub others: &'a [&'static NodeSpec],
    finder: OnceLock<Finder>,
}

impl<'a> Types<'a> {
    /// Types of nodes and of other files.
    #[must_use]
    pub const fn new(registry: &'a Registry, others: &'a [&'static NodeSpec]) -> Self {
        Self { registry, others, finder: OnceLock::new() }
    }

    /// All types of nodes, also those that need no registration.
    pub fn nodes(&self) -> impl Iterator<Item = &'static NodeSpec> {
        let declared = [declared::Subgraph::spec(), declared::Repeat::spec()];
        self.registry.nodes().map(NodeType::spec).chain(declared)
    }

    /// Finds types by words.
    #[must_use]
    pub fn finder(&self) -> &Finder {
        self.finder.get_or_init(|| Finder::new(self.nodes()))
    }

    /// What may stand at a position.
    #[must_use]
    pub fn expected<'t>(&self, context: &Context<'t>) -> Expected<'t> {
        if context.is_comment || context.is_idle {
            return Expected::Nothing;
        }
        let Some((first, rest)) = context.frames.split_first() else {
            return if context.is_first { Expected::File } else { Expected::Nothing };
        };
        let Some(name) = context.name(first) else { return Expected::Nothing };
        if let Some(spec) = self.others.iter().find(|spec| spec.name == name) {
            return call(context, &[spec], &context.frames, None);
        }
        let Family { graph, export, .. } = self.registry.family();
        if name != graph.name || first.bracket != Bracket::Round {
            return Expected::Nothing;
        }
        match (context.key(first), rest) {
            (Some("nodes"), [nodes, inside @ ..]) if nodes.bracket == Bracket::Curly => {
                let Some(node) = context.key(nodes) else { return entry(Entries::Nodes, inside) };
                match inside.first() {
                    None => Expected::NodeType { node },
                    Some(own) => {
                        let spec = context.name(own).and_then(|name| spec_of(self.registry, name));
                        let Some(spec) = spec else { return Expected::Nothing };
                        call(context, &[spec, Common::fields()], inside, Some(node))
                    }
                }
            }
            (Some("outputs"), [outputs, inside @ ..]) if outputs.bracket == Bracket::Curly => {
                let Some(file) = context.key(outputs) else { return entry(Entries::Outputs, inside) };
                let wire = Expected::Wire { input: None, reader: Reader::File(file) };
                match inside {
                    [] => wire,
                    [own] if context.key(own) == Some("from") => wire,
                    [own, ..] if context.name(own) == Some(export.name) => {
                        call(context, &[export], inside, None)
                    }
                    _ => Expected::Nothing,
                }
            }
            (Some("params"), [params]) if params.bracket == Bracket::Curly => match context.key(params) {
                None => Expected::Entry(Entries::Params),
                Some(_) if context.is_quoted => Expected::Arithmetic,
                Some(_) => Expected::Nothing,
            },
            (Some("profiles"), [profiles, profile]) => {
                let is_key = context.key(profiles).is_some() && context.key(profile).is_none();
                if is_key { Expected::Parameter } else { Expected::Nothing }
            }
            (Some("params" | "nodes" | "outputs" | "profiles"), _) => Expected::Nothing,
            _ => call(context, &[graph], &context.frames, None),
        }
    }
}

/// A new entry of a map.
const fn entry<'t>(entries: Entries, inside: &[Frame]) -> Expected<'t> {
    if inside.is_empty() { Expected::Entry(entries) } else { Expected::Nothing }
}

/// What may stand in a call with these fields, of which `frames` begin with the call's brackets.
fn call<'t>(
    context: &Context<'t>,
    specs: &[&'static NodeSpec],
    frames: &[Frame],
    node: Option<&'t str>,
) -> Expected<'t> {
    let Some((own, inside)) = frames.split_first() else { return Expected::Nothing };
    let Some(key) = context.key(own) else {
        return match inside {
            [] => {
                let (given, before) = (context.keys(own), context.keys_before(own));
                Expected::Field { specs: specs.to_vec(), given, before, node }
            }
            _ => Expected::Nothing,
        };
    };
    if let Some(input) = specs.iter().find_map(|spec| spec.inputs.iter().find(|input| input.name == key)) {
        return match node {
            Some(node) if inside.is_empty() => {
                Expected::Wire { input: Some(input), reader: Reader::Node(node) }
            }
            _ => Expected::Nothing,
        };
    }
    let Some(param) = specs.iter().find_map(|spec| spec.params.iter().find(|param| param.name == key)) else {
        return Expected::Nothing;
    };
    let shape = (param.shape)();
    if let (Shape::Map, Some(node)) = (&shape, node) {
        return map(context, key, inside, node);
    }
    value(context, shape, param, inside, node)
}

/// What may stand in a map of a subgraph or of a repetition.
fn map<'t>(context: &Context<'t>, field: &str, inside: &[Frame], node: &'t str) -> Expected<'t> {
    let [own] = inside else { return Expected::Nothing };
    let inner = |what| Expected::Inner { what, node, given: context.keys(own) };
    match (field, context.key(own)) {
        ("inputs", None) => inner(Inner::Node),
        ("inputs", Some(_)) => Expected::Wire { input: None, reader: Reader::Node(node) },
        ("params", None) => inner(Inner::Parameter),
        ("params", Some(parameter)) => Expected::InnerValue { node, parameter },
        ("carry", None) => inner(Inner::Output),
        ("carry", Some(_)) => Expected::Inner { what: Inner::Carried, node, given: Vec::new() },
        _ => Expected::Nothing,
    }
}

/// What may stand in a value of a shape.
fn value<'t>(
    context: &Context<'t>,
    shape: Shape,
    param: &'static ParamSpec,
    inside: &[Frame],
    node: Option<&'t str>,
) -> Expected<'t> {
    let mut shape = shape;
    for (depth, frame) in inside.iter().enumerate() {
        // `Some` may be left out.
        while let Shape::Optional(item) = shape {
            shape = *item;
            if context.name(frame) == Some("Some") {
                break;
            }
        }
        if context.name(frame) == Some("Some") {
            continue;
        }
        shape = match (frame.bracket, context.name(frame), shape) {
            (Bracket::Square, None, Shape::List(item)) => *item,
            (Bracket::Round, None, Shape::Tuple(mut items)) if frame.index < items.len() => {
                items.swap_remove(frame.index)
            }
            (Bracket::Round, Some(name), Shape::Record(records)) => {
                let Some(record) = records.iter().find(|record| record.name == name) else {
                    return Expected::Nothing;
                };
                match context.key(frame) {
                    None if depth + 1 == inside.len() => {
                        return Expected::RecordField { fields: record.fields, given: context.keys(frame) };
                    }
                    Some(key) => match record.fields.iter().find(|field| field.name == key) {
                        Some(field) => field.shape(),
                        None => return Expected::Nothing,
                    },
                    None => return Expected::Nothing,
                }
            }
            _ => return Expected::Nothing,
        };
    }
    Expected::Value { shape, param, node }
}
