//! The text of a graph that is edited, and how its parts are found.

use std::sync::Arc;

use terrane_syntax::{Edit, Group, Tree, Value};

use super::error::RewriteError;
use crate::language::document::{self, Call, Entry, Parsed};
use crate::report::suggest;
use crate::report::{Diagnostics, SourceText};

/// A graph's text with its tree, for editors. The text is parsed once, and each edit parses only what it
/// touches.
///
/// An edit keeps every other byte: comments, blanks, order, trailing commas and line ends. A failed edit
/// changes nothing. Edits do not check whether the graph is valid: the loader does.
///
/// Every edit that needs a valid graph fails with [`RewriteError::Text`] if the text is not one.
///
/// ```
/// let mut graph = terrane_flow::GraphText::new("Graph(nodes: { \"a\": Perlin(octaves: 3) })").unwrap();
/// graph.set_parameter("a", "octaves", "5").unwrap();
/// graph.add_node("b", "Invert()").unwrap();
/// graph.connect("b", "height", "a").unwrap();
/// assert_eq!(graph.text(), "Graph(nodes: { \"a\": Perlin(octaves: 5), \"b\": Invert(height: \"a\") })");
/// ```
#[derive(Debug)]
pub struct GraphText(Parsed);

impl GraphText {
    /// Reads a text.
    ///
    /// # Errors
    /// [`RewriteError::Text`] if it is not a valid graph.
    pub fn new(text: &str) -> Result<Self, RewriteError> {
        Self::of(Tree::parse(text))
    }

    /// A text that is already parsed.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(tree: Tree) -> Result<Self, RewriteError> {
        let this = Self(Parsed::of("graph", tree));
        Diagnostics(this.0.mistakes().collect()).into_result().map_err(RewriteError::Text)?;
        this.group("nodes")?;
        Ok(this)
    }

    /// The current text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.source().text
    }

    /// The text, without the tree.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text().to_owned()
    }

    /// The tree of the text.
    #[must_use]
    pub fn into_tree(self) -> Tree {
        self.0.tree
    }

    /// The text with some edits, which do not overlap.
    pub(super) fn changed(&self, edits: &[Edit]) -> Self {
        Self(Parsed::of("graph", self.0.tree.edited(edits)))
    }

    /// Like [`Self::changed`], but checks that the text is still valid.
    pub(super) fn checked(&self, edits: &[Edit]) -> Result<Self, RewriteError> {
        Self::of(self.0.tree.edited(edits))
    }

    pub(super) fn source(&self) -> &Arc<SourceText> {
        &self.0.source
    }

    /// The line end of the text.
    pub(super) fn line_end(&self) -> &'static str {
        if self.text().contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// A field of `Graph(…)`, and the brackets that contain it.
    pub(super) fn section(&self, name: &str) -> Result<(Group<'_>, Option<Entry<'_>>), RewriteError> {
        let call = self.0.call().map_err(RewriteError::Text)?;
        Ok((call.group, call.fields.into_iter().find(|field| field.name == name)))
    }

    /// The brackets of a map in the graph, if present.
    pub(super) fn group(&self, section: &str) -> Result<Option<Group<'_>>, RewriteError> {
        let field = self.section(section)?.1;
        let group = field.map(|field| document::braces(self.source(), field.value));
        group.transpose().map_err(RewriteError::Text)
    }

    /// The entries of a map in the graph: its nodes or its parameters.
    pub(super) fn entries(&self, section: &str) -> Result<Vec<Entry<'_>>, RewriteError> {
        let fields = self.0.graph().map_err(RewriteError::Text)?;
        let Some(field) = fields.iter().find(|field| field.name == section) else { return Ok(Vec::new()) };
        document::map(self.source(), field.value).map_err(RewriteError::Text)
    }

    /// Whether a map in the graph has an entry of that name.
    pub(super) fn has(&self, section: &str, name: &str) -> Result<bool, RewriteError> {
        Ok(self.group(section)?.is_some_and(|group| group.get(name).is_some()))
    }

    /// The call of a node.
    pub(super) fn node(&self, name: &str) -> Result<Call<'_>, RewriteError> {
        match self.group("nodes")?.and_then(|nodes| nodes.get(name)?.value()) {
            Some(value) => document::call(self.source(), value).map_err(RewriteError::Text),
            None => Err(self.no_node(name)),
        }
    }

    /// The error for a missing node.
    pub(super) fn no_node(&self, name: &str) -> RewriteError {
        let nodes = match self.entries("nodes") {
            Ok(nodes) => nodes,
            Err(error) => return error,
        };
        let known: Vec<&str> = nodes.iter().map(|entry| entry.name).collect();
        let help = match name.split_once('/') {
            Some((outer, _)) if known.contains(&outer) => {
                format!("it is in the file of the subgraph `{outer}`: change that one")
            }
            _ => suggest::help(name, &known, "its nodes are"),
        };
        RewriteError::NoNode { name: name.to_owned(), help }
    }

    /// The value of a parameter that the graph declares.
    pub(super) fn graph_parameter(&self, name: &str) -> Result<Value<'_>, RewriteError> {
        let params = self.entries("params")?;
        if let Some(entry) = params.iter().find(|entry| entry.name == name) {
            return Ok(entry.value);
        }
        let known: Vec<&str> = params.iter().map(|entry| entry.name).collect();
        let help = suggest::help(name, &known, "its parameters are");
        Err(RewriteError::NoGraphParameter { name: name.to_owned(), help })
    }
}

/// The blanks before a position, if nothing else precedes it on its line.
pub fn blanks(text: &str, place: usize) -> Option<&str> {
    let line = &text[text[..place].rfind('\n')? + 1..place];
    line.trim_matches([' ', '\t']).is_empty().then_some(line)
}
