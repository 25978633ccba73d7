//! Proposals in calls: types of files and nodes, and fields.

use gen_lsp_types::CompletionItemKind;
use terrane_flow::{NodeSpec, NodeType, Shape, declared};

use super::proposal::Proposal;
use crate::expected::Types;
use crate::usual::Usual;
use crate::words::{input_docs, param_docs};

/// The types of files.
pub fn files(types: &Types<'_>) -> Vec<Proposal> {
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

/// The fields of a call: ports that must be connected, what similar nodes have, what matters most, and the
/// others.
pub fn fields(specs: &[&'static NodeSpec], given: &[&str], usual: Option<&Usual>) -> Vec<Proposal> {
    let mut all: Vec<(usize, Proposal)> = Vec::new();
    for spec in specs {
        let main = |name: &str| spec.main.iter().position(|main| *main == name);
        for input in spec.inputs {
            let rank = match (input.optional || input.default.is_some(), main(input.name)) {
                (false, _) => 0,
                (true, Some(at)) => 100 + at,
                (true, None) => 120,
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
    if let Some(usual) = usual {
        all.iter_mut().for_each(|(rank, own)| *rank = rank.saturating_sub(usual.field(&own.label)));
    } else {
        // Fields of files in the order in which they are usually written.
        all.iter_mut().for_each(|(rank, _)| *rank = 0);
    }
    all.retain(|(_, proposal)| !given.contains(&&*proposal.label));
    all.sort_by_key(|(rank, _)| *rank);
    all.into_iter().map(|(_, proposal)| proposal).collect()
}

/// All types of nodes, by category.
pub fn node_types(types: &Types<'_>) -> Vec<Proposal> {
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
