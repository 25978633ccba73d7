//! Proposals in calls: types of files and nodes, and fields.

use gen_lsp_types::CompletionItemKind;
use terrane_flow::{InputSpec, NodeSpec, ParamSpec, Shape};

use super::proposal::{Proposal, escaped, named};
use crate::expected::Types;
use crate::likeness::{likeness, words};
use crate::offers::Offer;
use crate::outline::node_of;
use crate::usual::Usual;
use crate::words::{input_docs, param_docs, spaced};

/// The types of files.
pub fn files(types: &Types<'_>) -> Vec<Proposal> {
    let graph = types.registry.family().graph;
    let specs = std::iter::once(graph).chain(types.others.iter().copied());
    let body = |spec: &NodeSpec| match spec.name == graph.name {
        true => "Graph(\n    nodes: {\n        $0\n    },\n    outputs: {},\n)".to_owned(),
        false => format!("{}(\n    $0\n)", spec.name),
    };
    // An editor without snippets may not take line breaks either.
    let plain = |spec: &NodeSpec| match spec.name == graph.name {
        true => "Graph(nodes: {}, outputs: {})".to_owned(),
        false => format!("{}()", spec.name),
    };
    specs
        .map(|spec| {
            Proposal::new(spec.name, CompletionItemKind::Struct, "", spec.summary())
                .writes(body(spec))
                .plainly(plain(spec))
        })
        .collect()
}

/// The fields of a call: ports that must be connected, what similar nodes have, what matters most, and the
/// others. Fields are often written in the order in which they are declared. `unread` are the outputs that no
/// other node reads yet.
pub fn fields(
    specs: &[&'static NodeSpec],
    (before, behind): (&[&str], &[&str]),
    usual: Option<&Usual>,
    unread: &[&Offer],
) -> Vec<Proposal> {
    let inputs = || specs.iter().flat_map(|spec| spec.inputs);
    let order: Vec<&str> = specs.iter().flat_map(|spec| spec.fields()).collect();
    let at = |name: &str| order.iter().position(|own| *own == name);
    let (from, to) = (before.last().and_then(|name| at(name)), behind.first().and_then(|name| at(name)));
    let is_in_order = |name: &str| at(name) > from && (to.is_none() || at(name) < to);
    // The only port that takes an output which nothing reads, or one whose name says so, is what it is for.
    let is_for = |input: &InputSpec, offer: &Offer| {
        input.takes(offer.kind)
            && (inputs().filter(|own| own.takes(offer.kind)).count() == 1
                || likeness(&words(input.name), node_of(&offer.reference)) > 0)
    };
    let mut all: Vec<(i64, Proposal)> = Vec::new();
    for spec in specs {
        let main = |name: &str| spec.main.iter().position(|main| *main == name);
        for input in spec.inputs {
            let rank = match (input.optional || input.default.is_some(), main(input.name)) {
                (false, _) => 0,
                _ if unread.iter().any(|offer| is_for(input, offer)) => 10,
                (true, Some(at)) => 100 + at as i64,
                (true, None) => 202,
            };
            let (value, number) = if input.scalar { ("$0", " or a number") } else { ("\"$0\"", "") };
            let detail = format!("{}{number}", input.kinds());
            let proposal = Proposal::new(input.name, CompletionItemKind::Field, detail, &input_docs(input));
            all.push((rank, named(proposal, value)));
        }
        for param in spec.params {
            let rank = match (param.default.is_none(), main(param.name)) {
                (true, _) => 10,
                (false, Some(at)) => 100 + at as i64,
                (false, None) => 200,
            };
            let shape = (param.shape)();
            let value = match &shape {
                Shape::Map if usual.is_none() => "{\n    $0\n}",
                Shape::Map => "{ $0 }",
                Shape::Text | Shape::File => "\"$0\"",
                Shape::List(_) => "[$0]",
                Shape::Tuple(_) => &*tuple(param),
                _ => "$0",
            };
            let proposal = Proposal::new(
                param.name,
                CompletionItemKind::Property,
                shape.to_string(),
                &param_docs(param),
            );
            all.push((rank, named(proposal, value)));
        }
    }
    // Fields of files have the order in which they are usually written.
    let rank = |rank: i64, name: &str| {
        usual.map(|usual| rank - usual.field(name) as i64 + if is_in_order(name) { 0 } else { 60 })
    };
    all.iter_mut().for_each(|(own, proposal)| *own = rank(*own, &proposal.label).unwrap_or(0));
    all.retain(|(_, proposal)| !before.contains(&&*proposal.label) && !behind.contains(&&*proposal.label));
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, proposal)| proposal).collect()
}

