//! Proposals for what may stand at a position.

use gen_lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTextEdit, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind, TextEdit,
};
use terrane_flow::{InputSpec, NodeSpec, NodeType, ParamSpec, Shape, declared};

use crate::context::Context;
use crate::document::Document;
use crate::expected::{Expected, Inner, Types};
use crate::offers::Place;
use crate::outline::{Entry, Outline};
use crate::wires::{Reader, fitting};
use crate::words::{input_docs, markdown, param_docs};

/// A proposal before it is given a place in the text.
struct Proposal {
    label: String,
    kind: CompletionItemKind,
    /// What is written; `$0` is where the cursor is then.
    text: String,
    detail: String,
    docs: String,
}

impl Proposal {
    fn new(
        label: impl Into<String>,
        kind: CompletionItemKind,
        detail: impl Into<String>,
        docs: &str,
    ) -> Self {
        let label = label.into();
        Self { text: label.clone(), label, kind, detail: detail.into(), docs: markdown(docs) }
    }

    fn writes(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

/// Proposals at once, at most. With more, an editor asks again when more is typed.
const MOST: usize = 500;

/// What an editor proposes at a byte of a document, the best first, and whether that is all.
#[must_use]
pub fn complete(
    document: &Document,
    offset: usize,
    types: &Types<'_>,
    place: &Place<'_>,
    snippets: bool,
) -> (Vec<CompletionItem>, bool) {
    let context = Context::at(&document.tree, offset);
    let outline = Outline::of(&document.tree);
    let proposals = match types.expected(&context) {
        Expected::File => files(types),
        Expected::Field { specs, given, node } => fields(&specs, &given, node.is_some()),
        Expected::RecordField { fields, given } => fields
            .iter()
            .filter(|field| !given.contains(&field.name))
            .map(|field| {
                Proposal::new(field.name, CompletionItemKind::Field, field.kind, field.docs)
                    .writes(format!("{}: $0", field.name))
            })
            .collect(),
        Expected::NodeType { .. } => node_types(types),
        Expected::Wire { input, reader } => wires(&context, &outline, types, place, (input, reader)),
        Expected::Value { shape: Shape::File, .. } => paths(&context, place),
        Expected::Value { shape, param, .. } => values(&context, &outline, &shape, param),
        Expected::Parameter => outline
            .params
            .iter()
            .map(|param| key(&context, param.name, CompletionItemKind::Variable, "parameter"))
            .collect(),
        Expected::Inner { what, node, given } => inner(&context, &outline, place, (what, node), &given),
        Expected::Nothing => Vec::new(),
    };
    let count = proposals.len();
    let begun = document.text()[context.word.start..offset.max(context.word.start)].to_lowercase();
    // An editor that has all proposals chooses among them by itself.
    let is_wanted = |proposal: &Proposal| count <= MOST || proposal.label.to_lowercase().contains(&begun);
    let proposals: Vec<Proposal> = proposals.into_iter().filter(is_wanted).take(MOST).collect();
    let range = document.lines.range(&context.word);
    let quotes_end = context.is_quoted && !document.lines.text()[context.word.end..].starts_with('"');
    let items = proposals
        .into_iter()
        .enumerate()
        .map(|(rank, proposal)| {
            let mut text = if snippets { proposal.text } else { without_cursor(&proposal.text) };
            if quotes_end {
                text.push('"');
            }
            CompletionItem {
                label: proposal.label,
                kind: Some(proposal.kind),
                detail: Some(proposal.detail).filter(|detail| !detail.is_empty()),
                documentation: Some(proposal.docs).filter(|docs| !docs.is_empty()).map(|value| {
                    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
                }),
                sort_text: Some(format!("{rank:05}")),
                insert_text_format: Some(if snippets {
                    InsertTextFormat::Snippet
                } else {
                    InsertTextFormat::PlainText
                }),
                text_edit: Some(CompletionItemTextEdit::TextEdit(TextEdit { range, new_text: text })),
                ..CompletionItem::default()
            }
        })
        .collect();
    (items, count <= MOST)
}

/// The types of files.
fn files(types: &Types<'_>) -> Vec<Proposal> {
    let graph = types.registry.family().graph;
    let specs = std::iter::once(graph).chain(types.others.iter().copied());
    let body = |spec: &NodeSpec| match spec.name == graph.name {
        true => "Graph(\n    nodes: {\n        $0\n    },\n    outputs: {},\n)".to_owned(),
        false => format!("{}(\n    $0\n)", spec.name),
    };
    specs
        .map(|spec| {
            Proposal::new(spec.name, CompletionItemKind::Struct, "", spec.summary()).writes(body(spec))
        })
        .collect()
}

/// The fields of a call: ports that must be connected, what matters most, and the others.
fn fields(specs: &[&'static NodeSpec], given: &[&str], is_node: bool) -> Vec<Proposal> {
    let mut all: Vec<(usize, Proposal)> = Vec::new();
    for spec in specs {
        let main = |name: &str| spec.main.iter().position(|main| *main == name);
        for input in spec.inputs {
            let rank = match (input.optional || input.default.is_some(), main(input.name)) {
                (false, _) => 0,
                (true, Some(at)) => 100 + at,
                (true, None) => 300,
            };
            let value = if input.scalar && input.default.is_some() { "$0" } else { "\"$0\"" };
            let proposal =
                Proposal::new(input.name, CompletionItemKind::Field, input.kinds(), &input_docs(input));
            all.push((rank, proposal.writes(format!("{}: {value}", input.name))));
        }
        for param in spec.params {
            let rank = match (param.default.is_none(), main(param.name)) {
                (true, _) => 10,
                (false, Some(at)) => 100 + at,
                (false, None) => 200,
            };
            let shape = (param.shape)();
            let value = match &shape {
                Shape::Map => "{ $0 }",
                Shape::Text | Shape::File => "\"$0\"",
                Shape::List(_) => "[$0]",
                Shape::Tuple(_) => "($0)",
                _ => "$0",
            };
            let proposal = Proposal::new(
                param.name,
                CompletionItemKind::Property,
                shape.to_string(),
                &param_docs(param),
            );
            all.push((rank, proposal.writes(format!("{}: {value}", param.name))));
        }
    }
    if !is_node {
        // Fields of files in the order in which they are usually written.
        all.iter_mut().for_each(|(rank, _)| *rank = 0);
    }
    all.retain(|(_, proposal)| !given.contains(&&*proposal.label));
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, proposal)| proposal).collect()
}

/// All types of nodes, by category.
fn node_types(types: &Types<'_>) -> Vec<Proposal> {
    use terrane_flow::Declare as _;
    let declared = [declared::Subgraph::spec(), declared::Repeat::spec()];
    let specs = types.registry.nodes().map(NodeType::spec).chain(declared);
    specs
        .map(|spec| {
            let needed = spec.inputs.iter().find(|input| !input.optional && input.default.is_none());
            let file = spec.params.iter().find(|param| param.default.is_none());
            let inside = match (needed, file) {
                (Some(input), _) => format!("{}: \"$0\"", input.name),
                (None, Some(param)) if matches!((param.shape)(), Shape::File | Shape::Text) => {
                    format!("{}: \"$0\"", param.name)
                }
                (None, Some(param)) => format!("{}: $0", param.name),
                (None, None) => "$0".to_owned(),
            };
            Proposal::new(spec.name, CompletionItemKind::Class, spec.category, spec.summary())
                .writes(format!("{}({inside})", spec.name))
        })
        .collect()
}

/// A name in quotes, unless the position is in quotes.
fn quoted(context: &Context<'_>, name: &str, kind: CompletionItemKind, detail: &str) -> Proposal {
    let text = if context.is_quoted { name.to_owned() } else { format!("\"{name}\"") };
    Proposal::new(name, kind, detail, "").writes(escaped(&text))
}

/// A name in quotes as a key.
fn key(context: &Context<'_>, name: &str, kind: CompletionItemKind, detail: &str) -> Proposal {
    let proposal = quoted(context, name, kind, detail);
    if context.is_quoted { proposal } else { Proposal { text: format!("{}: $0", proposal.text), ..proposal } }
}

/// A text in which a snippet has nothing to replace.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// The text of a snippet without its cursor, for editors that know no snippets.
fn without_cursor(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.extend(rest.next()),
            // The only thing that a snippet here replaces is `$0`.
            '$' => drop(rest.next()),
            c => text.push(c),
        }
    }
    text
}

/// The outputs that fit at a port, and parameters of the graph for numbers.
fn wires(
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
fn parameters(context: &Context<'_>, outline: &Outline<'_>) -> Vec<Proposal> {
    let of = |name: &&str| quoted(context, &format!("${name}"), CompletionItemKind::Constant, "parameter");
    outline.params.iter().map(|param| param.name).collect::<Vec<_>>().iter().map(of).collect()
}

/// Values of a shape: choices first, and parameters of the graph last.
fn values(
    context: &Context<'_>,
    outline: &Outline<'_>,
    shape: &Shape,
    param: &'static ParamSpec,
) -> Vec<Proposal> {
    let mut all = Vec::new();
    if !context.is_quoted {
        shapes(shape, &mut all);
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
fn shapes(shape: &Shape, all: &mut Vec<Proposal>) {
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
fn inner(
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
