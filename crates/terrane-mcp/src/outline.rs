//! The nodes that are written in a text, also in one with mistakes.

use std::borrow::Cow;

use serde_json::{Value as Json, json};
use terrane_flow::syntax::{Form, Group, Tree};

/// The longest value that is shown whole, in characters.
const LONGEST: usize = 1000;

/// The nodes of a text: name, type, the bytes from `start` to `end`, and fields with their values.
pub fn nodes(text: &str) -> Json {
    let tree = Tree::parse(text);
    let nodes = tree.value().and_then(|value| group(value.form())?.map("nodes"));
    let Some(nodes) = nodes else { return json!([]) };
    let one = |item: terrane_flow::syntax::Item<'_>| {
        let (name, call) = (item.name()?.to_owned(), item.value()?.call()?);
        let fields = call.group().items().filter_map(|field| {
            let value = field.value()?;
            let span = field.span();
            let value: Cow<'_, str> = match value.text().char_indices().nth(LONGEST) {
                None => value.text().into(),
                Some((end, _)) => format!("{}...", &value.text()[..end]).into(),
            };
            Some(json!({
                "name": field.name()?, "value": value, "start": span.start, "end": span.end,
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
