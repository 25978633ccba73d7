//! Proposals for values: wires, choices, parameters, paths, and names in other files.

use gen_lsp_types::CompletionItemKind;
use terrane_flow::{InputSpec, ParamSpec, Shape};

use super::proposal::{MOST, Proposal, escaped, key, quoted};
use crate::context::Context;
use crate::expected::{Inner, Types};
use crate::offers::Place;
use crate::outline::{Entry, Outline};
use crate::usual::Usual;
use crate::wires::{Reader, fitting};
use crate::words::{markdown, shortened, spaced};

/// The outputs that fit at a port, and parameters of the graph for numbers; and whether these are all. Of
/// more than [`MOST`] outputs, those are proposed that have what is begun.
pub fn wires(
    context: &Context<'_>,
    outline: &Outline<'_>,
    types: &Types<'_>,
    place: &Place<'_>,
    (input, reader): (Option<&'static InputSpec>, Reader<'_>),
    begun: &str,
) -> (Vec<Proposal>, bool) {
    let offers = place.offers(outline);
    let mut fits = fitting(outline, types.registry, &offers, input, reader);
    let is_all = fits.len() <= MOST;
    if !is_all {
        fits.retain(|offer| offer.reference.to_lowercase().contains(begun));
        fits.truncate(MOST);
    }
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
    if let Some(input) = input.filter(|input| input.scalar) {
        if let Some(default) = input.default.filter(|_| !context.is_quoted) {
            all.push(Proposal::new(default.to_string(), CompletionItemKind::Value, "default", ""));
        }
        all.extend(parameters(context, outline));
    }
    if let (Reader::File(file), false) = (reader, context.is_quoted) {
        let can_be_written = |own: &Proposal| {
            let offer = offers.iter().find(|offer| offer.reference == own.label);
            let end = std::path::Path::new(file).extension().unwrap_or_default().to_string_lossy();
            offer.is_some_and(|offer| terrane_runs::outputs::extensions(offer.kind).contains(&&*end))
        };
        all.sort_by_key(|own| !can_be_written(own));
        let export = types.registry.family().export;
        let proposal =
            Proposal::new(export.name, CompletionItemKind::Struct, "with options", export.summary());
        all.push(proposal.writes(format!("{}(from: \"$0\")", export.name)));
    }
    (all, is_all)
}

/// The parameters of the graph, except the one whose value is written.
pub fn parameters(context: &Context<'_>, outline: &Outline<'_>) -> Vec<Proposal> {
    let is_own =
        |span: &std::ops::Range<usize>| span.start <= context.word.start && context.word.end <= span.end;
    let others = outline.params.iter().filter(|param| !is_own(&param.span));
    others
        .map(|param| {
            let value = param.value.map(|value| shortened(value.text().to_owned())).unwrap_or_default();
            let detail = format!("parameter, {value}");
            quoted(context, &format!("${}", param.name), CompletionItemKind::Constant, &detail)
        })
        .collect()
}

/// The value of a parameter in the file of a subgraph.
pub fn default_inside(
    outline: &Outline<'_>,
    place: &Place<'_>,
    (node, parameter): (&str, &str),
) -> Option<Proposal> {
    let (tree, _) = place.inner(outline.node(node).and_then(Entry::call)?)?;
    let inside = Outline::of(&tree);
    let value = inside.params.iter().find(|param| param.name == parameter)?.value?.text();
    (value.len() <= 80)
        .then(|| Proposal::new(value, CompletionItemKind::Value, "default", "").writes(escaped(value)))
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
            let default = param.default.map(|default| default().to_string());
            let usual = |own: &Proposal| {
                usual.value(param.name, &own.label) + usize::from(default.as_ref() == Some(&own.label))
            };
            all.sort_by_key(|own| std::cmp::Reverse(usual(own)));
        }
        if let Some(default) = param.default
            && all.is_empty()
            && (param.shape)() == *shape
        {
            let text = spaced(&default());
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

/// Whether a shape is the path of a file.
pub fn is_file(shape: &Shape) -> bool {
    match shape {
        Shape::Optional(item) => is_file(item),
        shape => *shape == Shape::File,
    }
}

/// The paths of files that begin as the text does: graphs in a subgraph or a world, and other files
/// elsewhere.
pub fn files_at(context: &Context<'_>, place: &Place<'_>) -> Vec<Proposal> {
    let name = context.frames.iter().rev().find_map(|frame| context.name(frame)).unwrap_or_default();
    let reads_graphs = ["Subgraph", "Repeat", "World"].contains(&name);
    let is_graph = |name: &str| std::path::Path::new(name).extension().is_some_and(|end| end == "ron");
    let mut all = paths(context, place);
    all.retain(|own| own.label.ends_with('/') || is_graph(&own.label) == reads_graphs);
    all
}

/// The paths of files that begin as the text does.
fn paths(context: &Context<'_>, place: &Place<'_>) -> Vec<Proposal> {
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
        Inner::Node | Inner::Carried => inside.nodes.iter().map(|node| node.name.to_owned()).collect(),
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
        Inner::Node | Inner::Carried => "node of the subgraph",
        Inner::Parameter => "parameter of the subgraph",
        Inner::Output => "output of the subgraph",
    };
    let left = names.iter().filter(|name| !given.contains(&name.as_str()));
    let of = if what == Inner::Carried { quoted } else { key };
    left.map(|name| of(context, name, CompletionItemKind::Variable, detail)).collect()
}
