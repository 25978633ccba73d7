//! Proposals for values: wires, choices, parameters, paths, and names in other files.

use gen_lsp_types::CompletionItemKind;
use terrane_flow::{InputSpec, ParamSpec, Shape};

use super::proposal::{Proposal, escaped, key, quoted};
use crate::context::Context;
use crate::expected::{Inner, Types};
use crate::offers::Place;
use crate::outline::{Entry, Outline};
use crate::usual::Usual;
use crate::wires::{Reader, fitting};
use crate::words::markdown;

/// The outputs that fit at a port, and parameters of the graph for numbers.
pub fn wires(
    context: &Context<'_>,
    outline: &Outline<'_>,
    types: &Types<'_>,
    place: &Place<'_>,
    (input, reader): (Option<&'static InputSpec>, Reader<'_>),
) -> Vec<Proposal> {
    let offers = place.offers(outline);
    let fits = fitting(outline, types.registry, &offers, input, reader);
    let mut all: Vec<Proposal> = fits
        .into_iter()
        .map(|offer| {
            let detail = match offer.unit {
                "" => offer.kind.name.to_owned(),
                unit => format!("{}, {unit}", offer.kind.name),
            };
            let proposal = quoted(context, &offer.reference, CompletionItemKind::Variable, &detail);
            Proposal { docs: markdown(&format!("{}: {}", offer.of.name, offer.docs)), ..proposal }
        })
        .collect();
    if input.is_some_and(|input| input.scalar) {
        all.extend(parameters(context, outline));
    }
    all
}

/// The parameters of the graph.
pub fn parameters(context: &Context<'_>, outline: &Outline<'_>) -> Vec<Proposal> {
    let of = |name: &&str| quoted(context, &format!("${name}"), CompletionItemKind::Constant, "parameter");
    outline.params.iter().map(|param| param.name).collect::<Vec<_>>().iter().map(of).collect()
}

/// Values of a shape: choices first, those that similar nodes have before others, and parameters of the graph
/// last.
pub fn values(
    context: &Context<'_>,
    outline: &Outline<'_>,
    shape: &Shape,
    param: &'static ParamSpec,
    usual: Option<&Usual>,
) -> Vec<Proposal> {
    let mut all = Vec::new();
    if !context.is_quoted {
        shapes(shape, &mut all);
        if let Some(usual) = usual {
            all.sort_by_key(|own: &Proposal| std::cmp::Reverse(usual.value(param.name, &own.label)));
        }
        if let Some(default) = param.default
            && all.is_empty()
            && (param.shape)() == *shape
        {
            let text = default();
            let short = text.len() <= 80;
            all.extend(short.then(|| {
                Proposal::new(&*text, CompletionItemKind::Value, "default", "").writes(escaped(&text))
            }));
        }
    }
    if *shape != Shape::Map {
        all.extend(parameters(context, outline));
    }
    all
}

/// The paths of files that begin as the text does.
pub fn paths(context: &Context<'_>, place: &Place<'_>) -> Vec<Proposal> {
    let begun = if context.is_quoted { context.text(&context.word) } else { "" };
    let folder = begun.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let names = place.names(begun).into_iter();
    names
        .map(|name| {
            let is_folder = name.ends_with('/');
            let kind = if is_folder { CompletionItemKind::Folder } else { CompletionItemKind::File };
            quoted(context, &format!("{folder}{name}"), kind, "")
        })
        .collect()
}

/// The names that a shape permits.
pub fn shapes(shape: &Shape, all: &mut Vec<Proposal>) {
    let value = |name: &str, docs: &str| Proposal::new(name, CompletionItemKind::EnumMember, "", docs);
    match shape {
        Shape::Bool => all.extend(["true", "false"].map(|name| value(name, ""))),
        Shape::Choice(choices) => all.extend(choices.iter().map(|choice| value(choice.name, choice.docs))),
        Shape::Record(records) => all.extend(records.iter().map(|record| {
            let text = match record.fields.is_empty() {
                true => format!("{}()", record.name),
                false => format!("{}($0)", record.name),
            };
            value(record.name, record.docs).writes(text)
        })),
        Shape::Optional(item) => {
            shapes(item, all);
            all.push(value("None", ""));
            if matches!(**item, Shape::Tuple(_)) {
                all.push(value("Some", "").writes("Some(($0))"));
            }
        }
        _ => {}
    }
}

/// Names in the file of a subgraph.
pub fn inner(
    context: &Context<'_>,
    outline: &Outline<'_>,
    place: &Place<'_>,
    (what, node): (Inner, &str),
    given: &[&str],
) -> Vec<Proposal> {
    let call = outline.node(node).and_then(Entry::call);
    let Some((tree, _)) = call.and_then(|call| place.inner(call)) else { return Vec::new() };
    let inside = Outline::of(&tree);
    let names: Vec<String> = match what {
        Inner::Node => inside.nodes.iter().map(|node| node.name.to_owned()).collect(),
        Inner::Parameter => inside.params.iter().map(|param| param.name.to_owned()).collect(),
        Inner::Output => inside
            .outputs
            .iter()
            .filter_map(|output| {
                Some(std::path::Path::new(output.name).file_stem()?.to_string_lossy().into_owned())
            })
            .collect(),
    };
    let detail = match what {
        Inner::Node => "node of the subgraph",
        Inner::Parameter => "parameter of the subgraph",
        Inner::Output => "output of the subgraph",
    };
    let left = names.iter().filter(|name| !given.contains(&name.as_str()));
    left.map(|name| key(context, name, CompletionItemKind::Variable, detail)).collect()
}
