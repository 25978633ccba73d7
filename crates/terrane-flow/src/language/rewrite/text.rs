//! The parsed text of a graph, for edits of its values.

use std::sync::Arc;

use terrane_syntax::{Bracket, Edit, Group, Tree, Value, apply, format_value, insert, merge, parameter_name};

use super::error::{RewriteError, value_text};
use crate::language::document::{self, Call, Entry, Parsed};
use crate::language::names::is_file;
use crate::model::origin::Slot;
use crate::report::suggest;
use crate::report::{Diagnostics, SourceText};

/// The text of a graph without syntax mistakes.
pub struct Text {
    parsed: Parsed,
}

impl Text {
    pub fn read(text: &str) -> Result<Self, RewriteError> {
        Self::named("graph", text)
    }

    /// Reads a text; `name` is its name in messages.
    pub fn named(name: &str, text: &str) -> Result<Self, RewriteError> {
        Self::of(name, Tree::parse(text))
    }

    /// A text that is already parsed.
    pub fn of(name: &str, tree: Tree) -> Result<Self, RewriteError> {
        let parsed = Parsed::of(name, tree);
        Diagnostics(parsed.mistakes().collect()).into_result().map_err(RewriteError::Text)?;
        let this = Self { parsed };
        this.map("nodes")?;
        Ok(this)
    }

    pub fn source(&self) -> &Arc<SourceText> {
        &self.parsed.source
    }

    /// The line end of the text.
    pub fn line_end(&self) -> &'static str {
        if self.source().text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// A field of `Graph(…)`, and the brackets that contain it.
    pub fn section(&self, name: &str) -> Result<(Group<'_>, Option<Entry<'_>>), RewriteError> {
        let call = self.parsed.call().map_err(RewriteError::Text)?;
        Ok((call.group, call.fields.into_iter().find(|field| field.name == name)))
    }

    /// The separator between two entries of a section. Its line break and blanks are those before the last
    /// entry.
    pub fn between(&self, section: &str) -> Result<String, RewriteError> {
        let (_, field) = self.section(section)?;
        let group = field.and_then(|field| field.value.group(Bracket::Curly));
        let last = group.and_then(|group| group.items().last());
        let indent = last.and_then(|item| blanks(&self.source().text, item.span().start));
        Ok(indent.map_or_else(|| ", ".to_owned(), |indent| format!(",{}{indent}", self.line_end())))
    }

