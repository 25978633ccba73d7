//! Changing a number in the text of a graph, and nothing else: what an editor does when a slider is moved.
//!
//! Every byte outside the changed value stays: comments, blanks, order, trailing commas, line ends. The text must hold
//! together as RON; whether the changed graph makes sense is the loader's to say.

mod structure;
mod text;

use crate::document;
use crate::report::Diagnostics;
pub use structure::{
    add_node, add_output, add_param, connect, disconnect, remove_node, remove_output, rename_node, reset,
};
use terrane_syntax::parameter_name;
use text::Text;

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
        "the value `{value}` cannot be read: {problem}; write a number, true, false, a Name, \"text\" in quotes or a list [a, b]"
    )]
    Value {
        /// The value as given.
        value: String,
        /// What RON says.
        problem: String,
    },
}

/// A place for a value in a graph's file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// A field of a node of this file.
    Field {
        /// The node, as this file calls it.
        node: String,
        /// The field.
        field: String,
    },
    /// A parameter that the graph declares in `params`.
    Param {
        /// Its name.
        name: String,
    },
    /// A parameter that a `Subgraph` node of this file hands in with its `params`.
    Given {
        /// The node, as this file calls it.
        node: String,
        /// The parameter's name.
        name: String,
    },
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Field { node, field } => write!(f, "{node}.{field}"),
            Self::Param { name } => write!(f, "${name}"),
            Self::Given { node, name } => write!(f, "{node}.params.{name}"),
        }
    }
}

/// Sets the value in a place, as a hand at a control means it: what the old value and the new have in common stays as it is
/// written, comments in it and all, and lists that become longer are laid out as [`format_text`](crate::format_text) lays
/// them out. A value bound to a parameter of the file moves that, and a field that is not given yet is added.
///
/// # Errors
/// As [`set_parameter`], and [`RewriteError::NotGiven`].
pub fn set_slot(text: &str, slot: &Slot, value: &str) -> Result<String, RewriteError> {
    Text::read(text)?.set_slot(slot, value)
}

/// Sets a parameter (or port) of a node, as a hand at a slider means it.
///
/// Where the field is bound to a parameter of the graph, as in `persistence: "$ruggedness"`, the author has said that
/// one number drives several nodes. Moving one of its sliders moves that number, in `params`, and the binding stays. A
/// value that is itself `"$name"` binds the field to another parameter, and [`set_field`] cuts the binding.
///
/// # Errors
/// As [`set_field`], and [`RewriteError::NoGraphParameter`] when the field is bound to what `params` does not declare.
pub fn set_parameter(text: &str, node: &str, parameter: &str, value: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    let call = graph.node(node)?;
    let field = call.fields.iter().find(|field| field.name == parameter);
    match field.and_then(|field| parameter_name(field.value.text())) {
        Some(name) if parameter_name(value_text(value)?).is_none() => graph.set_graph_parameter(name, value),
        _ => graph.set_field(&call, parameter, value),
    }
}

/// Writes one field of a node, adding it behind the others where it is not there yet. A binding to a parameter of the
/// graph is replaced.
///
/// # Errors
/// [`RewriteError::Text`] when the text does not parse, `NoNode`, `Name` for a field that can have no such name, and
/// `Value` when `value` is not one RON value.
pub fn set_field(text: &str, node: &str, field: &str, value: &str) -> Result<String, RewriteError> {
    let graph = Text::read(text)?;
    graph.set_field(&graph.node(node)?, field, value)
}

/// Sets a parameter that the graph declares in `params`.
///
/// # Errors
/// [`RewriteError::Text`], `Value`, and `NoGraphParameter` when there is none of this name.
pub fn set_graph_parameter(text: &str, name: &str, value: &str) -> Result<String, RewriteError> {
    Text::read(text)?.set_graph_parameter(name, value)
}

/// The value without blanks and comments around it, when it is one RON value.
fn value_text(value: &str) -> Result<&str, RewriteError> {
    document::one_value(value).map_err(|problem| RewriteError::Value { value: value.to_owned(), problem })
}

#[cfg(test)]
mod tests;
