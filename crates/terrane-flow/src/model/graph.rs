//! A graph: named nodes, wired, with the outputs that are wanted.

use std::collections::BTreeMap;
use std::ops::Range as Span;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use crate::model::context::Header;
use crate::model::home::{Location, Scope};
use crate::model::keep::Keep;
use crate::model::key::Own;
use crate::model::node::{Declare, Evaluate, Node};
use crate::model::port::{Output, Reference};
use crate::model::value::Data;
use crate::report::SourceText;

/// A node of a graph.
#[derive(Clone, Debug)]
pub struct GraphNode {
    node: Box<dyn Node>,
    /// Where it stands; `None` when it was made in code.
    pub location: Option<Location>,
    /// Whether its results are kept for other runs, where the graph says so.
    pub keep: Option<Keep>,
    /// What stands for the graph's header, where the node has one of its own.
    header: Option<Arc<dyn Header>>,
    /// The node's own part of its key, once it was asked for.
    own: OnceLock<Own>,
}

impl GraphNode {
    /// A node, and where it stands.
    #[must_use]
    pub fn new(node: Box<dyn Node>, location: Option<Location>) -> Self {
        Self { node, location, keep: None, header: None, own: OnceLock::new() }
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &(dyn Node + 'static) {
        &*self.node
    }

    /// The node, to be changed.
    pub fn node_mut(&mut self) -> &mut (dyn Node + 'static) {
        self.own.take();
        &mut *self.node
    }

    /// Puts another node in its place.
    pub fn replace(&mut self, node: Box<dyn Node>) {
        self.own.take();
        self.node = node;
    }

    /// Lets the node see another header than the graph's: that of more ground than it asks for, say.
    pub fn set_header(&mut self, header: Arc<dyn Header>) {
        self.own.take();
        self.header = Some(header);
    }

    /// The node's own part of its key.
    pub(crate) fn own(&self) -> &Own {
        self.own.get_or_init(|| Own::new(&*self.node, self.header.as_deref()))
    }
}

/// A file that a graph asks for.
#[derive(Clone, Debug)]
pub struct OutputEntry {
    /// The file's path, relative to the folder of outputs.
    pub file: String,
    /// The output that goes into it.
    pub from: Reference,
    /// Options, name and RON text, for the family's writer.
    pub options: Vec<(String, String)>,
    /// Where the names and the values of the options stand, in the same order; empty where the entry was made
    /// in code.
    pub option_spans: Vec<[Span<usize>; 2]>,
    /// Where the entry stands; `None` when it was made in code.
    pub location: Option<(Arc<SourceText>, Span<usize>)>,
}

/// Nodes by name, in order.
pub type Nodes = IndexMap<String, GraphNode, ahash::RandomState>;

/// A graph: loaded from text by [`crate::load_file`], or built in code.
#[derive(Clone, Debug)]
pub struct Graph {
    /// What the graph says beside its nodes.
    pub header: Arc<dyn Header>,
    /// The graph's seed.
    pub seed: u64,
    /// The nodes, by name, in order of the text.
    pub nodes: Nodes,
    /// The files asked for.
    pub outputs: Vec<OutputEntry>,
    /// The parameters that its own file declares.
    pub scope: Arc<Scope>,
    /// The names of the profiles that its own file declares.
    pub profiles: Vec<String>,
    /// Every file that the graph was made from: its own, its subgraphs', and what its nodes import with their
    /// companions, which need not be there.
    pub files: Vec<PathBuf>,
    /// The texts among them as they were read, by canonical path.
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

    /// The same graph with another seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The header that a node sees.
    #[must_use]
    pub fn header_of(&self, node: usize) -> &dyn Header {
        self.nodes[node].header.as_deref().unwrap_or(&*self.header)
    }

    /// Adds a node, in place of any of the same name, and gives typed handles on its outputs.
    pub fn add<T: Evaluate>(&mut self, name: &str, node: T) -> <T as Declare>::Handles {
        self.nodes.insert(name.to_owned(), GraphNode::new(Box::new(node), None));
        T::handles(name)
    }

    /// Asks for a file of an output.
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
