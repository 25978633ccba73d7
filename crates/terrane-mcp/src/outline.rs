//! The nodes that are written in a text, also in one with mistakes.

use serde_json::{Value as Json, json};
use terrane_flow::syntax::{Form, Group, Tree};

/// The nodes of a text: name, type, the bytes from `start` to `end`, and fields with their values.
pub fn nodes(text: &str) -> Json {
    let tree = Tree::parse(text);
    let nodes = tree.value().and_then(|value| group(value.form())?.get("nodes")?.value());
    let Some(nodes) = nodes.and_then(|nodes| group(nodes.form())) else { return json!([]) };
    let one = |item: terrane_flow::syntax::Item<'_>| {
        let (name, call) = (item.name()?.to_owned(), item.value()?.call()?);
        let fields = call.group().items().filter_map(|field| {
            let value = field.value()?;
            let span = field.span();
            Some(json!({
                "name": field.name()?, "value": value.text(), "start": span.start, "end": span.end,
            }))
        });
        let (span, fields) = (item.span(), fields.collect::<Vec<_>>());
        Some(json!({
            "name": name, "type": call.name(), "start": span.start, "end": span.end, "fields": fields,
        }))
    };
    nodes.items().filter_map(one).collect()
}

fn group(form: Form<'_>) -> Option<Group<'_>> {
    match form {
        Form::Call(call) => Some(call.group()),
        Form::Group(group) => Some(group),
        _ => None,
    }
}