    /// A map in the graph, if present.
    fn map(&self, section: &str) -> Result<Option<Group<'_>>, RewriteError> {
        let Some(field) = self.section(section)?.1 else { return Ok(None) };
        match field.value.group(Bracket::Curly) {
            Some(group) => Ok(Some(group)),
            None => document::map(self.source(), field.value).map(|_| None).map_err(RewriteError::Text),
        }
    }

    /// Whether a map in the graph has an entry of that name.
    pub fn has(&self, section: &str, name: &str) -> Result<bool, RewriteError> {
        Ok(self.map(section)?.is_some_and(|group| group.get(name).is_some()))
    }

    /// The entries of a map in the graph: its nodes or its parameters.
    pub fn entries(&self, section: &str) -> Result<Vec<Entry<'_>>, RewriteError> {
        let fields = self.parsed.graph().map_err(RewriteError::Text)?;
        let Some(field) = fields.iter().find(|field| field.name == section) else { return Ok(Vec::new()) };
        document::map(self.source(), field.value).map_err(RewriteError::Text)
    }

    pub fn node(&self, name: &str) -> Result<Call<'_>, RewriteError> {
        if let Some(value) = self.map("nodes")?.and_then(|nodes| nodes.get(name)?.value()) {
            return document::call(self.source(), value).map_err(RewriteError::Text);
        }
        let nodes = self.entries("nodes")?;
        let known: Vec<&str> = nodes.iter().map(|entry| entry.name).collect();
        let help = match name.split_once('/') {
            Some((outer, _)) if known.contains(&outer) => {
                format!("it is in the file of the subgraph `{outer}`: change that one")
            }
            _ => suggest::help(name, &known, "its nodes are"),
        };
        Err(RewriteError::NoNode { name: name.to_owned(), help })
    }

    pub fn set_graph_parameter(&self, name: &str, value: &str) -> Result<Self, RewriteError> {
        let value = value_text(value)?;
        let old = self.graph_parameter(name)?;
        Ok(self.replaced(old, value.to_owned()))
    }

    /// The value of a parameter that the graph declares.
    pub fn graph_parameter(&self, name: &str) -> Result<Value<'_>, RewriteError> {
        let params = self.entries("params")?;
        if let Some(entry) = params.iter().find(|entry| entry.name == name) {
            return Ok(entry.value);
        }
        let known: Vec<&str> = params.iter().map(|entry| entry.name).collect();
        let help = suggest::help(name, &known, "its parameters are");
        Err(RewriteError::NoGraphParameter { name: name.to_owned(), help })
    }

    pub fn set_field(&self, call: &Call<'_>, name: &str, value: &str) -> Result<Self, RewriteError> {
        let value = value_text(value)?;
        if let Some(field) = call.fields.iter().find(|field| field.name == name) {
            return Ok(self.replaced(field.value, value.to_owned()));
        }
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letters) {
            return Err(RewriteError::Name(name.to_owned()));
        }
        let field = format!("{name}: {value}");
        Ok(self.changed(&insert(call.group, &field)))
    }

    pub fn set_slot(&self, slot: &Slot, value: &str) -> Result<Self, RewriteError> {
        let value = value_text(value)?;
        let old = match (self.value(slot)?, slot) {
            (Some(old), _) => old,
            (None, Slot::Field { node, field }) => return self.add(slot, node, field, value),
            // This does not occur: for the other slots, `value` returns an error if there is no value.
            (None, _) => return Ok(self.changed(&[])),
        };
        let old = match parameter_name(old.text()) {
            Some(name) => self.graph_parameter(name)?,
            None => old,
        };
        let merged = merge(old.text(), value);
        if merged.restructured {
            return Ok(self.laid_out(old, &merged.text));
        }
        Ok(self.replaced(old, merged.text))
    }

    /// Adds a field. It is inserted first, and then laid out at its position.
    fn add(&self, slot: &Slot, node: &str, field: &str, value: &str) -> Result<Self, RewriteError> {
        let changed = self.set_field(&self.node(node)?, field, value)?;
        Ok(match changed.value(slot)? {
            Some(added) => changed.laid_out(added, added.text()),
            None => changed,
        })
    }

    /// The value in a slot; `None` if the node does not set the field.
    fn value(&self, slot: &Slot) -> Result<Option<Value<'_>>, RewriteError> {
        let find = |fields: &[Entry<'_>], name: &str| fields.iter().position(|field| field.name == name);
        match slot {
            Slot::Param { name } => self.graph_parameter(name).map(Some),
            Slot::Field { node, field } => {
                let call = self.node(node)?;
                Ok(find(&call.fields, field).map(|at| call.fields[at].value))
            }
            Slot::Given { node, name } => {
                let call = self.node(node)?;
                let given = call.fields.iter().find(|field| is_file(call.name) && field.name == "params");
                let given = given.map(|field| document::map(self.source(), field.value)).transpose();
                let given = given.map_err(RewriteError::Text)?.unwrap_or_default();
                let missing = || RewriteError::NotGiven { node: node.clone(), name: name.clone() };
                find(&given, name).map(|at| Some(given[at].value)).ok_or_else(missing)
            }
        }
    }

    /// The text with a value replaced and laid out as the formatter does.
    fn laid_out(&self, old: Value<'_>, value: &str) -> Self {
        let (text, span) = (&self.source().text, old.span());
        let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &text[start..span.start];
        let indent = line.chars().take_while(|&c| c == ' ').count();
        let text = format_value(value, indent, line.chars().count(), self.line_end());
        self.changed(&[Edit { span, text }])
    }

    /// The text with a value replaced.
    fn replaced(&self, old: Value<'_>, text: String) -> Self {
        self.changed(&[Edit { span: old.span(), text }])
    }

    /// The text with some edits applied, and its tree.
    pub fn changed(&self, edits: &[Edit]) -> Self {
        Self { parsed: Parsed::of(&self.source().name, self.parsed.tree.edited(edits)) }
    }

    /// The tree.
    pub fn into_tree(self) -> Tree {
        self.parsed.tree
    }

    /// The text, without the tree.
    pub fn into_text(self) -> String {
        self.parsed.tree.text().to_owned()
    }

    /// The text with some edits applied.
    pub fn applied(&self, edits: &[Edit]) -> String {
        apply(&self.source().text, edits)
    }
}

/// The blanks before a position, if nothing else precedes it on its line.
pub fn blanks(text: &str, place: usize) -> Option<&str> {
    let line = &text[text[..place].rfind('\n')? + 1..place];
    line.trim_matches([' ', '\t']).is_empty().then_some(line)
}
