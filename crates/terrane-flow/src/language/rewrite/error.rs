//! Why a text was not changed.

use crate::language::document;
use crate::report::Diagnostics;

/// Why a text was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The text is no graph; the diagnostic says where and why.
    #[error("{0}")]
    Text(Diagnostics),
    /// There is no such node.
    #[error("the graph has no node `{name}`: {help}")]
    NoNode {
        /// The name looked for.
        name: String,
        /// What to do.
        help: String,
    },
    /// The graph declares no such parameter.
    #[error("the graph has no parameter `{name}`: {help}")]
    NoGraphParameter {
        /// The name looked for.
        name: String,
        /// What to do.
        help: String,
    },
    /// A subgraph is not given such a parameter.
    #[error("the subgraph `{node}` is given no parameter `{name}`: its `params` was changed")]
    NotGiven {
        /// The node that uses the subgraph.
        node: String,
        /// The name looked for.
        name: String,
    },
    /// The node does not give the field.
    #[error("`{node}` does not give `{field}`: there is nothing to take away")]
    NoField {
        /// The node.
        node: String,
        /// The field looked for.
        field: String,
    },
    /// There is no such output.
    #[error("the graph has no output `{name}`")]
    NoOutput {
        /// The name looked for.
        name: String,
    },
    /// The name is another's.
    #[error("the name `{name}` is taken among the {what}s: choose another name")]
    Taken {
        /// What has the name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Nodes were to be named, and none is.
    #[error("no node is named: name those that move to a file of their own")]
    NoNodes,
    /// It cannot be told which fields of a node are wires.
    #[error(
        "`{node}` is of a type `{kind}` that is not known, so that its wires cannot follow: correct the type \
        first"
    )]
    NoType {
        /// The node.
        node: String,
        /// Its type.
        kind: String,
    },
    /// The node is no subgraph.
    #[error("`{node}` is of the type `{kind}`, and only a `Subgraph` can be taken apart")]
    NotSubgraph {
        /// The node.
        node: String,
        /// Its type.
        kind: String,
    },
    /// No file of a graph can lie there.
    #[error("`{name}` cannot be the subgraph's file: {reason}; write a path such as \"part.ron\"")]
    FileName {
        /// The path.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The graph would not have the same results.
    #[error("`{node}` cannot move as it is: {reason}")]
    Inexact {
        /// The node.
        node: String,
        /// What would change.
        reason: String,
    },
    /// No node can be called so.
    #[error("`{name}` cannot be a node's name: {reason}")]
    NodeName {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// A field cannot have this name.
    #[error("`{0}` is no name of a field: use letters, digits and `_`")]
    Name(String),
    /// The new value is no RON value.
    #[error(
        "the value `{value}` cannot be read: {problem}; write a number, true, false, a Name, \"text\" in \
        quotes or a list [a, b]"
    )]
    Value {
        /// The value as given.
        value: String,
        /// What RON says.
        problem: String,
    },
}

/// The value without blanks and comments around it, when it is one RON value.
pub fn value_text(value: &str) -> Result<&str, RewriteError> {
    document::one_value(value).map_err(|problem| RewriteError::Value { value: value.to_owned(), problem })
}
