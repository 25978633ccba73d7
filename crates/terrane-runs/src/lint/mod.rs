//! What is probably not meant in a graph: warnings with names. A comment `// allow: NAME` in the graph allows
//! one, for the entry that follows or on its line, or for the whole file at its beginning.

mod allow;
mod degrees;
mod known;
mod names;
mod subjects;
mod unused;
mod values;
mod warning;

use terrane_flow::Loaded;

pub use allow::allowed;
pub use known::KnownValues;
pub use subjects::Subject;
pub use values::export_warning;
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
