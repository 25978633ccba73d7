//! The family of toy graphs.

use std::path::Path;
use std::sync::Arc;

use terrane_flow_derive::Declare;

use super::fields::{Plus, Rise, Rising, Top};
use super::header::Toy;
use super::log::Log;
use super::nodes::{
    Add, Choose, Count, Cover, Fail, Fill, Floor, Measure, Paint, Panic, Peek, Read, Size, Split, Take, Wait,
    Warn,
};
use super::values::Number;
use crate::engine::{Evaluation, Wanted};
use crate::language::{LoadOptions, Loaded, declared, load};
use crate::model::entries::Entries;
use crate::model::node::Declare as _;
use crate::model::registry::{Family, Registry};

/// A toy graph.
#[derive(Clone, Debug, Declare)]
struct ToyGraph {
    /// The forecast size of a block in bytes.
    #[param(default = 0.0)]
    size: f64,
    /// The seed.
    #[param(default = 0)]
    seed: u64,
    /// Parameters.
    #[param(default = Entries)]
    params: Entries,
}

/// The family of toy graphs, for registries with a selection of the toy nodes.
#[must_use]
pub fn family() -> Family {
    let family = declared::family(|fields, _| {
        Arc::new(Toy { size: ToyGraph::from_fields(fields).size, log: Log::default() })
    });
    Family { graph: ToyGraph::spec(), ..family }
}

/// A registry of all toy nodes.
///
/// # Panics
/// Never: all names differ.
#[must_use]
pub fn registry() -> Registry {
    let mut registry = Registry::new(family());
    let added = [
        registry.add::<Take>(),
        registry.add::<Add>(),
        registry.add::<Read>(),
        registry.add::<Count>(),
        registry.add::<Floor>(),
        registry.add::<Split>(),
        registry.add::<Wait>(),
        registry.add::<Size>(),
        registry.add::<Peek>(),
        registry.add::<Choose>(),
        registry.add::<Warn>(),
        registry.add::<Fail>(),
        registry.add::<Panic>(),
        registry.add::<Fill>(),
        registry.add::<Paint>(),
        registry.add::<Cover>(),
        registry.add::<Measure>(),
        registry.add::<Rise>(),
        registry.add::<Rising>(),
        registry.add::<Plus>(),
        registry.add::<Top>(),
    ];
    assert!(added.iter().all(Result::is_ok), "names of toys differ");
    registry
}

/// Creates toy graphs that share a log.
#[derive(Clone, Debug, Default)]
pub struct Toys {
    /// The log of nodes that ran, and gates.
    pub log: Log,
}

impl Toys {
    /// A graph with nodes that are written as the entries of a map: `"a": Take(), "b": Add(a: "a")`.
    ///
    /// # Panics
    /// If the text has mistakes.
    #[must_use]
    pub fn graph(&self, nodes: &str) -> Arc<Loaded> {
        self.load(Path::new("."), &format!("Graph(nodes: {{ {nodes} }})"))
    }

    /// A graph from its text. File paths are relative to `folder`.
    ///
    /// # Panics
    /// If the text has mistakes.
    #[must_use]
    pub fn load(&self, folder: &Path, text: &str) -> Arc<Loaded> {
        let loaded = load("toys.ron", text, folder, &registry(), &LoadOptions::default())
            .unwrap_or_else(|mistakes| panic!("{}\n{text}", mistakes.render(false)));
        self.logged(Arc::new(loaded))
    }

    /// The same graph, with this log.
    #[must_use]
    pub fn logged(&self, mut loaded: Arc<Loaded>) -> Arc<Loaded> {
        let size = loaded.graph.header.value_bytes("block") as f64;
        Arc::make_mut(&mut loaded).graph.header = Arc::new(Toy { size, log: self.log.clone() });
        loaded
    }
}

/// Outputs by name: `"node"` or `"node.output"`.
#[must_use]
pub fn wanted(names: &[&str]) -> Vec<Wanted> {
    names.iter().map(|&name| name.into()).collect()
}

/// The wanted number at a position, if present.
#[must_use]
pub fn number(evaluation: &Evaluation, at: usize) -> Option<f64> {
    evaluation.outputs.get(at)?.value.as_ref()?.get::<Number>().map(|number| number.0)
}
