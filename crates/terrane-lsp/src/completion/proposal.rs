//! A proposal, and how names are written in it.

use gen_lsp_types::CompletionItemKind;

use crate::context::Context;
use crate::words::markdown;

/// A proposal before it is given a place in the text.
pub struct Proposal {
    pub label: String,
    pub kind: CompletionItemKind,
    /// What is written; `$0` is where the cursor is then.
    pub text: String,
    pub detail: String,
    pub docs: String,
}

impl Proposal {
    pub fn new(
        label: impl Into<String>,
        kind: CompletionItemKind,
        detail: impl Into<String>,
        docs: &str,
    ) -> Self {
        let label = label.into();
        Self { text: label.clone(), label, kind, detail: detail.into(), docs: markdown(docs) }
    }

    pub fn writes(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

/// A name in quotes, unless the position is in quotes.
pub fn quoted(context: &Context<'_>, name: &str, kind: CompletionItemKind, detail: &str) -> Proposal {
    let text = if context.is_quoted { name.to_owned() } else { format!("\"{name}\"") };
    Proposal::new(name, kind, detail, "").writes(escaped(&text))
}

/// A name in quotes as a key.
pub fn key(context: &Context<'_>, name: &str, kind: CompletionItemKind, detail: &str) -> Proposal {
    let proposal = quoted(context, name, kind, detail);
    if context.is_quoted { proposal } else { Proposal { text: format!("{}: $0", proposal.text), ..proposal } }
}

/// A text in which a snippet has nothing to replace.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// The text of a snippet without its cursor, for editors that know no snippets.
pub fn without_cursor(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.extend(rest.next()),
            // The only thing that a snippet here replaces is `$0`.
            '$' => drop(rest.next()),
            c => text.push(c),
        }
    }
    text
}
