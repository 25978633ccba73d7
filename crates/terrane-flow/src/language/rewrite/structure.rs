//! Adds, removes and renames nodes, outputs and parameters in the text of a graph.

use terrane_syntax::{Edit, literal, remove};

use super::entries::{added, free_name, key, removed};
use super::error::{RewriteError, value_text};
use super::graph_text::GraphText;
use super::set::{field_edits, field_of};
use super::wires::{Wiring, in_order, moved};
use crate::language::document;
use crate::model::registry::Registry;

impl GraphText {
    /// Appends a node: `call` is `Type(field: value, ...)`.
    ///
    /// # Errors
    /// `Taken`, `NodeName`, and `Value` if `call` is not one value.
    pub fn add_node(&mut self, name: &str, call: &str) -> Result<(), RewriteError> {
        let call = value_text(call)?;
        free_name(self, name)?;
        *self = self.changed(&added(self, "nodes", &format!("{}: {call}", key(name)))?);
        Ok(())
    }

    /// Removes a node. References to it stay, and are reported when the graph is loaded.
    ///
    /// # Errors
    /// `NoNode`.
    pub fn remove_node(&mut self, name: &str) -> Result<(), RewriteError> {
        let edit = removed(self, "nodes", name)?.ok_or_else(|| self.no_node(name))?;
        *self = self.changed(&[edit]);
        Ok(())
    }

    /// Renames a node, and updates all references to it or to nodes nested in it. References are at ports,
    /// in outputs, and in the `inputs` of subgraphs. They are also in parameters that ports use, and in the
    /// values of these parameters in profiles. `registry` determines which fields are ports.
    ///
    /// # Errors
    /// `NoNode`, `Taken` and `NodeName`.
    pub fn rename_node(&mut self, from: &str, to: &str, registry: &Registry) -> Result<(), RewriteError> {
        self.node(from)?;
        if from == to {
            return Ok(());
        }
        free_name(self, to)?;
        let wiring = Wiring::new(self, registry, &[])?;
        let mut edits = Vec::new();
        let mut wires = wiring.outputs()?;
        for entry in self.entries("nodes")? {
            if entry.name == from {
                edits.push(Edit { span: entry.key_span(), text: key(to) });
            }
            wires.extend(wiring.of(&entry)?);
        }
        for wire in &wires {
            edits.extend(
                wiring.renamed(wire, &mut |reference| Ok::<_, RewriteError>(moved(reference, from, to)))?,
            );
        }
        *self = self.changed(&in_order(edits));
        Ok(())
    }

    /// Adds an output file of `"NODE"` or `"NODE.OUTPUT"`.
    ///
    /// # Errors
    /// `Taken` if the file is already an output.
    pub fn add_output(&mut self, file: &str, from: &str) -> Result<(), RewriteError> {
        if self.has("outputs", file)? {
            return Err(RewriteError::Taken { what: "output", name: file.to_owned() });
        }
        let entry = format!("{}: {}", key(file), literal::quoted(from));
        *self = self.changed(&added(self, "outputs", &entry)?);
        Ok(())
    }

    /// Removes an output file.
    ///
    /// # Errors
    /// `NoOutput`.
    pub fn remove_output(&mut self, file: &str) -> Result<(), RewriteError> {
        let missing = || RewriteError::NoOutput { name: file.to_owned() };
        *self = self.changed(&[removed(self, "outputs", file)?.ok_or_else(missing)?]);
        Ok(())
    }

    /// Turns a value of a node into a graph parameter. The value moves to `params` under `name`, and the
    /// field becomes `"$name"`. For a missing field, the default from `registry` is used.
    ///
    /// # Errors
    /// `NoNode`, `Taken`, `Name`, and `NoValue` if there is neither a value nor a default.
    pub fn add_param(
        &mut self,
        name: &str,
        node: &str,
        field: &str,
        registry: &Registry,
    ) -> Result<(), RewriteError> {
        self.check_param(name)?;
        let call = self.node(node)?;
        let default = || {
            let spec = registry.node(call.name)?.spec();
            let param = spec.params.iter().find(|param| param.name == field)?;
            param.default.map(|default| default())
        };
        let given = field_of(&call, field).map(|entry| entry.value.text().to_owned());
        let value = given
            .or_else(default)
            .ok_or_else(|| RewriteError::NoValue { node: node.to_owned(), field: field.to_owned() })?;
        let mut edits = added(self, "params", &format!("\"{name}\": {value}"))?;
        edits.extend(field_edits(&call, field, &format!("\"${name}\""))?);
        *self = self.changed(&edits);
        Ok(())
    }

    /// Declares a graph parameter with a RON value.
    ///
    /// # Errors
    /// `Taken`, `Name`, and `Value` if `value` is not one value.
    pub fn declare_param(&mut self, name: &str, value: &str) -> Result<(), RewriteError> {
        self.check_param(name)?;
        *self = self.changed(&added(self, "params", &format!("\"{name}\": {}", value_text(value)?))?);
        Ok(())
    }

    /// Removes a graph parameter, also from profiles. Values `"$name"` that use it stay, and are reported
    /// when the graph is loaded.
    ///
    /// # Errors
    /// `NoGraphParameter`.
    pub fn remove_param(&mut self, name: &str) -> Result<(), RewriteError> {
        self.graph_parameter(name)?;
        let mut edits = Vec::from_iter(removed(self, "params", name)?);
        for profile in self.entries("profiles")? {
            let values = document::braces(self.source(), profile.value).map_err(RewriteError::Text)?;
            edits.extend(values.get(name).map(|item| remove(values, item)));
        }
        *self = self.changed(&edits);
        Ok(())
    }

    /// Checks that a parameter of that name can be declared.
    fn check_param(&self, name: &str) -> Result<(), RewriteError> {
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Err(RewriteError::Name(name.to_owned()));
        }
        if self.has("params", name)? {
            return Err(RewriteError::Taken { what: "parameter", name: name.to_owned() });
        }
        Ok(())
    }
}
