//! The text of a graph, taken apart so that values in it can be replaced.

use std::ops::Range as Span;
use std::sync::Arc;

use terrane_syntax::{TokenKind, Value, format_value, merge, parameter_name};

use super::{RewriteError, Slot, value_text};
use crate::document::{self, Call, Entry, Parsed, Wrong};
use crate::load::SUBGRAPH;
use crate::report::{Diagnostics, SourceText};
use crate::suggest;

/// The text of a graph that has no mistakes.
pub struct Text {
    parsed: Parsed,
    /// A byte order mark, which is no part of the graph.
    mark: &'static str,
}

impl Text {
    pub fn read(text: &str) -> Result<Self, RewriteError> {
        const MARK: &str = "\u{feff}";
        let (mark, text) = text.strip_prefix(MARK).map_or(("", text), |rest| (MARK, rest));
        let source = Arc::new(SourceText { name: "graph".to_owned(), text: text.into() });
        let parsed = Parsed::new(source);
        Diagnostics(parsed.mistakes().collect()).into_result().map_err(RewriteError::Text)?;
        let this = Self { parsed, mark };
        this.entries("nodes")?;
        Ok(this)
    }

    fn source(&self) -> &Arc<SourceText> {
        &self.parsed.source
    }

    /// The entries of a map in the graph: its nodes or its parameters.
    fn entries(&self, section: &str) -> Result<Vec<Entry<'_>>, RewriteError> {
        let fields = self.parsed.graph().map_err(text_error)?;
        let Some(field) = fields.iter().find(|field| field.name == section) else { return Ok(Vec::new()) };
        document::map(self.source(), field.value).map_err(text_error)
    }

    pub fn node(&self, name: &str) -> Result<Call<'_>, RewriteError> {
        let nodes = self.entries("nodes")?;
        if let Some(entry) = nodes.iter().find(|entry| entry.name == name) {
            return document::call(self.source(), entry.value).map_err(text_error);
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

    pub fn set_graph_parameter(&self, name: &str, value: &str) -> Result<String, RewriteError> {
        let value = value_text(value)?;
        let old = self.graph_parameter(name)?;
        Ok(self.edited(&[(old.span(), value.to_owned())]))
    }

    /// The value of a parameter that the graph declares.
    fn graph_parameter(&self, name: &str) -> Result<Value<'_>, RewriteError> {
        let params = self.entries("params")?;
        if let Some(entry) = params.iter().find(|entry| entry.name == name) {
            return Ok(entry.value);
        }
        let known: Vec<&str> = params.iter().map(|entry| entry.name).collect();
        let help = suggest::help(name, &known, "its parameters are");
        Err(RewriteError::NoGraphParameter { name: name.to_owned(), help })
    }

    pub fn set_field(&self, call: &Call<'_>, name: &str, value: &str) -> Result<String, RewriteError> {
        let value = value_text(value)?;
        if let Some(field) = call.fields.iter().find(|field| field.name == name) {
            return Ok(self.edited(&[(field.value.span(), value.to_owned())]));
        }
        let letters = |c: char| c.is_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letters) {
            return Err(RewriteError::Name(name.to_owned()));
        }
        let field = format!("{name}: {value}");
        let Some(last) = call.fields.last() else {
            let opening = call.open.end;
            return Ok(self.edited(&[(opening..opening, field)]));
        };
        Ok(self.edited(&self.added(last, &field)))
    }

    pub fn set_slot(&self, slot: &Slot, value: &str) -> Result<String, RewriteError> {
        let value = value_text(value)?;
        let old = match (self.value(slot)?, slot) {
            (Some(old), _) => old,
            (None, Slot::Field { node, field }) => return self.add(slot, node, field, value),
            // Elsewhere a missing value is an error.
            (None, _) => return Ok(self.edited(&[])),
        };
        let old = match parameter_name(old.text()) {
            Some(name) => self.graph_parameter(name)?,
            None => old,
        };
        let merged = merge(old.text(), value);
        if merged.restructured {
            return Ok(self.laid_out(old, &merged.text));
        }
        Ok(self.edited(&[(old.span(), merged.text)]))
    }

    /// Adds a field: it is written first, then laid out where it stands.
    fn add(&self, slot: &Slot, node: &str, field: &str, value: &str) -> Result<String, RewriteError> {
        let changed = Self::read(&self.set_field(&self.node(node)?, field, value)?)?;
        Ok(changed
            .value(slot)?
            .map_or_else(|| changed.edited(&[]), |added| changed.laid_out(added, added.text())))
    }

    /// The value in a place; nothing where the node does not give the field.
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
                let given = call.fields.iter().find(|field| call.name == SUBGRAPH && field.name == "params");
                let given = given.map(|field| document::map(self.source(), field.value)).transpose();
                let given = given.map_err(text_error)?.unwrap_or_default();
                let missing = || RewriteError::NotGiven { node: node.clone(), name: name.clone() };
                find(&given, name).map(|at| Some(given[at].value)).ok_or_else(missing)
            }
        }
    }

    /// The text with a value in the place of another, its lines broken as the formatter breaks them there.
    fn laid_out(&self, old: Value<'_>, value: &str) -> String {
        let (text, span) = (&self.source().text, old.span());
        let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &text[start..span.start];
        let indent = line.chars().take_while(|&c| c == ' ').count();
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        self.edited(&[(span, format_value(value, indent, line.chars().count(), line_end))])
    }

    /// What to insert so that a field stands behind the last one, in the manner of the last one.
    fn added(&self, last: &Entry<'_>, field: &str) -> Vec<(Span<usize>, String)> {
        let text = &self.source().text;
        let end = last.value.span().end;
        let before = text[..last.name_span.start].trim_end_matches([' ', '\t']);
        let indent = &text[before.len()..last.name_span.start];
        let line_break = ["\r\n", "\n"].into_iter().find(|line_break| before.ends_with(line_break));
        let comma = last.comma.as_ref().map(|comma| comma.end);
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

    /// The place behind the comments that stand on the same line.
    fn end_of_line(&self, from: usize) -> usize {
        let mut end = from;
        for (kind, span) in self.parsed.tree.tokens_from(from) {
            match kind {
                TokenKind::Blank if !self.source().text[span.clone()].contains('\n') => {}
                TokenKind::LineComment | TokenKind::BlockComment => end = span.end,
                _ => break,
            }
        }
        end
    }

    /// The text with spans replaced, in order.
    fn edited(&self, edits: &[(Span<usize>, String)]) -> String {
        let text = &self.source().text;
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

fn text_error(wrong: Wrong) -> RewriteError {
    RewriteError::Text(Diagnostics(wrong.into_iter().collect()))
}
