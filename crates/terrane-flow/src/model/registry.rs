//! The registry of node types and kinds of value that graphs of one family can use.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::context::Header;
use crate::model::field_error::FieldError;
use crate::model::fields::{Field, Fields};
use crate::model::graph::Graph;
use crate::model::node::{Evaluate, Node};
use crate::model::spec::NodeSpec;
use crate::model::value::Kind;

/// Reads a header from the fields of a graph's text that are not maps. The `overrides` come from the command
/// line and take precedence. Mistakes are reported to `fields`. If there are any, the header is not used.
pub type ReadHeader = fn(fields: &mut Fields<'_>, overrides: &[(String, String)]) -> Arc<dyn Header>;

/// Completes the header of a graph whose nodes were read, such as by what the files of its nodes say. The
/// `overrides` are those of [`ReadHeader`]. Mistakes are reported to `fields` with [`Fields::refuse`]. The
/// graph may have other mistakes.
pub type Settle = fn(graph: &mut Graph, fields: &mut Fields<'_>, overrides: &[(String, String)]);

/// Checks before a run whether an output of a kind can be written to the file with this name. The graph may
/// have other mistakes.
pub type CheckOutput = fn(
    kind: &Kind,
    file: &str,
    options: &[Field<'_>],
    from: CheckedOutput<'_>,
) -> Result<(), Vec<FieldError>>;

/// The source of an output that is checked before a run.
#[derive(Clone, Copy)]
pub struct CheckedOutput<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The name of the output's node.
    pub node: &'a str,
    /// Whether the value can have holes.
    pub holes: bool,
}

/// The files that may be written together with an output of this name, such as a description of its content.
/// No output may have the name of another output's companion.
pub type Companions = fn(file: &str) -> Vec<String>;

/// A family of graphs, defined by its header and its output files.
#[derive(Clone)]
pub struct Family {
    /// The spec of the header's fields in the text of a graph. It does not contain the fields that every
    /// graph has: `seed`, `params`, `profiles`, `nodes` and `outputs`. The spec's name is `Graph`.
    pub graph: &'static NodeSpec,
    /// The spec of the fields of an output's `Export`. It does not contain `from`, which every output has.
    pub export: &'static NodeSpec,
    /// Reads the header.
    pub read_header: ReadHeader,
    /// Completes the header.
    pub settle: Settle,
    /// Checks an output.
    pub check_output: CheckOutput,
    /// Names the companions of an output's file.
    pub companions: Companions,
}

/// A registered node type.
pub struct NodeType {
    spec: &'static NodeSpec,
    read: Arc<Read>,
}

/// Reads a node of one type.
type Read = dyn Fn(&mut Fields<'_>) -> Box<dyn Node> + Send + Sync;

impl NodeType {
    /// The spec of the type.
    #[must_use]
    pub const fn spec(&self) -> &'static NodeSpec {
        self.spec
    }

    /// Reads a node of this type.
    #[must_use]
    pub fn read(&self, fields: &mut Fields<'_>) -> Box<dyn Node> {
        (self.read)(fields)
    }
}

/// The node types and kinds of value that graphs of one family can use. Any crate may add types and kinds.
pub struct Registry {
    family: Family,
    nodes: IndexMap<&'static str, NodeType>,
    kinds: IndexMap<&'static str, &'static Kind>,
    lacking: IndexMap<&'static str, &'static str>,
}

/// Two node types, or two kinds of value, with the same name.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("the name `{0}` is taken: choose another for the one registered last")]
pub struct NameTaken(pub &'static str);

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.nodes().map(|node| node.spec().name)).finish()
    }
}

impl Registry {
    /// An empty registry of a family.
    #[must_use]
    pub fn new(family: Family) -> Self {
        Self { family, nodes: IndexMap::new(), kinds: IndexMap::new(), lacking: IndexMap::new() }
    }

    /// Adds a node type.
    ///
    /// # Errors
    /// [`NameTaken`] if a type of that name exists. The registry is then unchanged.
    pub fn add<T: Evaluate>(&mut self) -> Result<(), NameTaken> {
        self.add_dynamic(T::spec(), Arc::new(|fields| Box::new(T::from_fields(fields))))
    }

    /// Adds a node type that is defined at run time. `read` creates a node with this spec from its fields.
    ///
    /// # Errors
    /// As [`Registry::add`].
    pub fn add_dynamic(&mut self, spec: &'static NodeSpec, read: Arc<Read>) -> Result<(), NameTaken> {
        if self.nodes.contains_key(spec.name) {
            return Err(NameTaken(spec.name));
        }
        for kind in spec.inputs.iter().map(|i| i.kind).chain(spec.outputs.iter().map(|o| o.kind)) {
            self.add_kind(kind)?;
        }
        self.nodes.insert(spec.name, NodeType { spec, read });
        Ok(())
    }

    /// Names a node type that this build lacks, because it needs a feature of a package that is not switched
    /// on. A graph that uses the type is told so.
    pub fn add_lacking(&mut self, name: &'static str, feature: &'static str) {
        self.lacking.insert(name, feature);
    }

    /// The feature that a build needs in order to have a node type, if this build lacks it.
    #[must_use]
    pub fn lacking(&self, name: &str) -> Option<&'static str> {
        self.lacking.get(name).copied()
    }

    fn add_kind(&mut self, kind: &'static Kind) -> Result<(), NameTaken> {
        match self.kinds.get(kind.name) {
            Some(known) if *known != kind => Err(NameTaken(kind.name)),
            Some(_) => Ok(()),
            None => {
                self.kinds.insert(kind.name, kind);
                Ok(())
            }
        }
    }

    /// The family.
    #[must_use]
    pub const fn family(&self) -> &Family {
        &self.family
    }

    /// A node type by name.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<&NodeType> {
        self.nodes.get(name)
    }

    /// All node types, in order of registration.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeType> {
        self.nodes.values()
    }

    /// A kind of value by name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static Kind> {
        self.kinds.get(name).copied()
    }
}