/// A snippet of a tuple: its default, of which each part is replaced in turn.
fn tuple(param: &ParamSpec) -> String {
    let default = param.default.map(|default| spaced(&default())).unwrap_or_default();
    let inside = default.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let Some(inside) = inside.filter(|inside| !inside.contains(['(', '[', '"', '{'])) else {
        return "($0)".to_owned();
    };
    let parts: Vec<String> = inside
        .split(", ")
        .enumerate()
        .map(|(at, part)| format!("${{{}:{}}}", at + 1, escaped(part)))
        .collect();
    format!("({})", parts.join(", "))
}

/// All types of nodes: those whose name or whose words have what is typed, the best first, then all others by
/// category.
pub fn node_types(types: &Types<'_>, typed: &str) -> Vec<Proposal> {
    let specs: Vec<&'static NodeSpec> = types.nodes().collect();
    let mut found: Vec<&str> = Vec::new();
    if typed.len() > 1 {
        let by_words: Vec<&str> = types.finder().find(typed).types.iter().map(|own| own.spec.name).collect();
        // `ThermalErosion` fits "erosion" as well as `ErosionScore` does: then the words of types decide.
        let is_named = |name: &&str| {
            let lower = name.to_lowercase();
            let last = name.rfind(char::is_uppercase).unwrap_or_default();
            lower.starts_with(typed) || lower[last..] == *typed
        };
        found.extend(specs.iter().map(|spec| spec.name).filter(is_named));
        // `Drainage` comes before `DrainageDensity`.
        let shortest = |name: &str| {
            let begins = |own: &&&str| name.starts_with(**own);
            found.iter().filter(begins).min_by_key(|own| own.len()).copied().unwrap_or_default()
        };
        let rank = |name: &str| by_words.iter().position(|own| *own == name).unwrap_or(by_words.len());
        let mut ranked: Vec<(usize, usize, &str)> =
            found.iter().map(|name| (rank(shortest(name)), name.len(), *name)).collect();
        ranked.sort_unstable();
        found = ranked.into_iter().map(|(.., name)| name).collect();
        found.extend(by_words);
    }
    let rank = |spec: &NodeSpec| found.iter().position(|name| *name == spec.name).unwrap_or(found.len());
    let mut ranked: Vec<(usize, &'static NodeSpec)> = specs.iter().map(|spec| (rank(spec), *spec)).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked
        .into_iter()
        .map(|(rank, spec)| {
            let ports = spec.inputs.iter().filter(|input| !input.optional && input.default.is_none());
            let params = spec.params.iter().filter(|param| param.default.is_none());
            let is_text = |param: &ParamSpec| matches!((param.shape)(), Shape::File | Shape::Text);
            // A wire is proposed with its quotes: so it is no unknown name before, and the cursor goes on to
            // the next port after it.
            let needed: Vec<(&str, bool)> = ports
                .map(|input| (input.name, false))
                .chain(params.map(|param| (param.name, is_text(param))))
                .collect();
            let value = |(at, (name, is_text)): (usize, &(&str, bool))| match is_text {
                true => format!("{name}: \"${}\"", at + 1),
                false => format!("{name}: ${}", at + 1),
            };
            let inside: Vec<String> = needed.iter().enumerate().map(value).collect();
            let text = match inside.is_empty() {
                true => format!("{}($0)", spec.name),
                false => format!("{}({})$0", spec.name, inside.join(", ")),
            };
            let proposal = Proposal::new(spec.name, CompletionItemKind::Class, spec.category, spec.summary());
            // Editors order proposals by how well they match: those that were found match alike.
            let is_found = rank < found.len();
            let has_name = spec.name.to_lowercase().contains(typed);
            let detail = match is_found && !has_name {
                true => format!("{} ({typed})", spec.category),
                false => spec.category.to_owned(),
            };
            let filter = is_found.then(|| typed.to_owned());
            Proposal { filter, detail, ..proposal.writes(text).plainly(format!("{}()", spec.name)) }
        })
        .collect()
}
