//! A text that is open in an editor.

use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};
use terrane_flow::syntax::Tree;

use crate::lines::{Encoding, Lines};

/// A text that is open in an editor.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its address.
    pub uri: Uri,
    /// Its file.
    pub path: PathBuf,
    /// Its version, which the editor counts.
    pub version: i32,
    /// Its tree.
    pub tree: Tree,
    /// Its lines.
    pub lines: Lines,
}

impl Document {
    /// A text.
    #[must_use]
    pub fn new(uri: Uri, path: PathBuf, version: i32, text: String, encoding: Encoding) -> Self {
        let tree = Tree::parse(text);
        let lines = Lines::new(tree.shared_text(), encoding);
        Self { uri, path, version, tree, lines }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &Arc<str> {
        self.lines.text()
    }

    /// The same document after changes of its text, in order.
    #[must_use]
    pub fn changed(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Self {
        let mut text = self.text().to_string();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
                    let lines = Lines::new(text.as_str().into(), encoding);
                    let (start, end) = (lines.offset(part.range.start), lines.offset(part.range.end));
                    text.replace_range(start..end.max(start), &part.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => {
                    text = whole.text;
                }
            }
        }
        Self::new(self.uri.clone(), self.path.clone(), version, text, encoding)
    }
}
