//! References in the text of a graph: wires at ports, outputs, and parameters with references.

use std::collections::HashSet;

use terrane_syntax::{
    Edit, Form, Group, Item, TokenKind, Tree, Value, fill, literal, parameter_name, parameter_names, read,
};

use super::error::RewriteError;
use super::graph_text::GraphText;
use crate::language::document::{self, Call, Entry};
use crate::language::names::is_file;
use crate::model::fields::{Field, Fields};
use crate::model::node::Node;
use crate::model::origin::{Bound, Scope};
use crate::model::port::Reference;
use crate::model::registry::Registry;
use crate::model::value::Kind;

/// A value that refers to a node.
#[derive(Clone, Debug)]
pub struct Wire<'t> {
    /// The port, the input of a subgraph, or the output file that the wire leads to.
    pub port: &'t str,
    /// The value as written.
    pub value: Value<'t>,
    /// The reference, with parameters resolved.
    pub reference: Reference,
    /// The kind of the port; `None` at a subgraph or an output file.
    pub kind: Option<&'static Kind>,
}

/// A graph's text with its parameters resolved.
pub struct Wiring<'t> {
    graph: &'t GraphText,
    registry: &'t Registry,
    /// The declared parameters.
    pub params: Vec<Entry<'t>>,
    /// The values of the parameters.
    pub scope: Scope,
}

impl<'t> Wiring<'t> {
    /// The wiring of a graph, with some parameters set from outside.
    pub fn new(
        graph: &'t GraphText,
        registry: &'t Registry,
        given: &[(&str, Bound)],
    ) -> Result<Self, RewriteError> {
        let params = graph.entries("params")?;
        let mut scope = Scope::default();
        for entry in &params {
            let set = given.iter().find(|(name, _)| *name == entry.name).map(|(_, bound)| bound.clone());
            let bound = set.or_else(|| bound(entry.value, &scope));
            scope.params.insert(entry.name.to_owned(), bound.unwrap_or_else(|| Bound::new("0", None)));
        }
        Ok(Self { graph, registry, params, scope })
    }

    /// Checks that the types of all nodes are known. For an unknown type, it is not known which fields are
    /// wires.
    pub fn check_types(&self, entries: &[Entry<'t>]) -> Result<(), RewriteError> {
        for entry in entries {
            let kind = self.call(entry)?.name;
            if !is_file(kind) && self.registry.node(kind).is_none() {
                return Err(RewriteError::NoType { node: entry.name.to_owned(), kind: kind.to_owned() });
            }
        }
        Ok(())
    }

    /// The call of a node.
    pub fn call(&self, entry: &Entry<'t>) -> Result<Call<'t>, RewriteError> {
        document::call(self.graph.source(), entry.value).map_err(RewriteError::Text)
    }

    /// The loaded node of an entry; `None` for a subgraph or an unknown type.
    pub fn node(&self, call: &Call<'t>) -> Option<Box<dyn Node>> {
        let node_type = self.registry.node(call.name)?;
        let fields: Vec<Field<'_>> = call.fields.iter().map(Entry::field).collect();
        // Mistakes are ignored, since the loader reports them.
        Some(node_type.read(&mut Fields::new(node_type.spec(), &fields, &self.scope)))
    }

    /// The wires of a node; empty if its type is unknown.
    pub fn of(&self, entry: &Entry<'t>) -> Result<Vec<Wire<'t>>, RewriteError> {
        let call = self.call(entry)?;
        if is_file(call.name) {
            return Ok(self.inputs(&call));
        }
        let Some(node) = self.node(&call) else { return Ok(Vec::new()) };
        let mut wires = Vec::new();
        for field in &call.fields {
            let Some(at) = node.spec().inputs.iter().position(|input| input.name == field.name) else {
                continue;
            };
            let kind = Some(node.spec().inputs[at].kind);
            if let Some(reference) = node.port(at).source().wire().cloned() {
                wires.push(Wire { port: field.name, value: field.value, reference, kind });
            }
        }
        Ok(wires)
    }

    fn inputs(&self, call: &Call<'t>) -> Vec<Wire<'t>> {
        let inputs = call.fields.iter().find(|field| field.name == "inputs");
        let group = inputs.and_then(|field| match field.value.form() {
            Form::Group(group) => Some(group),
            _ => None,
        });
        let wire = |item: Item<'t>| self.wire(item.name()?, item.value()?);
        group.into_iter().flat_map(Group::items).filter_map(wire).collect()
    }

    /// The wires of the outputs.
    pub fn outputs(&self) -> Result<Vec<Wire<'t>>, RewriteError> {
        let outputs = self.graph.entries("outputs")?;
        let from = |value: Value<'t>| value.call().and_then(|call| call.group().get("from")?.value());
        let wire = |entry: &Entry<'t>| self.wire(entry.name, from(entry.value).unwrap_or(entry.value));
        Ok(outputs.iter().filter_map(wire).collect())
    }

    /// The wire of a value that cannot be a number. `None` if the value is not a text.
    fn wire(&self, port: &'t str, value: Value<'t>) -> Option<Wire<'t>> {
        let reference = Reference::parse(&self.text(value)?);
        Some(Wire { port, value, reference, kind: None })
    }

    /// The value as text, with parameters resolved.
    pub fn text(&self, value: Value<'_>) -> Option<String> {
        read::<String>(value, &self.scope).ok()
    }

    /// The name of the parameter, if a value consists only of a parameter.
    pub fn parameter<'v>(&self, value: Value<'v>) -> Option<&'v str> {
        let name = value.text().strip_prefix("\"$")?.strip_suffix('"')?;
        self.scope.params.contains_key(name).then_some(name)
    }

