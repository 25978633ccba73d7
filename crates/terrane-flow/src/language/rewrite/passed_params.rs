//! Parameters of a subgraph, with the names that the outer graph will use.

use std::collections::{HashMap, HashSet};

use terrane_syntax::{Edit, TokenKind, Tree, Value, parameter_names};

use super::entries::freed;
use super::error::RewriteError;
use super::graph_text::GraphText;
use super::set::field_of;
use super::wires::{Wire, Wiring, bound, names};
use crate::language::document::{self, Call};
use crate::model::origin::{Bound, Scope};

/// The parameters that a node passes to its subgraph with `params`.
pub struct PassedParams<'t> {
    values: Vec<(&'t str, Value<'t>, Bound)>,
}

impl<'t> PassedParams<'t> {
    /// The parameters that a call passes. `part` is the subgraph's text.
    pub fn new(
        (graph, node, call): (&'t GraphText, &str, &Call<'t>),
        wiring: &Wiring<'t>,
        part: &GraphText,
    ) -> Result<Self, RewriteError> {
        let Some(field) = field_of(call, "params") else {
            return Ok(Self { values: Vec::new() });
        };
        let mut values = Vec::new();
        for entry in document::map(graph.source(), field.value).map_err(RewriteError::Text)? {
            part.graph_parameter(entry.name)?;
            let Some(bound) = bound(entry.value, &wiring.scope) else {
                let reason = format!("its parameter `{}` refers to an unknown parameter", entry.name);
                return Err(RewriteError::Inexact { node: node.to_owned(), reason });
            };
            values.push((entry.name, entry.value, bound));
        }
        Ok(Self { values })
    }

    /// The values of the parameters.
    pub fn bounds(&self) -> Vec<(&'t str, Bound)> {
        self.values.iter().map(|(name, _, bound)| (*name, bound.clone())).collect()
    }

    fn value(&self, name: &str) -> Option<Value<'t>> {
        self.values.iter().find(|(given, ..)| *given == name).map(|(_, value, _)| *value)
    }

    /// Checks that no port of the subgraph names a node through a parameter of the outer graph. In the
    /// inlined graph, such a parameter could name only nodes of the outer graph.
    pub fn check_wire(&self, node: &str, wire: &Wire<'_>, inner: &Wiring<'_>) -> Result<(), RewriteError> {
        let (mut next, mut seen) = (inner.parameter(wire.value).map(str::to_owned), HashSet::new());
        while let Some(name) = next.take().filter(|name| !seen.contains(name)) {
            match self.value(&name) {
                Some(value) if value.text().contains('$') => {
                    let reason = format!(
                        "its `{}` names a node through a parameter of the outer graph, which could no \
                        longer name nodes of the subgraph",
                        wire.port
                    );
                    return Err(RewriteError::Inexact { node: node.to_owned(), reason });
                }
                Some(_) => break,
                None => {
                    let param = inner.params.iter().find(|param| param.name == name);
                    next = param.and_then(|param| inner.parameter(param.value)).map(str::to_owned);
                }
            }
            seen.insert(name);
        }
        Ok(())
    }
}

/// The parameters of a subgraph with their names in the outer graph.
pub struct Parameters {
    names: HashMap<String, String>,
    /// New entries for the outer graph's `params`.
    pub added: Vec<String>,
}

impl Parameters {
    /// Chooses names for the parameters that a text of the subgraph uses. A parameter passed as `"$name"`
    /// keeps the outer graph's name. All others become parameters of the outer graph, so that a parameter
    /// shared by several nodes stays shared.
    pub fn new(text: &str, given: &PassedParams<'_>, inner: &Wiring<'_>, outer: &Wiring<'_>) -> Self {
        let mut needed = names(text, &inner.scope);
        for param in inner.params.iter().rev() {
            if needed.contains(param.name) && given.value(param.name).is_none() {
                needed.extend(names(param.value.text(), &inner.scope));
            }
        }
        let mut taken: HashSet<String> = outer.scope.params.keys().cloned().collect();
        let mut this = Self { names: HashMap::new(), added: Vec::new() };
        for param in inner.params.iter().filter(|param| needed.contains(param.name)) {
            let value = given.value(param.name);
            let same = value.and_then(|value| outer.parameter(value)).filter(|name| is_word(name));
            let name = match same {
                Some(name) => name.to_owned(),
                None => {
                    let word: String =
                        param.name.chars().map(|c| if is_letter(c) { c } else { '_' }).collect();
                    let name = freed(&word, &mut taken);
                    let text = value.map_or_else(
                        || this.renamed(param.value.text(), &inner.scope),
                        |value| value.text().to_owned(),
                    );
                    this.added.push(format!("\"{name}\": {text}"));
                    name
                }
            };
            this.names.insert(param.name.to_owned(), name);
        }
        this
    }

    /// The edits that give the parameters in a value of the subgraph their names in the outer graph.
    pub fn edits(&self, value: Value<'_>, scope: &Scope) -> Vec<Edit> {
        let (tree, end) = (value.tree(), value.span().end);
        let tokens = tree.tokens_from(value.span().start).take_while(|(_, span)| span.start < end);
        let texts = tokens.filter(|(kind, _)| *kind == TokenKind::Text);
        texts
            .filter_map(|(_, span)| Some(Edit { text: self.token(&tree.text()[span.clone()], scope)?, span }))
            .collect()
    }

    fn renamed(&self, text: &str, scope: &Scope) -> String {
        let tree = Tree::parse(text);
        tree.value()
            .map_or_else(|| text.to_owned(), |value| terrane_syntax::apply(text, &self.edits(value, scope)))
    }

    /// A quoted text with renamed parameters; `None` if it does not change.
    fn token(&self, written: &str, scope: &Scope) -> Option<String> {
        let whole = written.strip_prefix("\"$").and_then(|rest| rest.strip_suffix('"'));
        let changed = if let Some(name) = whole.filter(|name| scope.params.contains_key(*name)) {
            format!("\"${}\"", self.names.get(name)?)
        } else if written.starts_with("\"$$") || parameter_names(written).next().is_none() {
            return None;
        } else {
            let mut parts = written.split('$');
            let mut changed = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                let end = part.find(|c| !is_letter(c)).unwrap_or(part.len());
                let name = self.names.get(&part[..end]).map_or(&part[..end], String::as_str);
                changed += &format!("${name}{}", &part[end..]);
            }
            changed
        };
        (changed != written).then_some(changed)
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_letter)
}
