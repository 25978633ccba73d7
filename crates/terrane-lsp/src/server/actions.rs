//! Actions at a place of a document: fixes of mistakes, and edits that keep what a graph computes.

use std::collections::HashMap;

use gen_lsp_types as lsp;
use serde_json::json;
use terrane_flow::syntax::{Edit, is_guess, remove};

use super::{Answer, Server};
use crate::completion::complete;
use crate::diagnostics::Found;
use crate::document::Document;
use crate::outline::{Entry, Outline, node_of};
use crate::refactor::{Refactoring, refactorings};
use crate::words::shortened;
use crate::workspace::uri_of;

/// Outputs that are offered for a reference that means none, at most.
const WIRES: usize = 3;

/// Mistakes without a fix for which other remedies are searched in the whole text, at most.
const SEARCHED: usize = 20;

/// The kind of the action that makes all fixes of a file.
const FIX_ALL: &str = "source.fixAll";

impl Server<'_> {
    /// The actions on the lines of a range: where a mistake is marked, editors ask anywhere on its line.
    pub(super) fn actions(&self, params: lsp::CodeActionParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let only: Option<Vec<String>> = serde_json::to_value(&params.context.only)
            .ok()
            .and_then(|only| serde_json::from_value(only).ok());
        let wants = |kind: &str| {
            let begins = |own: &String| kind == own || kind.starts_with(&format!("{own}."));
            only.as_ref().is_none_or(|only| only.iter().any(begins))
        };
        let mut actions = Vec::new();
        if wants("quickfix") {
            let lines = params.range.start.line..=params.range.end.line;
            let near = |found: &&Found| {
                let range = found.shown.range;
                range.start.line <= *lines.end() && *lines.start() <= range.end.line
            };
            let mut searched = 0;
            for own in self.found_in(document).filter(near) {
                let fixed = fix(document, own);
                searched += usize::from(fixed.is_none());
                match fixed {
                    Some(action) => actions.push(action),
                    None if searched > SEARCHED => {}
                    None if own.code() == "given-twice" => {
                        actions.extend(other_name(document, own).or_else(|| without(document, own)));
                    }
                    None => actions.extend(self.other_wires(document, own)),
                }
            }
        }
        if only.is_some() && wants(FIX_ALL) {
            actions.extend(self.fix_all(document));
        }
        if wants("refactor.extract") || wants("refactor.inline") {
            let span = document.lines.offset(params.range.start)..document.lines.offset(params.range.end);
            let place = self.place(&document.path);
            let others = refactorings(document, &span, &self.setup.registry, &place);
            let wanted = others.into_iter().filter(|own| wants(own.kind));
            actions.extend(wanted.filter_map(|own| self.refactoring(document, own)));
        }
        Ok(json!(actions))
    }

    fn found_in<'s>(&'s self, document: &'s Document) -> impl Iterator<Item = &'s Found> {
        self.found.values().filter_map(|all| all.get(&document.path)).flatten()
    }

    /// For a reference that no fix is known for: the likeliest outputs that fit there, those of its node
    /// first.
    fn other_wires(&self, document: &Document, found: &Found) -> Vec<lsp::CodeAction> {
        if !["unknown-reference", "wrong-kind"].contains(&found.code()) {
            return Vec::new();
        }
        let range = found.shown.range;
        let place = self.place(&document.path);
        // Behind its first quote, everything that fits is proposed.
        let (items, _) =
            complete(document, document.lines.offset(range.start) + 1, &self.types, &place, false);
        let written = document.lines.offset(range.start)..document.lines.offset(range.end);
        let node = node_of(document.text()[written].trim_matches('"'));
        let is_wire = |item: &lsp::CompletionItem| {
            item.kind == Some(lsp::CompletionItemKind::Variable) && !item.label.starts_with('$')
        };
        let mut wires: Vec<lsp::CompletionItem> = items.into_iter().filter(is_wire).collect();
        wires.sort_by_key(|item| node_of(&item.label) != node);
        let action = |item: lsp::CompletionItem| {
            let lsp::CompletionItemTextEdit::TextEdit(edit) = item.text_edit? else { return None };
            Some(quick_fix(document, found, format!("Connect to `{}`", item.label), edit, false))
        };
        wires.into_iter().take(WIRES).filter_map(action).collect()
    }

    /// The action that mends all mistakes with one remedy each.
    fn fix_all(&self, document: &Document) -> Option<lsp::CodeAction> {
        let is_error = |own: &&Found| own.shown.severity == Some(lsp::DiagnosticSeverity::Error);
        let errors: Vec<&Found> = self.found_in(document).filter(is_error).collect();
        // Where a bracket or a quote is missing is a guess, and so is what follows it: such fixes are made
        // one at a time.
        if errors.iter().any(|own| is_guess(own.code())) {
            return None;
        }
        // So is a name that is only like another one: its node may be gone.
        let is_sure = |own: &&Found| !["unknown-reference", "unknown-type"].contains(&own.code());
        let errors = errors.into_iter().filter(is_sure);
        let mut edits: Vec<&Edit> =
            errors.filter_map(|own| own.fix.as_ref()).filter(|edit| is_within(document, edit)).collect();
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        edits.dedup();
        let mut end = 0;
        edits.retain(|edit| {
            let is_apart = edit.span.start >= end;
            end = end.max(edit.span.end);
            is_apart
        });
        let edits: Vec<lsp::TextEdit> = edits.into_iter().map(|edit| text_edit(document, edit)).collect();
        (!edits.is_empty()).then(|| {
            let changes = Some(HashMap::from([(document.uri.clone(), edits)]));
            lsp::CodeAction {
                title: "Mend all mistakes that have one remedy".to_owned(),
                kind: serde_json::from_value(json!(FIX_ALL)).ok(),
                edit: Some(lsp::WorkspaceEdit { changes, ..lsp::WorkspaceEdit::default() }),
                ..lsp::CodeAction::default()
            }
        })
    }

    /// The action of an edit that keeps what a graph computes. Where it makes a file, the editor has to know
    /// how.
    fn refactoring(&self, document: &Document, own: Refactoring) -> Option<lsp::CodeAction> {
        let edit = Edit::between(document.text(), &own.text);
        let edit = lsp::TextEdit { range: document.lines.range(&edit.span), new_text: edit.text };
        let edit = match own.file {
            None => json!({ "changes": { (document.uri.to_string()): [edit] } }),
            Some((path, text)) => {
                if !self.able.creates || !self.workspace.holds(&path) {
                    return None;
                }
                let (new, start) = (uri_of(&path)?, lsp::Range::default());
                let version = json!({ "uri": document.uri, "version": document.version });
                json!({ "documentChanges": [
                    { "kind": "create", "uri": new, "options": { "overwrite": false } },
                    {
                        "textDocument": { "uri": new, "version": null },
                        "edits": [{ "range": start, "newText": text }],
                    },
                    { "textDocument": version, "edits": [edit] },
                ] })
            }
        };
        let kind = serde_json::from_value(json!(own.kind)).ok()?;
        let edit = serde_json::from_value(edit).ok()?;
        Some(lsp::CodeAction {
            title: own.title,
            kind: Some(kind),
            edit: Some(edit),
            ..lsp::CodeAction::default()
        })
    }
}