    /// The values of a parameter in the text: its declared value, and its values in profiles. If the declared
    /// value is another parameter, the values of that parameter are included too.
    pub fn written(&self, name: &str) -> Result<Vec<Value<'t>>, RewriteError> {
        let mut values = Vec::new();
        let (mut names, mut next) = (HashSet::new(), Some(name.to_owned()));
        let profiles = self.graph.entries("profiles")?;
        while let Some(name) = next.take().filter(|name| !names.contains(name)) {
            let Some(param) = self.params.iter().find(|param| param.name == name) else { break };
            next = self.parameter(param.value).map(str::to_owned);
            values.push(param.value);
            for profile in &profiles {
                let Form::Group(group) = profile.value.form() else { continue };
                values.extend(group.get(&name).and_then(Item::value));
            }
            names.insert(name);
        }
        values.retain(|value| self.parameter(*value).is_none());
        Ok(values)
    }

    /// The edits that change a wire's reference. If the wire uses a parameter, the values of the parameter
    /// are edited, and otherwise the wire.
    pub fn renamed<E: From<RewriteError>>(
        &self,
        wire: &Wire<'t>,
        to: &mut dyn FnMut(&Reference) -> Result<Option<Reference>, E>,
    ) -> Result<Vec<Edit>, E> {
        let values = match self.parameter(wire.value) {
            Some(name) => self.written(name)?,
            None => vec![wire.value],
        };
        let mut edits = Vec::new();
        for value in values {
            let Form::Text(written) = value.form() else { continue };
            let Some(reference) = literal::text(written).map(|text| Reference::parse(&text)) else {
                continue;
            };
            if let Some(reference) = to(&reference)? {
                edits.push(Edit { span: value.span(), text: literal::quoted(&reference.to_string()) });
            }
        }
        Ok(edits)
    }
}

/// A value with its parameters resolved, for use in another text. `None` if a parameter is unknown.
pub fn bound(value: Value<'_>, scope: &Scope) -> Option<Bound> {
    match parameter_name(value.text()).and_then(|name| scope.params.get(name)) {
        Some(other) => Some(other.clone()),
        None => Some(Bound::new(fill(value, scope).ok()?, None)),
    }
}

/// The parameters that a text uses.
pub fn names(text: &str, scope: &Scope) -> HashSet<String> {
    let tree = Tree::parse(text);
    let texts = tree.tokens_from(0).filter(|(kind, _)| *kind == TokenKind::Text);
    let named = texts.flat_map(|(_, span)| {
        let written = &text[span];
        let whole = written.strip_prefix("\"$").and_then(|rest| rest.strip_suffix('"'));
        whole.into_iter().chain(parameter_names(written))
    });
    named.filter(|name| scope.params.contains_key(*name)).map(str::to_owned).collect()
}

/// A reference to the node `from`, or to a node nested in it, with `to` instead of `from`. `None` for other
/// references.
pub fn moved(reference: &Reference, from: &str, to: &str) -> Option<Reference> {
    let rest = reference.node.strip_prefix(from).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    Some(Reference { node: format!("{to}{rest}").into(), output: reference.output.clone() })
}

/// The edits in order, without duplicates. There are duplicates if several wires share a parameter.
pub fn in_order(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    edits.dedup();
    edits
}
