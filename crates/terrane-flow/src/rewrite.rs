//! Changing a number in the text of a graph, and nothing else: what an editor does when a slider is moved.
//!
//! Every byte outside the changed value stays: comments, blanks, order, trailing commas, line ends. The text must hold
//! together as RON; whether the changed graph makes sense is the loader's to say.

use std::ops::Range as Span;
use std::sync::Arc;

use ron::value::RawValue;

use crate::document::{self, Call, Entry};
use crate::param::ron_options;
use crate::report::{Diagnostic, Diagnostics, SourceText};
use crate::suggest;
use crate::tokens::{Kind, Token, tokens};

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
    /// A field cannot have this name.
    #[error("`{0}` is no name of a field: use letters, digits and `_`")]
    Name(String),
    /// The new value is no RON value.
    #[error(
        "the value `{value}` is not RON: {problem}; write a number, true, false, a Name, \"text\" in quotes or a list [a, b]"
    )]
    Value {
        /// The value as given.
        value: String,
        /// What RON says.
        problem: String,
    },
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
    match field.and_then(|field| bound_to(field.value)) {
        Some(name) if bound_to(value_text(value)?).is_none() => graph.set_graph_parameter(name, value),
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

/// The name in `"$name"`.
fn bound_to(value: &str) -> Option<&str> {
    value.strip_prefix("\"$")?.strip_suffix('"').filter(|name| !name.contains('"'))
}

/// The value without blanks and comments around it, when it is one RON value.
fn value_text(value: &str) -> Result<&str, RewriteError> {
    let trimmed = document::trim(value);
    match ron_options().from_str::<&RawValue>(trimmed) {
        Ok(_) => Ok(trimmed),
        Err(error) => Err(RewriteError::Value { value: value.to_owned(), problem: error.code.to_string() }),
    }
}

/// The text of a graph that parses.
struct Text {
    source: Arc<SourceText>,
    /// A byte order mark, which is no part of the graph.
    mark: &'static str,
}

impl Text {
    fn read(text: &str) -> Result<Self, RewriteError> {
        const MARK: &str = "\u{feff}";
        let (mark, text) = text.strip_prefix(MARK).map_or(("", text), |rest| (MARK, rest));
        let source = Arc::new(SourceText { name: "graph".to_owned(), text: text.to_owned() });
        let this = Self { source, mark };
        this.entries("nodes")?;
        Ok(this)
    }

    /// The entries of a map in the graph: its nodes or its parameters.
    fn entries(&self, section: &str) -> Result<Vec<Entry<'_>>, RewriteError> {
        let fields = document::graph(&self.source, &self.source.text).map_err(text_error)?;
        let Some(field) = fields.iter().find(|field| field.name == section) else { return Ok(Vec::new()) };
        document::map(&self.source, field.value).map_err(text_error)
    }

    fn node(&self, name: &str) -> Result<Call<'_>, RewriteError> {
        let nodes = self.entries("nodes")?;
        if let Some(entry) = nodes.iter().find(|entry| entry.name == name) {
            return document::call(&self.source, entry.value).map_err(text_error);
        }
        let known: Vec<&str> = nodes.iter().map(|entry| entry.name).collect();
        let help = match name.split_once('/') {
            Some((outer, _)) if known.contains(&outer) => {
                format!("it is in the file of the subgraph `{outer}`: change that one")
            }
            _ => suggest::help(name, &known, "its nodes are"),
        };
        Err(RewriteError::NoNode { name: name.to_owned(), help })
    }

    fn set_graph_parameter(&self, name: &str, value: &str) -> Result<String, RewriteError> {
        let value = value_text(value)?;
        let params = self.entries("params")?;
        if let Some(entry) = params.iter().find(|entry| entry.name == name) {
            return Ok(self.edited(&[(self.source.span_of(entry.value), value.to_owned())]));
        }
        let known: Vec<&str> = params.iter().map(|entry| entry.name).collect();
        let help = suggest::help(name, &known, "its parameters are");
        Err(RewriteError::NoGraphParameter { name: name.to_owned(), help })
    }

    fn set_field(&self, call: &Call<'_>, name: &str, value: &str) -> Result<String, RewriteError> {
        let value = value_text(value)?;
        if let Some(field) = call.fields.iter().find(|field| field.name == name) {
            return Ok(self.edited(&[(self.source.span_of(field.value), value.to_owned())]));
        }
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letters) {
            return Err(RewriteError::Name(name.to_owned()));
        }
        let field = format!("{name}: {value}");
        let Some(last) = call.fields.last() else {
            let start = self.source.span_of(call.name).end;
            let opening = start
                + self.rest(start).take_while(|token| token.kind != Kind::Open).map(len).sum::<usize>()
                + 1;
            return Ok(self.edited(&[(opening..opening, field)]));
        };
        Ok(self.edited(&self.added(last, &field)))
    }

    /// What to insert so that a field stands behind the last one, in the manner of the last one.
    fn added(&self, last: &Entry<'_>, field: &str) -> Vec<(Span<usize>, String)> {
        let end = self.source.span_of(last.value).end;
        let before = self.source.text[..self.source.span_of(last.name).start].trim_end_matches([' ', '\t']);
        let indent = &self.source.text[before.len()..self.source.span_of(last.name).start];
        let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
        let comma = self.comma(end);
        let at = comma.unwrap_or(end);
        match (line_break, comma) {
            (None, None) => vec![(end..end, format!(", {field}"))],
            (None, Some(_)) => vec![(at..at, format!(" {field},"))],
            (Some(line_break), _) => {
                let (missing, trailing) = if comma.is_none() { (",", "") } else { ("", ",") };
                let line = self.end_of_line(at);
                vec![
                    (end..end, missing.to_owned()),
                    (line..line, format!("{line_break}{indent}{field}{trailing}")),
                ]
            }
        }
    }

    fn rest(&self, at: usize) -> impl Iterator<Item = Token<'_>> {
        tokens(&self.source.text[at..])
    }

    /// The place behind the comma that follows a value, where one does.
    fn comma(&self, end: usize) -> Option<usize> {
        let mut at = end;
        for token in self.rest(end) {
            at += token.text.len();
            if token.is_significant() {
                return (token.kind == Kind::Comma).then_some(at);
            }
        }
        None
    }

    /// The place behind the comments that stand on the same line.
    fn end_of_line(&self, from: usize) -> usize {
        let (mut at, mut end) = (from, from);
        for token in self.rest(from) {
            at += token.text.len();
            match token.kind {
                Kind::Blank if !token.text.contains('\n') => {}
                Kind::LineComment | Kind::BlockComment => end = at,
                _ => break,
            }
        }
        // A line comment keeps what may be half of its line break.
        from + self.source.text[from..end].trim_end_matches('\r').len()
    }

    /// The text with spans replaced, in order.
    fn edited(&self, edits: &[(Span<usize>, String)]) -> String {
        let text = &self.source.text;
        let mut out = self.mark.to_owned();
        let mut at = 0;
        for (span, new) in edits {
            out.push_str(&text[at..span.start]);
            out.push_str(new);
            at = span.end;
        }
        out.push_str(&text[at..]);
        out
    }
}

const fn len(token: Token<'_>) -> usize {
    token.text.len()
}

fn text_error(diagnostic: Diagnostic) -> RewriteError {
    RewriteError::Text(diagnostic.into())
}
