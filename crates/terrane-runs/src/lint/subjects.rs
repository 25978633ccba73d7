//! The values of a graph that have warnings.

use terrane_flow::{Graph, Loaded, Reference, Value};

use super::values::{constant_mask, export_warning, masks};
use super::warning::Warning;
use crate::outputs;

/// A value that has warnings.
#[derive(Clone, Debug)]
pub enum Subject {
    /// What an output file has, by the position of the output.
    File(usize),
    /// A mask, by its reference.
    Mask(Reference),
}

impl Subject {
    /// The values of a graph that have warnings. Masks that no output needs are not among them: they have a
    /// warning of their own.
    #[must_use]
    pub fn all(loaded: &Loaded) -> Vec<Self> {
        let graph = &loaded.graph;
        let ends = graph.outputs.iter().filter_map(|entry| Some(graph.find(&entry.from).ok()?.0));
        let needed = loaded.plan.needed(ends);
        let reference = |(node, output): (usize, usize)| {
            let name = graph.nodes[node].node().spec().outputs[output].name;
            Reference { node: (&*loaded.plan.names[node]).into(), output: Some(name.into()) }
        };
        let masks = masks(loaded).into_iter().filter(|(node, _)| needed[*node]);
        (0..graph.outputs.len()).map(Self::File).chain(masks.map(reference).map(Self::Mask)).collect()
    }

    /// The output that has the value.
    #[must_use]
    pub fn reference<'a>(&'a self, graph: &'a Graph) -> &'a Reference {
        match self {
            Self::File(index) => &graph.outputs[*index].from,
            Self::Mask(reference) => reference,
        }
    }

    /// The warning of the value.
    #[must_use]
    pub fn warning(&self, graph: &Graph, value: &Value) -> Option<Warning> {
        match self {
            Self::File(index) => {
                let entry = &graph.outputs[*index];
                export_warning(graph, entry, &outputs::options(graph, entry).ok()?, value)
            }
            Self::Mask(reference) => constant_mask(graph, &reference.node, value),
        }
    }
}