/// Whether an edit fits the text, which may have changed since.
fn is_within(document: &Document, edit: &Edit) -> bool {
    document.text().get(edit.span.clone()).is_some()
}

fn text_edit(document: &Document, edit: &Edit) -> lsp::TextEdit {
    lsp::TextEdit { range: document.lines.range(&edit.span), new_text: edit.text.clone() }
}

/// The action that mends a mistake.
fn fix(document: &Document, found: &Found) -> Option<lsp::CodeAction> {
    let edit = found.fix.as_ref().filter(|edit| is_within(document, edit))?;
    let line = |text: &str| shortened(text.split_whitespace().collect::<Vec<_>>().join(" "));
    let title = match (&document.text()[edit.span.clone()], &*edit.text) {
        ("", new) => format!("Insert `{}`", line(new)),
        (old, "") => format!("Remove `{}`", line(old)),
        (_, new) => format!("Replace by `{}`", line(new)),
    };
    // What is odd may be meant: a node that is not connected yet is no mistake.
    let is_preferred = found.shown.severity == Some(lsp::DiagnosticSeverity::Error);
    Some(quick_fix(document, found, title, text_edit(document, edit), is_preferred))
}

/// Another name for a node that has the name of an earlier one. What reads the name means the earlier one.
fn other_name(document: &Document, found: &Found) -> Option<lsp::CodeAction> {
    let span = document.lines.offset(found.shown.range.start)..document.lines.offset(found.shown.range.end);
    let outline = Outline::of(&document.tree);
    let is_here = |node: &&Entry<'_>| node.name_span.start <= span.end && span.start <= node.name_span.end;
    let node = outline.nodes.iter().find(is_here)?;
    let stem = node.name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['_', ' ']);
    let new = (2..).map(|number| format!("{stem}_{number}")).find(|name| outline.node(name).is_none())?;
    let edit = lsp::TextEdit { range: document.lines.range(&node.name_span), new_text: new.clone() };
    Some(quick_fix(document, found, format!("Rename this one to `{new}`"), edit, false))
}

/// The call without a field that has the name of an earlier one. With the same value, nothing is lost.
fn without(document: &Document, found: &Found) -> Option<lsp::CodeAction> {
    let at = document.lines.offset(found.shown.range.start);
    let outline = Outline::of(&document.tree);
    let node = outline.nodes.iter().find(|node| node.span.contains(&at))?;
    let group = node.call()?.group();
    let item = group.items().find(|item| item.span().start == at)?;
    let first = group.items().find(|other| other.name() == item.name())?;
    let edit = text_edit(document, &remove(group, item));
    let title = format!("Remove this `{}`", shortened(item.text().to_owned()));
    Some(quick_fix(document, found, title, edit, first.text() == item.text()))
}

fn quick_fix(
    document: &Document,
    found: &Found,
    title: String,
    edit: lsp::TextEdit,
    is_preferred: bool,
) -> lsp::CodeAction {
    let changes = Some(HashMap::from([(document.uri.clone(), vec![edit])]));
    lsp::CodeAction {
        title,
        kind: Some(lsp::CodeActionKind::QuickFix),
        diagnostics: Some(vec![found.shown.clone()]),
        is_preferred: Some(is_preferred),
        edit: Some(lsp::WorkspaceEdit { changes, ..lsp::WorkspaceEdit::default() }),
        ..lsp::CodeAction::default()
    }
}
