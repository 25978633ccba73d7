//! Values in a text together with what may be written there.

use terrane_flow::syntax::{Bracket, Call, Form, Item, Value};
use terrane_flow::{ParamSpec, Registry, Shape};

use crate::outline::{Outline, entries, spec_of};

/// A value of a parameter, or a part of one.
#[derive(Clone, Debug)]
pub struct Typed<'t> {
    /// The value.
    pub value: Value<'t>,
    /// What may be written there.
    pub shape: Shape,
    /// The parameter.
    pub param: &'static ParamSpec,
}

/// Visits the values of all parameters of nodes, and the parts of values, the outer ones first.
pub fn visit<'t>(outline: &Outline<'t>, registry: &Registry, visitor: &mut dyn FnMut(&Typed<'t>)) {
    for node in &outline.nodes {
        let Some(call) = node.call() else { continue };
        let Some(spec) = spec_of(registry, call.name()) else { continue };
        for field in entries(call.group()) {
            let param = spec.params.iter().find(|param| param.name == field.name);
            if let Some((param, value)) = param.zip(field.value) {
                parts(&Typed { value, shape: (param.shape)(), param }, visitor);
            }
        }
    }
}

fn parts<'t>(typed: &Typed<'t>, visitor: &mut dyn FnMut(&Typed<'t>)) {
    visitor(typed);
    let inner = |value, shape| Typed { value, shape, param: typed.param };
    match (&typed.shape, typed.value.form()) {
        (Shape::Optional(item), Form::Call(call)) if call.name() == "Some" => {
            if let Some(value) = Call::group(call).items().next().and_then(Item::value) {
                parts(&inner(value, (**item).clone()), visitor);
            }
        }
        (Shape::Optional(item), _) => parts(&inner(typed.value, (**item).clone()), visitor),
        (Shape::List(item), Form::Group(group)) if group.bracket() == Some(Bracket::Square) => {
            for value in group.items().filter_map(Item::value) {
                parts(&inner(value, (**item).clone()), visitor);
            }
        }
        (Shape::Tuple(items), Form::Group(group)) if group.bracket() == Some(Bracket::Round) => {
            for (value, shape) in group.items().filter_map(Item::value).zip(items) {
                parts(&inner(value, shape.clone()), visitor);
            }
        }
        (Shape::Record(records), Form::Call(call)) => {
            let Some(record) = records.iter().find(|record| record.name == call.name()) else { return };
            for field in entries(call.group()) {
                let own = record.fields.iter().find(|own| own.name == field.name);
                if let Some((own, value)) = own.zip(field.value) {
                    parts(&inner(value, own.shape()), visitor);
                }
            }
        }
        _ => {}
    }
}
