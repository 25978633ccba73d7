//! Graphs: named nodes, their connections, and the requested outputs.

use std::collections::BTreeMap;
use std::ops::Range as Span;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use crate::model::context::Header;
use crate::model::keep::Keep;
use crate::model::key::NodePart;
use crate::model::node::{Declare, Evaluate, Node};
use crate::model::origin::{Location, Scope};
use crate::model::port::{Output, Reference, Source};
use crate::model::value::Data;
use crate::report::SourceText;

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct GraphNode {
    node: Box<dyn Node>,
    /// Its position in the text; `None` if it was created in code.
    pub location: Option<Location>,
    /// Whether its results are kept for other runs, if the graph sets it.
    pub keep: Option<Keep>,
    /// Why it cannot be evaluated before more of its ports are connected. Only in graphs that were loaded
    /// with [`LoadOptions::unconnected`](crate::LoadOptions::unconnected).
    pub lacks: Option<String>,
    /// A header that replaces the graph's header for this node.
    header: Option<Arc<dyn Header>>,
    /// The part of the key that depends on this node alone; computed on first use.
    own: OnceLock<NodePart>,
}

impl GraphNode {
    /// A node and its position in the text.
    #[must_use]
    pub fn new(node: Box<dyn Node>, location: Option<Location>) -> Self {
        Self { node, location, keep: None, lacks: None, header: None, own: OnceLock::new() }
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &(dyn Node + 'static) {
        &*self.node
    }

    /// The node, for changes.
    pub fn node_mut(&mut self) -> &mut (dyn Node + 'static) {
        self.own.take();
        &mut *self.node
    }

    /// Replaces the node.
    pub fn replace(&mut self, node: Box<dyn Node>) {
        self.own.take();
        self.node = node;
    }

    /// Sets a header that replaces the graph's header for this node, such as one for a larger area.
    pub fn set_header(&mut self, header: Arc<dyn Header>) {
        self.own.take();
        self.header = Some(header);
    }

    /// The part of the key that depends on this node alone.
    pub(crate) fn own(&self) -> &NodePart {
        self.own.get_or_init(|| NodePart::new(&*self.node, self.header.as_deref()))
    }
}

/// An output file of a graph.
#[derive(Clone, Debug)]
pub struct OutputEntry {
    /// The file's path, relative to the folder of outputs.
    pub file: String,
    /// The output that is written to it.
    pub from: Reference,
    /// Options for the family's writer: name and RON text.
    pub options: Vec<(String, String)>,
    /// The positions of the options' names and values, in the same order; empty if the entry was created in
    /// code.
    pub option_spans: Vec<[Span<usize>; 2]>,
    /// The position of the entry; `None` if it was created in code.
    pub location: Option<(Arc<SourceText>, Span<usize>)>,
}

/// Nodes by name, in order.
pub type Nodes = IndexMap<String, GraphNode, ahash::RandomState>;

/// A graph: loaded from text by [`crate::load_file`], or built in code.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The settings besides the nodes.
    pub header: Arc<dyn Header>,
    /// The graph's seed.
    pub seed: u64,
    /// The nodes by name, in the order of the text.
    pub nodes: Nodes,
    /// The output files.
    pub outputs: Vec<OutputEntry>,
    /// The parameters that its main file declares.
    pub scope: Arc<Scope>,
    /// The names of the profiles that its main file declares.
    pub profiles: Vec<String>,
    /// Every file that the graph depends on. These are its main file, the files of its subgraphs, and the
    /// files that its nodes import, with their companions. Some of these files may not exist.
    pub files: Vec<PathBuf>,
    /// The texts of the graph files as they were read, by canonical path.
    pub texts: BTreeMap<PathBuf, Arc<str>>,
}

impl Graph {
    /// A graph without nodes.
    #[must_use]
    pub fn new(header: impl Header) -> Self {
        Self {
            header: Arc::new(header),
            seed: 0,
            nodes: Nodes::default(),
            outputs: Vec::new(),
            scope: Arc::default(),
            profiles: Vec::new(),
            files: Vec::new(),
            texts: BTreeMap::new(),
        }
    }

    /// Sets the seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The header for a node.
    #[must_use]
    pub fn header_of(&self, node: usize) -> &dyn Header {
        self.nodes[node].header.as_deref().unwrap_or(&*self.header)
    }

    /// The ports of a node that need a wire and have none, as positions in its spec. Such nodes exist only in
    /// graphs that were loaded with [`LoadOptions::unconnected`](crate::LoadOptions::unconnected), or built
    /// in code.
    #[must_use]
    pub fn unconnected(&self, node: usize) -> Vec<usize> {
        let node = self.nodes[node].node();
        let inputs = node.spec().inputs.iter().enumerate();
        let is_unset = |index: usize| matches!(node.port(index).source(), Source::Unset);
        inputs.filter(|(index, input)| !input.optional && is_unset(*index)).map(|(index, _)| index).collect()
    }

    /// Adds a node, or replaces the node of the same name. Returns typed handles for the node's outputs.
    pub fn add<T: Evaluate>(&mut self, name: &str, node: T) -> <T as Declare>::Handles {
        self.nodes.insert(name.to_owned(), GraphNode::new(Box::new(node), None));
        T::handles(name)
    }

    /// Adds an output file.
    pub fn output<T: Data>(&mut self, file: &str, from: &Output<T>) {
        self.outputs.push(OutputEntry {
            file: file.to_owned(),
            from: from.reference().clone(),
            options: Vec::new(),
            option_spans: Vec::new(),
            location: None,
        });
    }
}
