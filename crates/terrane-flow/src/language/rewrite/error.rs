//! Errors of editing a text.

use crate::language::document;
use crate::report::Diagnostics;

/// Why a text was not changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The text is not a valid graph; the diagnostics state where and why.
    #[error("{0}")]
    Text(Diagnostics),
    /// There is no such node.
    #[error("the graph has no node `{name}`: {help}")]
    NoNode {
        /// The requested name.
        name: String,
        /// What to do.
        help: String,
    },
    /// The graph declares no such parameter.
    #[error("the graph has no parameter `{name}`: {help}")]
    NoGraphParameter {
        /// The requested name.
        name: String,
        /// What to do.
        help: String,
    },
    /// A subgraph node does not set such a parameter.
    #[error("the subgraph `{node}` does not set the parameter `{name}`: its `params` have changed")]
    NotGiven {
        /// The node that uses the subgraph.
        node: String,
        /// The requested name.
        name: String,
    },
    /// The node does not set the field.
    #[error("`{node}` does not set `{field}`: there is nothing to remove")]
    NoField {
        /// The node.
        node: String,
        /// The requested field.
        field: String,
    },
    /// The node does not set the field, and there is no default that could become a parameter.
    #[error("`{node}` does not set `{field}`, which has no default: set a value first")]
    NoValue {
        /// The node.
        node: String,
        /// The requested field.
        field: String,
    },
    /// There is no such output.
    #[error("the graph has no output `{name}`")]
    NoOutput {
        /// The requested name.
        name: String,
    },
    /// The name is already used.
    #[error("the name `{name}` is taken among the {what}s: choose another name")]
    Taken {
        /// The kind of thing that has the name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// No nodes were named.
    #[error("no nodes are given: name the nodes to move to a separate file")]
    NoNodes,
    /// It is unknown which fields of a node are wires.
    #[error(
        "`{node}` has the unknown type `{kind}`, so its connections cannot be updated: correct the type \
        first"
    )]
    NoType {
        /// The node.
        node: String,
        /// Its type.
        kind: String,
    },
    /// The node is not a subgraph.
    #[error("`{node}` is of type `{kind}`, and only a `Subgraph` can be inlined")]
    NotSubgraph {
        /// The node.
        node: String,
        /// Its type.
        kind: String,
    },
    /// The path is not valid for the file of a graph.
    #[error("`{name}` cannot be the subgraph's file: {reason}; write a path such as \"part.ron\"")]
    FileName {
        /// The path.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The graph would not have the same results.
    #[error("`{node}` cannot be moved unchanged: {reason}")]
    Inexact {
        /// The node.
        node: String,
        /// What would change.
        reason: String,
    },
    /// The name is not valid for a node.
    #[error("`{name}` is not a valid node name: {reason}")]
    NodeName {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// The name is not valid for a field.
    #[error("`{0}` is not a valid field name: use letters, digits and `_`")]
    Name(String),
    /// The new value is not a RON value.
    #[error(
        "the value `{value}` cannot be read: {problem}; write a number, true, false, a Name, \"text\" in \
        quotes or a list [a, b]"
    )]
    Value {
        /// The value as given.
        value: String,
        /// The parser's message.
        problem: String,
    },
}

/// The value without blanks and comments around it, if it is one RON value.
pub fn value_text(value: &str) -> Result<&str, RewriteError> {
    document::one_value(value).map_err(|problem| RewriteError::Value { value: value.to_owned(), problem })
}
