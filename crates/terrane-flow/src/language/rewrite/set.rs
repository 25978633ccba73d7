//! Setting a value of a graph's text.

use super::error::RewriteError;
use super::graph_text::GraphText;
use crate::model::home::Slot;

/// Sets the value in a place, as a hand at a control means it: what the old value and the new have in common
/// stays as it is written, comments in it and all, and lists that become longer are laid out as
/// [`format_text`](crate::format_text) lays them out. A value bound to a parameter of the file moves that,
/// and a field that is not given yet is added.
///
/// # Errors
/// As [`set_parameter`], and [`RewriteError::NotGiven`].
pub fn set_slot(text: &str, slot: &Slot, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_slot(slot, value)?;
    Ok(graph.into_text())
}

/// Sets a parameter (or port) of a node, as a hand at a slider means it.
///
/// Where the field is bound to a parameter of the graph, as in `persistence: "$ruggedness"`, the author has
/// said that one number drives several nodes. Moving one of its sliders moves that number, in `params`, and
/// the binding stays. A value that is itself `"$name"` binds the field to another parameter, and
/// [`set_field`] cuts the binding.
///
/// # Errors
/// As [`set_field`], and [`RewriteError::NoGraphParameter`] when the field is bound to what `params` does not
/// declare.
pub fn set_parameter(text: &str, node: &str, parameter: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_parameter(node, parameter, value)?;
    Ok(graph.into_text())
}

/// Writes one field of a node, adding it behind the others where it is not there yet. A binding to a
/// parameter of the graph is replaced.
///
/// # Errors
/// [`RewriteError::Text`] when the text does not parse, `NoNode`, `Name` for a field that can have no such
/// name, and `Value` when `value` is not one RON value.
pub fn set_field(text: &str, node: &str, field: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_field(node, field, value)?;
    Ok(graph.into_text())
}

/// Sets a parameter that the graph declares in `params`.
///
/// # Errors
/// [`RewriteError::Text`], `Value`, and `NoGraphParameter` when there is none of this name.
pub fn set_graph_parameter(text: &str, name: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_graph_parameter(name, value)?;
    Ok(graph.into_text())
}
