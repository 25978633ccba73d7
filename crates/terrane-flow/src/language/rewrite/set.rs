//! Sets values in the text of a graph.

use super::error::RewriteError;
use super::graph_text::GraphText;
use crate::model::origin::Slot;

/// Sets the value in a slot, as an interactive control would. Parts that the old and the new value have in
/// common keep their text and comments. Lists that become longer are laid out as
/// [`format_text`](crate::format_text) does. If the value is bound to a parameter of the file, the parameter
/// is set instead. A missing field is added.
///
/// # Errors
/// As [`set_parameter`], and [`RewriteError::NotGiven`].
pub fn set_slot(text: &str, slot: &Slot, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_slot(slot, value)?;
    Ok(graph.into_text())
}

/// Sets a parameter (or port) of a node, as a slider would.
///
/// A field that is bound to a graph parameter, as in `persistence: "$ruggedness"`, shares that number with
/// other nodes. So the number in `params` is set, and the binding is kept. A value of the form `"$name"`
/// binds the field to another parameter. [`set_field`] removes the binding.
///
/// # Errors
/// As [`set_field`], and [`RewriteError::NoGraphParameter`] if the field is bound to a parameter that
/// `params` does not declare.
pub fn set_parameter(text: &str, node: &str, parameter: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_parameter(node, parameter, value)?;
    Ok(graph.into_text())
}

/// Sets one field of a node, or appends it if it is missing. A binding to a graph parameter is replaced.
///
/// # Errors
/// [`RewriteError::Text`] if the text does not parse, `NoNode`, `Name` if the field name is invalid, and
/// `Value` if `value` is not one RON value.
pub fn set_field(text: &str, node: &str, field: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_field(node, field, value)?;
    Ok(graph.into_text())
}

/// Sets a parameter that the graph declares in `params`.
///
/// # Errors
/// [`RewriteError::Text`], `Value`, and `NoGraphParameter` if no parameter has this name.
pub fn set_graph_parameter(text: &str, name: &str, value: &str) -> Result<String, RewriteError> {
    let mut graph = GraphText::new(text)?;
    graph.set_graph_parameter(name, value)?;
    Ok(graph.into_text())
}
