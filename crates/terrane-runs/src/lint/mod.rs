//! What is probably not meant in a graph: warnings with names. A comment `// allow: NAME` in the graph allows
//! one, for the entry that follows or on its line, or for the whole file at its beginning.

mod allow;
mod degrees;
mod names;
mod unused;
mod values;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range as Span;
use std::sync::Arc;

use terrane_flow::syntax::{Edit, Tree};
use terrane_flow::{Diagnostic, Graph, Loaded, SourceText};

use allow::Allowed;
pub use values::{constant_mask, export_warning, masks};

/// A kind of warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lint {
    /// Its name, which a comment can allow.
    pub name: &'static str,
    /// What it finds.
    pub finds: &'static str,
}

/// All lints.
pub const LINTS: [Lint; 10] = [
    lint("unused-node", "a node that no output needs"),
    lint("unused-parameter", "a parameter of the graph that nothing uses"),
    lint("slope-in-degrees", "a slope above 10, which looks like degrees instead of rise over run"),
    lint("height-unit", "heights in another unit than the spacing: nearly flat or towering terrain"),
    lint("import-spacing", "an imported file whose samples are not as far apart as the graph says"),
    lint("similar-names", "names that differ only in case or in accents"),
    lint("file-names", "a file whose name is not possible on every system"),
    lint("constant-mask", "a mask that has the same value everywhere"),
    lint("clipped-export", "a file that clips more than half of the heights"),
    lint("coarse-export", "a file that uses less than 1/256 of its whole numbers"),
];

const fn lint(name: &'static str, finds: &'static str) -> Lint {
    Lint { name, finds }
}

/// A warning about something in a graph.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The node, the parameter or the output that it is about; empty if it is about the file.
    pub node: String,
    /// What is odd and where. Its code is the lint's name.
    pub diagnostic: Diagnostic,
}

impl Warning {
    /// A warning of a lint.
    #[must_use]
    pub fn new(
        lint: &'static str,
        node: impl Into<String>,
        place: Option<(Arc<SourceText>, Span<usize>)>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self { node: node.into(), diagnostic: Diagnostic::new(place, message, help).coded(lint) }
    }

    /// The message with what to do.
    #[must_use]
    pub fn text(&self) -> String {
        match self.diagnostic.help.as_str() {
            "" => self.diagnostic.message.clone(),
            help => format!("{}; {help}", self.diagnostic.message),
        }
    }
}

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

/// A warning about a node or an output, at its name.
fn of_node(graph: &Graph, lint: &'static str, node: String, message: String) -> Warning {
    let place = place(graph, &node);
    Warning::new(lint, node, place, message, "")
}

/// Where a node or an output is written.
fn place(graph: &Graph, name: &str) -> Option<(Arc<SourceText>, Span<usize>)> {
    if let Some(location) = graph.nodes.get(name).and_then(|node| node.location.as_ref()) {
        return Some((Arc::clone(&location.source), location.name.clone()));
    }
    graph.outputs.iter().find(|output| output.file == name)?.location.clone()
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

/// The edit that turns a text into another one: what is between their common beginning and end.
#[must_use]
pub fn edit_between(before: &str, after: &str) -> Edit {
    let start = before
        .char_indices()
        .zip(after.chars())
        .find(|((_, a), b)| a != b)
        .map_or(before.len().min(after.len()), |((at, _), _)| at);
    let (old, new) = (&before[start..], &after[start..]);
    let common: usize =
        old.chars().rev().zip(new.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let text = new[..new.len() - common].to_owned();
    Edit { span: start..before.len() - common, text }
}
