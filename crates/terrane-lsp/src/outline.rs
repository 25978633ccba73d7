//! What a file declares and where it is used, as far as its text can be read.

use std::ops::Range as Span;

use terrane_flow::declared::{Repeat, Subgraph};
use terrane_flow::syntax::{Bracket, Call, Form, Group, Tree, Value, parameter_names};
use terrane_flow::{Declare as _, NodeSpec, NodeType, Registry};

/// A named part of a file.
#[derive(Clone, Debug)]
pub struct Entry<'t> {
    /// Its name.
    pub name: &'t str,
    /// The bytes of the name, without quotes.
    pub name_span: Span<usize>,
    /// All its bytes, from the name to the value.
    pub span: Span<usize>,
    /// Its value, if there is one.
    pub value: Option<Value<'t>>,
}

impl<'t> Entry<'t> {
    /// The call that is its value.
    #[must_use]
    pub fn call(&self) -> Option<Call<'t>> {
        self.value?.call()
    }
}

/// What a file declares.
#[derive(Clone, Debug, Default)]
pub struct Outline<'t> {
    /// The first word: `Graph`, `World`, or another one.
    pub kind: &'t str,
    /// The fields of the outermost call.
    pub fields: Vec<Entry<'t>>,
    /// The entries of `nodes`.
    pub nodes: Vec<Entry<'t>>,
    /// The entries of `params`.
    pub params: Vec<Entry<'t>>,
    /// The entries of `outputs`.
    pub outputs: Vec<Entry<'t>>,
}

impl<'t> Outline<'t> {
    /// Reads what a tree declares. O(length).
    #[must_use]
    pub fn of(tree: &'t Tree) -> Self {
        let Some(call) = tree.value().and_then(Value::call) else { return Self::default() };
        let fields = entries(call.group());
        let map = |name: &str| call.group().map(name).map(entries).unwrap_or_default();
        Self {
            kind: call.name(),
            nodes: map("nodes"),
            params: map("params"),
            outputs: map("outputs"),
            fields,
        }
    }

    /// A node by its name.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<&Entry<'t>> {
        self.nodes.iter().find(|node| node.name == name)
    }
}

/// The entries of a group that have names.
#[must_use]
pub fn entries(group: Group<'_>) -> Vec<Entry<'_>> {
    let named = group.items().filter_map(|item| {
        let (name, name_span) = (item.name()?, item.name_span()?);
        Some(Entry { name, name_span, span: item.span(), value: item.value() })
    });
    named.collect()
}

/// The node of a reference to an output.
#[must_use]
pub fn node_of(reference: &str) -> &str {
    reference.split(['.', '/']).next().unwrap_or_default()
}

/// A reference to a node in the text: `"node"` or `"node.output"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use<'t> {
    /// The reference as written.
    pub reference: &'t str,
    /// Its bytes, without quotes.
    pub span: Span<usize>,
    /// The name of the node that reads it; `None` for an output file.
    pub reader: Option<&'t str>,
    /// The port that reads it; of an output, the file.
    pub port: &'t str,
}

impl Use<'_> {
    /// The bytes of the node's name in the reference.
    #[must_use]
    pub fn node_span(&self) -> Span<usize> {
        let node = self.reference.rsplit_once('.').map_or(self.reference, |(node, _)| node);
        self.span.start..self.span.start + node.len()
    }

    /// The name of the node.
    #[must_use]
    pub fn node(&self) -> &str {
        self.reference.rsplit_once('.').map_or(self.reference, |(node, _)| node)
    }
}

/// The spec of what a call declares: a registered type, a subgraph or a repetition.
#[must_use]
pub fn spec_of(registry: &Registry, name: &str) -> Option<&'static NodeSpec> {
    match name {
        "Subgraph" => Some(Subgraph::spec()),
        "Repeat" => Some(Repeat::spec()),
        _ => registry.node(name).map(NodeType::spec),
    }
}

/// All references to nodes. At nodes of unknown types, quoted values are taken for references.
#[must_use]
pub fn uses<'t>(outline: &Outline<'t>, registry: &Registry) -> Vec<Use<'t>> {
    let mut all = Vec::new();
    for node in &outline.nodes {
        let Some(call) = node.call() else { continue };
        let spec = spec_of(registry, call.name());
        for field in entries(call.group()) {
            let Some(value) = field.value else { continue };
            if field.name == "inputs" && spec.is_none_or(|spec| spec.inputs.is_empty()) {
                let inner = value.group(Bracket::Curly).map(entries).unwrap_or_default();
                all.extend(inner.iter().filter_map(|entry| used(entry.value?, Some(node.name), entry.name)));
            } else if spec.is_none_or(|spec| spec.inputs.iter().any(|input| input.name == field.name)) {
                all.extend(used(value, Some(node.name), field.name));
            }
        }
    }
    for output in &outline.outputs {
        let Some(value) = output.value else { continue };
        let from = value.call().and_then(|call| call.group().get("from")?.value());
        all.extend(used(from.unwrap_or(value), None, output.name));
    }
    all
}

fn used<'t>(value: Value<'t>, reader: Option<&'t str>, port: &'t str) -> Option<Use<'t>> {
    let Form::Text(written) = value.form() else { return None };
    let reference = written.trim_start_matches('"').trim_end_matches('"');
    if reference.starts_with('$') {
        return None;
    }
    let start = value.span().start + (written.len() - written.trim_start_matches('"').len());
    Some(Use { reference, span: start..start + reference.len(), reader, port })
}

/// The places where parameters are used: the names, and their bytes.
#[must_use]
pub fn parameter_uses(tree: &Tree) -> Vec<(&str, Span<usize>)> {
    let text = tree.text();
    let mut all = Vec::new();
    for (kind, span) in tree.tokens_from(0) {
        let token = &text[span.clone()];
        if kind == terrane_flow::syntax::TokenKind::Text && token.starts_with("\"$") {
            all.extend(parameter_names(token).map(|name| {
                let start = span.start + (name.as_ptr() as usize - token.as_ptr() as usize);
                (name, start..start + name.len())
            }));
        }
    }
    all
}
