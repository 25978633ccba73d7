//! A warning, and the names of all.

use std::ops::Range as Span;
use std::sync::Arc;

use terrane_flow::{Diagnostic, Graph, SourceText};

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
    lint("similar-names", "names that differ only in case, or in how accents are stored"),
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

/// A warning about a node or an output, at its name.
pub fn of_node(graph: &Graph, lint: &'static str, node: String, message: String) -> Warning {
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
