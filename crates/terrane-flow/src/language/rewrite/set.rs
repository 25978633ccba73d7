//! Sets values in the text of a graph.

use terrane_syntax::{Edit, Value, format_value, insert, literal, merge, parameter_name, remove};

use super::entries::header_added;
use super::error::{RewriteError, value_text};
use super::graph_text::GraphText;
use crate::language::document::{self, Call, Entry};
use crate::language::names::is_file;
use crate::model::origin::Slot;

impl GraphText {
    /// Sets the value in a slot, as an interactive control would. Parts that the old and the new value have
    /// in common keep their text and comments. Lists that become longer are laid out as
    /// [`format_text`](crate::format_text) does. If the value is bound to a parameter of the file, the
    /// parameter is set instead. A missing field is added.
    ///
    /// # Errors
    /// As [`Self::set_parameter`], and [`RewriteError::NotGiven`].
    pub fn set_slot(&mut self, slot: &Slot, value: &str) -> Result<(), RewriteError> {
        let value = value_text(value)?;
        let old = match slot {
            Slot::Param { name } => self.graph_parameter(name)?,
            Slot::Header { field } => match self.section(field)?.1 {
                Some(entry) => entry.value,
                None => {
                    *self = self.changed(&header_added(self, &format!("{field}: {value}"))?);
                    return Ok(());
                }
            },
            Slot::Given { node, name } => self.given(node, name)?,
            Slot::Field { node, field } => match field_of(&self.node(node)?, field) {
                Some(entry) => entry.value,
                None => return self.add_field(node, field, value),
            },
        };
        let old = match parameter_name(old.text()) {
            Some(name) => self.graph_parameter(name)?,
            None => old,
        };
        let merged = merge(old.text(), value);
        let edit =
            if merged.restructured { self.laid_out(old, &merged.text) } else { replaced(old, &merged.text) };
        *self = self.changed(&[edit]);
        Ok(())
    }

