//! Answers for editors that show more than text: words by their meaning, hints, colours and lenses.

use gen_lsp_types as lsp;
use serde_json::json;

use super::{Answer, Server};
use crate::colours::colours;
use crate::document::Document;
use crate::inlay::hints;
use crate::outline::Outline;
use crate::semantic::{encoded, words};

impl Server<'_> {
    pub(super) fn tokens(&self, params: lsp::SemanticTokensParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let all = words(document, &self.setup.registry, &(0..document.text().len()));
        Ok(json!({ "data": encoded(document, &all) }))
    }

    pub(super) fn some_tokens(&self, params: lsp::SemanticTokensRangeParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let all = words(document, &self.setup.registry, &span(document, params.range));
        Ok(json!({ "data": encoded(document, &all) }))
    }

    pub(super) fn hints(&self, params: lsp::InlayHintParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let hints = hints(document, &self.setup.registry, &span(document, params.range));
        let of = |hint: crate::inlay::Hint| {
            json!({
                "position": document.lines.position(hint.at),
                "label": hint.label,
                "kind": if hint.is_default { 2 } else { 1 },
                "tooltip": { "kind": "markdown", "value": hint.docs },
            })
        };
        Ok(hints.into_iter().map(of).collect())
    }

    pub(super) fn colours(&self, params: lsp::DocumentColorParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        let of = |(span, colour): (_, [u8; 3])| {
            let [red, green, blue] = colour.map(|part| f64::from(part) / 255.0);
            json!({
                "range": document.lines.range(&span),
                "color": { "red": red, "green": green, "blue": blue, "alpha": 1.0 },
            })
        };
        Ok(colours(document, &self.setup.registry).into_iter().map(of).collect())
    }

    /// What can be done with a file, above its first word, and with its outputs, above their list.
    pub(super) fn lenses(&self, params: lsp::CodeLensParams) -> Answer {
        let document = self.document(&params.text_document.uri)?;
        if self.setup.program.is_none() {
            return Ok(json!([]));
        }
        let outline = Outline::of(&document.tree);
        let Some(call) = document.tree.value().and_then(terrane_flow::syntax::Value::call) else {
            return Ok(json!([]));
        };
        let lens = |span: &std::ops::Range<usize>, title: &str, command: &str| {
            json!({
                "range": document.lines.range(span),
                "command": { "title": title, "command": command, "arguments": [document.uri] },
            })
        };
        let mut all = Vec::new();
        if outline.kind == self.setup.registry.family().graph.name {
            all.push(lens(&call.name_span(), "Preview", "terrane.preview"));
            let outputs = outline.fields.iter().find(|field| field.name == "outputs");
            if let Some(outputs) = outputs.filter(|_| !outline.outputs.is_empty()) {
                all.push(lens(&outputs.name_span, "Run", "terrane.run"));
                all.push(lens(&outputs.name_span, "Accept snapshots", "terrane.accept"));
            }
        }
        Ok(json!(all))
    }
}

/// The bytes of a range.
fn span(document: &Document, range: lsp::Range) -> std::ops::Range<usize> {
    document.lines.offset(range.start)..document.lines.offset(range.end)
}
