//! Creates nodes from the texts of their fields.

use terrane_flow::syntax::{Literally, Tree};
use terrane_flow::{Diagnostic, Diagnostics, Field, Fields, Node};

use crate::registry::registry;

/// Creates a node from the texts of its fields.
pub fn node(kind: &str, texts: &[(String, String)]) -> Result<Box<dyn Node>, Diagnostics> {
    let registry = registry();
    let Some(of) = registry.node(kind) else {
        return Err(Diagnostic::nowhere(format!("there is no type of node `{kind}`"), "").into());
    };
    let trees: Vec<Tree> = texts.iter().map(|(_, value)| Tree::parse(value.as_str())).collect();
    let given: Vec<Field<'_>> = texts.iter().zip(&trees).map(field).collect();
    let mut fields = Fields::new(of.spec(), &given, &Literally);
    let node = of.read(&mut fields);
    let errors = fields.into_errors();
    if !errors.is_empty() {
        let told =
            errors.into_iter().map(|error| Diagnostic::nowhere(error.message, error.help).coded(error.code));
        return Err(Diagnostics(told.collect()));
    }
    match node.check() {
        Ok(()) => Ok(node),
        Err(invalid) => Err(Diagnostic::nowhere(invalid.message, invalid.help).into()),
    }
}

fn field<'a>(((name, value), tree): (&'a (String, String), &'a Tree)) -> Field<'a> {
    Field { name, name_span: 0..0, value, value_span: 0..0, is_wrong: false, tree: tree.value() }
}
