//! The text of a graph, for repeated edits.

use terrane_syntax::{Tree, literal, parameter_name, remove};

use super::entries::{add_entry, free_name, key, remove_entry};
use super::error::{RewriteError, value_text};
use super::text::Text;
use crate::model::origin::Slot;

/// A graph's text with its tree, for editors that apply many edits after parsing once. Each edit keeps every
/// other byte. An edit takes time for the touched part and for a copy of the text.
///
/// A failed edit changes nothing. The functions with the same names apply a single edit to a text, and their
/// documentation has more details.
///
/// ```
/// let mut graph = terrane_flow::GraphText::new("Graph(nodes: { \"a\": Perlin(octaves: 3) })").unwrap();
/// graph.set_parameter("a", "octaves", "5").unwrap();
/// graph.add_node("b", "Invert()").unwrap();
/// graph.connect("b", "height", "a").unwrap();
/// assert_eq!(graph.text(), "Graph(nodes: { \"a\": Perlin(octaves: 5), \"b\": Invert(height: \"a\") })");
/// ```
pub struct GraphText(Text);

impl GraphText {
    /// Reads a text.
    ///
    /// # Errors
    /// [`RewriteError::Text`] if it is not a valid graph.
    pub fn new(text: &str) -> Result<Self, RewriteError> {
        Text::read(text).map(Self)
    }

    /// A text that is already parsed.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(tree: Tree) -> Result<Self, RewriteError> {
        Text::of("graph", tree).map(Self)
    }

    /// The current text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.source().text
    }

    /// The text, without the tree.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0.into_text()
    }

    /// The tree of the text.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.0.into_tree()
    }

    /// See [`set_slot`](super::set_slot).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn set_slot(&mut self, slot: &Slot, value: &str) -> Result<(), RewriteError> {
        self.0 = self.0.set_slot(slot, value)?;
        Ok(())
    }

    /// See [`set_parameter`](super::set_parameter).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn set_parameter(&mut self, node: &str, parameter: &str, value: &str) -> Result<(), RewriteError> {
        let call = self.0.node(node)?;
        let field = call.fields.iter().find(|field| field.name == parameter);
        self.0 = match field.and_then(|field| parameter_name(field.value.text())) {
            Some(name) if parameter_name(value_text(value)?).is_none() => {
                self.0.set_graph_parameter(name, value)?
            }
            _ => self.0.set_field(&call, parameter, value)?,
        };
        Ok(())
    }

    /// See [`set_field`](super::set_field).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn set_field(&mut self, node: &str, field: &str, value: &str) -> Result<(), RewriteError> {
        self.0 = self.0.set_field(&self.0.node(node)?, field, value)?;
        Ok(())
    }

    /// See [`set_graph_parameter`](super::set_graph_parameter).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn set_graph_parameter(&mut self, name: &str, value: &str) -> Result<(), RewriteError> {
        self.0 = self.0.set_graph_parameter(name, value)?;
        Ok(())
    }

    /// See [`add_node`](super::add_node).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn add_node(&mut self, name: &str, call: &str) -> Result<(), RewriteError> {
        let call = value_text(call)?;
        free_name(&self.0, name)?;
        self.0 = add_entry(&self.0, "nodes", &format!("{}: {call}", key(name)))?;
        Ok(())
    }

    /// See [`remove_node`](super::remove_node).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn remove_node(&mut self, name: &str) -> Result<(), RewriteError> {
        self.0.node(name)?;
        self.0 = remove_entry(&self.0, "nodes", name)?;
        Ok(())
    }

    /// See [`connect`](super::connect).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn connect(&mut self, node: &str, port: &str, from: &str) -> Result<(), RewriteError> {
        self.set_field(node, port, &literal::quoted(from))
    }

    /// See [`reset`](super::reset).
    ///
    /// # Errors
    /// The same as for that function.
    pub fn reset(&mut self, node: &str, field: &str) -> Result<(), RewriteError> {
        let call = self.0.node(node)?;
        let missing = || RewriteError::NoField { node: node.to_owned(), field: field.to_owned() };
        let entry = call.fields.iter().find(|entry| entry.name == field).ok_or_else(missing)?;
        self.0 = self.0.changed(&[remove(call.group, entry.item)]);
        Ok(())
    }
}
