//! What is probably not meant in a graph: warnings with names. A comment `// allow: NAME` in the graph allows
//! one, for the entry that follows or on its line, or for the whole file at its beginning.

mod allow;
mod degrees;
mod names;
mod unused;
mod values;
mod warning;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use terrane_flow::syntax::Tree;
use terrane_flow::{Graph, Loaded, SourceText};

use allow::Allowed;
pub use values::{constant_mask, export_warning, masks};
use warning::of_node;
pub use warning::{LINTS, Lint, Warning};

/// The warnings that a graph's text and the headers of its files tell. Nothing is evaluated.
#[must_use]
pub fn lint_graph(loaded: &Loaded, is_whole: bool) -> Vec<Warning> {
    let graph = &loaded.graph;
    let mut all = unused::parameters(graph);
    if is_whole {
        all.extend(unused::nodes(loaded));
    }
    all.extend(degrees::slopes(graph));
    all.extend(names::similar(graph));
    all.extend(names::files(graph));
    let spacing = terrane_nodes::spacing_warnings(graph).into_iter();
    all.extend(spacing.map(|(node, message)| of_node(graph, "import-spacing", node, message)));
    let unit = terrane_nodes::height_unit_warnings(graph).into_iter();
    all.extend(unit.map(|(node, message)| of_node(graph, "height-unit", node, message)));
    allowed(graph, all)
}

/// The warnings that no comment allows, and those about comments that allow nothing that exists. They are in
/// the order of the text.
#[must_use]
pub fn allowed(graph: &Graph, warnings: Vec<Warning>) -> Vec<Warning> {
    // Each text once, however many nodes it has.
    let mut sources: HashMap<*const SourceText, Arc<SourceText>> = HashMap::new();
    let located = graph.nodes.values().filter_map(|node| node.location.as_ref()).map(|own| &own.source);
    let placed = warnings.iter().filter_map(|own| own.diagnostic.place.as_ref()).map(|(source, _)| source);
    for source in located.chain(placed) {
        sources.entry(Arc::as_ptr(source)).or_insert_with(|| Arc::clone(source));
    }
    sources.retain(|_, source| source.text.contains("allow"));
    let texts: BTreeMap<_, _> = sources
        .into_iter()
        .map(|(at, source)| {
            let allowed = Allowed::of(&Tree::parse(Arc::clone(&source.text)));
            ((source.name.clone(), at), (source, allowed))
        })
        .collect();
    let is_allowed = |warning: &Warning| {
        let Some((source, span)) = &warning.diagnostic.place else { return false };
        let text = texts.get(&(source.name.clone(), Arc::as_ptr(source)));
        text.is_some_and(|(_, allowed)| allowed.allows(warning.diagnostic.code, span.start))
    };
    let mut kept: Vec<Warning> = warnings.into_iter().filter(|warning| !is_allowed(warning)).collect();
    kept.extend(texts.values().flat_map(|(source, allowed)| allowed.unknown(source)));
    let at = |warning: &Warning| warning.diagnostic.place.as_ref().map(|(_, span)| span.start);
    kept.sort_by_key(at);
    kept
}
