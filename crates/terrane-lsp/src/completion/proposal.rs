//! A proposal, and how names are written in it.

use gen_lsp_types::CompletionItemKind;

use crate::context::Context;
use crate::words::markdown;

/// Proposals at once, at most. With more, an editor asks again when more is typed.
pub const MOST: usize = 500;

/// A proposal before it is given a place in the text.
pub struct Proposal {
    pub label: String,
    pub kind: CompletionItemKind,
    /// What is written, as a snippet: the cursor visits `$1`, `$2` and so on, and then `$0`.
    pub text: String,
    /// What an editor writes that knows no snippets and leaves the cursor at the end; `None` for the text of
    /// the snippet.
    pub plain: Option<String>,
    /// The name alone, as it is written where its value or its fields are there already.
    pub name: String,
    /// What an editor compares with what is typed; `None` for the label.
    pub filter: Option<String>,
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
        let (detail, docs) = (detail.into(), markdown(docs));
        Self {
            text: label.clone(),
            name: label.clone(),
            label,
            kind,
            plain: None,
            filter: None,
            detail,
            docs,
        }
    }

    pub fn writes(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }

    /// What an editor without snippets writes.
    pub fn plainly(self, text: impl Into<String>) -> Self {
        Self { plain: Some(text.into()), ..self }
    }

    /// What an editor writes, and whether it is a snippet.
    pub fn into_text(self, snippets: bool) -> (String, bool) {
        let text = without_cursor(&self.text);
        match (snippets, self.plain) {
            (true, _) if has_stops(&self.text) => (self.text, true),
            (false, Some(plain)) => (plain, false),
            _ => (text, false),
        }
    }
}

/// A field: its name, and a snippet of its value. Without snippets, a value is proposed next.
pub fn named(proposal: Proposal, value: &str) -> Proposal {
    let (text, plain) = (format!("{}: {value}", proposal.label), format!("{}: ", proposal.label));
    proposal.writes(text).plainly(plain)
}

/// A name in quotes, unless the position is in quotes.
pub fn quoted(context: &Context<'_>, name: &str, kind: CompletionItemKind, detail: &str) -> Proposal {
    let text = if context.is_quoted { name.to_owned() } else { format!("\"{name}\"") };
    let proposal = Proposal::new(name, kind, detail, "").writes(escaped(&text));
    Proposal { name: text, ..proposal }
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

/// Whether the cursor has places in a snippet.
fn has_stops(snippet: &str) -> bool {
    snippet.replace("\\\\", "").replace("\\$", "").contains('$')
}

/// The text of a snippet without its cursor, for editors that know no snippets.
fn without_cursor(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => text.extend(rest.next()),
            // `$1`, or `${1:text}`.
            '$' => {
                if rest.next() == Some('{') {
                    text.extend(rest.by_ref().skip_while(|c| *c != ':').skip(1).take_while(|c| *c != '}'));
                }
            }
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::without_cursor;

    #[test]
    fn snippets_without_cursors() {
        assert_eq!(without_cursor("a: \"$1\", b: $0"), "a: \"\", b: ");
        assert_eq!(without_cursor("(${1:0.5}, ${2:\\$x})$0"), "(0.5, \\$x)");
        assert_eq!(without_cursor("\\$size\\}"), "$size}");
    }
}