    /// The type of a node, and the text of one of its fields if the field is present.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn field(&self, node: &str, field: &str) -> Result<(&str, Option<&str>), RewriteError> {
        let call = self.node(node)?;
        Ok((call.name, field_of(&call, field).map(|entry| entry.value.text())))
    }

    /// The name of the first node of a type.
    #[must_use]
    pub fn first_of_type(&self, kind: &str) -> Option<String> {
        let nodes = self.entries("nodes").ok()?;
        let node = nodes.iter().find(|node| node.value.call().is_some_and(|call| call.name() == kind))?;
        Some(node.name.to_owned())
    }

    /// Sets a parameter (or port) of a node, as a slider would.
    ///
    /// A field that is bound to a graph parameter, as in `persistence: "$ruggedness"`, shares that number
    /// with other nodes. So the number in `params` is set, and the binding is kept. A value of the form
    /// `"$name"` binds the field to another parameter. [`Self::set_field`] removes the binding.
    ///
    /// # Errors
    /// As [`Self::set_field`], and [`RewriteError::NoGraphParameter`] if the field is bound to a parameter
    /// that `params` does not declare.
    pub fn set_parameter(&mut self, node: &str, parameter: &str, value: &str) -> Result<(), RewriteError> {
        let call = self.node(node)?;
        let bound = field_of(&call, parameter).and_then(|field| parameter_name(field.value.text()));
        let edits = match bound {
            Some(name) if parameter_name(value_text(value)?).is_none() => {
                vec![replaced(self.graph_parameter(name)?, value_text(value)?)]
            }
            _ => field_edits(&call, parameter, value)?,
        };
        *self = self.changed(&edits);
        Ok(())
    }

    /// Sets one field of a node, or appends it if it is missing. A binding to a graph parameter is replaced.
    ///
    /// # Errors
    /// `NoNode`, `Name` if the field name is invalid, and `Value` if `value` is not one RON value.
    pub fn set_field(&mut self, node: &str, field: &str, value: &str) -> Result<(), RewriteError> {
        *self = self.changed(&field_edits(&self.node(node)?, field, value)?);
        Ok(())
    }

    /// Sets a parameter that the graph declares in `params`.
    ///
    /// # Errors
    /// `Value`, and `NoGraphParameter` if no parameter has this name.
    pub fn set_graph_parameter(&mut self, name: &str, value: &str) -> Result<(), RewriteError> {
        let value = value_text(value)?;
        *self = self.changed(&[replaced(self.graph_parameter(name)?, value)]);
        Ok(())
    }

    /// Connects a port to `"NODE"` or `"NODE.OUTPUT"`, and replaces any previous value.
    ///
    /// # Errors
    /// As [`Self::set_field`].
    pub fn connect(&mut self, node: &str, port: &str, from: &str) -> Result<(), RewriteError> {
        self.set_field(node, port, &literal::quoted(from))
    }

    /// Removes a field of a node. A parameter then has its default, and a port is not connected.
    ///
    /// # Errors
    /// `NoNode`, and `NoField` if the node does not set the field.
    pub fn reset(&mut self, node: &str, field: &str) -> Result<(), RewriteError> {
        let call = self.node(node)?;
        let entry = field_of(&call, field).ok_or_else(|| no_field(node, field))?;
        *self = self.changed(&[remove(call.group, entry.item)]);
        Ok(())
    }

    /// Removes the wire or the number from a port.
    ///
    /// # Errors
    /// As [`Self::reset`].
    pub fn disconnect(&mut self, node: &str, port: &str) -> Result<(), RewriteError> {
        self.reset(node, port)
    }

    /// Adds a field. It is inserted first, and then laid out at its position.
    fn add_field(&mut self, node: &str, field: &str, value: &str) -> Result<(), RewriteError> {
        let with = self.changed(&field_edits(&self.node(node)?, field, value)?);
        let added = field_of(&with.node(node)?, field).ok_or_else(|| no_field(node, field))?.value;
        *self = with.changed(&[with.laid_out(added, added.text())]);
        Ok(())
    }

    /// The value of a parameter that a node passes to its subgraph.
    fn given(&self, node: &str, name: &str) -> Result<Value<'_>, RewriteError> {
        let call = self.node(node)?;
        let given = field_of(&call, "params").filter(|_| is_file(call.name));
        let given = given.map(|field| document::map(self.source(), field.value)).transpose();
        let given = given.map_err(RewriteError::Text)?.unwrap_or_default();
        let missing = || RewriteError::NotGiven { node: node.to_owned(), name: name.to_owned() };
        given.iter().find(|entry| entry.name == name).map(|entry| entry.value).ok_or_else(missing)
    }

    /// The edit that replaces a value, laid out as the formatter does.
    fn laid_out(&self, old: Value<'_>, value: &str) -> Edit {
        let (text, span) = (self.text(), old.span());
        let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &text[start..span.start];
        let indent = line.chars().take_while(|&c| c == ' ').count();
        Edit { span, text: format_value(value, indent, line.chars().count(), self.line_end()) }
    }
}

/// The entry of a field of a node.
pub fn field_of<'t>(call: &Call<'t>, name: &str) -> Option<Entry<'t>> {
    call.fields.iter().find(|field| field.name == name).cloned()
}

/// The error for a field that a node does not set.
fn no_field(node: &str, field: &str) -> RewriteError {
    RewriteError::NoField { node: node.to_owned(), field: field.to_owned() }
}

/// The edits that set a field of a node.
pub fn field_edits(call: &Call<'_>, name: &str, value: &str) -> Result<Vec<Edit>, RewriteError> {
    let value = value_text(value)?;
    if let Some(field) = field_of(call, name) {
        return Ok(vec![replaced(field.value, value)]);
    }
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letters) {
        return Err(RewriteError::Name(name.to_owned()));
    }
    Ok(insert(call.group, &format!("{name}: {value}")))
}

/// The edit that replaces a value.
fn replaced(old: Value<'_>, text: &str) -> Edit {
    Edit { span: old.span(), text: text.to_owned() }
}
