//! What an editor shows about what is under the pointer.

use std::ops::Range as Span;

use gen_lsp_types::{Hover, MarkupContent, MarkupKind};
use terrane_flow::{NodeSpec, Shape};

use crate::context::Context;
use crate::document::Document;
use crate::expected::{Expected, Types};
use crate::offers::{Offer, Place};
use crate::outline::{Entry, Outline, parameter_uses, spec_of};
use crate::words::{input_docs, node_docs, param_docs};

/// What is known of the thing at a byte.
#[must_use]
pub fn hover(document: &Document, offset: usize, types: &Types<'_>, place: &Place<'_>) -> Option<Hover> {
    let (span, text) = about(document, offset, types, place)?;
    let content = MarkupContent { kind: MarkupKind::Markdown, value: text };
    Some(Hover { contents: content.into(), range: Some(document.lines.range(&span)) })
}

fn about(
    document: &Document,
    offset: usize,
    types: &Types<'_>,
    place: &Place<'_>,
) -> Option<(Span<usize>, String)> {
    let tree = &document.tree;
    let outline = Outline::of(tree);
    let holds = |span: &Span<usize>| span.start <= offset && offset <= span.end;
    // A position before the end of a word stands for the word.
    let end = document.text()[offset..].chars().next().map_or(offset, |c| offset + c.len_utf8());
    let context = Context::at(tree, end);
    let word = context.text(&context.word);
    if let Some((name, span)) = parameter_uses(tree).into_iter().find(|(_, span)| holds(span)) {
        let param = outline.params.iter().find(|param| param.name == name)?;
        let value = param.value.map_or("", |value| value.text());
        return Some((span, format!("Parameter of the graph: `{name}` = `{value}`")));
    }
    if let Some(node) = outline.nodes.iter().find(|node| holds(&node.name_span)) {
        let spec = spec_of(types.registry, node.call()?.name())?;
        return Some((node.name_span.clone(), format!("`{}`: {}", node.name, node_docs(spec))));
    }
    if let Some(param) = outline.params.iter().find(|param| holds(&param.name_span)) {
        let uses = parameter_uses(tree).into_iter().filter(|(name, _)| *name == param.name).count();
        let value = param.value.map_or("", |value| value.text());
        let times = if uses == 1 { "once".to_owned() } else { format!("{uses} times") };
        let text = format!("Parameter of the graph: `{}` = `{value}`, used {times}", param.name);
        return Some((param.name_span.clone(), text));
    }
    if let Some(output) = outline.outputs.iter().find(|output| holds(&output.name_span)) {
        return Some((output.name_span.clone(), written(output, &place.offers(&outline))?));
    }
    let export = types.registry.family().export;
    if word == export.name {
        return Some((context.word, export.docs.trim().to_owned()));
    }
    let text = match types.expected(&context) {
        Expected::File => {
            let graph = types.registry.family().graph;
            let specs = types.others.iter().copied().chain([graph]);
            specs.into_iter().find(|spec| spec.name == word).map(|spec| spec.docs.trim().to_owned())?
        }
        Expected::NodeType { .. } => node_docs(spec_of(types.registry, word)?),
        Expected::Field { specs, .. } => field(&specs, word)?,
        Expected::RecordField { fields, .. } => {
            fields.iter().find(|field| field.name == word).map(|field| field.docs.to_owned())?
        }
        Expected::Wire { .. } => {
            let offers = place.offers(&outline);
            let offer = offers.iter().find(|offer| offer.reference == word)?;
            let unit = if offer.unit.is_empty() { String::new() } else { format!(", {}", offer.unit) };
            format!("`{word}`: {}{unit}\n\n{}\n\nof a `{}`", offer.kind.name, offer.docs, offer.of.name)
        }
        Expected::Value { shape, param, .. } => match choice(&shape, word) {
            Some(docs) => format!("`{word}`: {docs}"),
            None => param_docs(param),
        },
        Expected::Parameter
        | Expected::Inner { .. }
        | Expected::InnerValue { .. }
        | Expected::Entry(_)
        | Expected::Arithmetic
        | Expected::Nothing => return None,
    };
    (!word.is_empty()).then_some((context.word, text))
}

/// What is written to a file.
fn written(output: &Entry<'_>, offers: &[Offer]) -> Option<String> {
    let value = output.value?;
    let from = value.call().and_then(|call| call.group().get("from")?.value()).unwrap_or(value);
    let from = from.text().trim_matches('"');
    let offer = offers.iter().find(|offer| from == offer.reference);
    let what = offer.map(|offer| format!(": {} of a `{}`", offer.kind.name, offer.of.name));
    Some(format!("Output file `{}`, of `{from}`{}", output.name, what.unwrap_or_default()))
}

/// The docs of a field.
fn field(specs: &[&'static NodeSpec], name: &str) -> Option<String> {
    specs.iter().find_map(|spec| {
        let input = spec.inputs.iter().find(|input| input.name == name).map(input_docs);
        input.or_else(|| spec.params.iter().find(|param| param.name == name).map(param_docs))
    })
}

/// The docs of a choice.
fn choice(shape: &Shape, name: &str) -> Option<&'static str> {
    match shape {
        Shape::Choice(choices) => choices.iter().find(|choice| choice.name == name).map(|choice| choice.docs),
        Shape::Record(records) => records.iter().find(|record| record.name == name).map(|record| record.docs),
        Shape::Optional(item) => choice(item, name),
        _ => None,
    }
}
