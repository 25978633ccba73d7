//! The documents that are open, what is known of the folder, and the mistakes that an editor shows.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use gen_lsp_types as lsp;
use lsp_server::Notification;
use terrane_flow::syntax::Tree;

use super::Server;
use crate::diagnostics::{Found, find};
use crate::document::Document;
use crate::habits::Habits;
use crate::workspace::{path_of, real, uri_of};

/// After the last change, mistakes are looked for when so much time has passed.
const PAUSE: Duration = Duration::from_millis(100);

/// While there are mistakes, they are looked for again so often, once a second.
const AGAIN: u32 = 5;

/// Mistakes and warnings of a file that an editor is shown, at most.
const MOST: usize = 1000;

/// Bytes of graphs that are read for what is usual in the folder, at most.
const MOST_HABITS: u64 = 2 << 20;

impl Server<'_> {
    pub(super) fn open(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem { uri, version, text, .. } = params.text_document;
        let Some(path) = path_of(&uri).map(|path| real(&path)) else { return };
        let document = Document::new(uri, path, version, text, self.encoding);
        self.take(document, Duration::ZERO);
    }

    /// What the graphs of the folder write. They are read when proposals are first asked for after a file was
    /// saved, so that many changes of files are read once.
    pub(super) fn habits(&self) -> &Habits {
        self.habits.get_or_init(|| {
            let mut habits = Habits::default();
            for (path, text) in self.workspace.graphs(&*self.files, MOST_HABITS) {
                habits.take(&real(&path), &Tree::parse(text));
            }
            habits
        })
    }

    pub(super) fn change(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let lsp::VersionedTextDocumentIdentifier { version, text_document_identifier, .. } =
            params.text_document;
        let Ok(document) = self.document(&text_document_identifier.uri) else { return };
        let document = document.changed(version, params.content_changes, self.encoding);
        self.take(document, PAUSE);
    }

    fn take(&mut self, document: Document, pause: Duration) {
        self.files.put(&document.path, document.text().as_bytes());
        self.documents.insert(document.path.clone(), document);
        self.look(pause);
    }

    /// Looks for mistakes after a pause.
    pub(super) fn look(&mut self, pause: Duration) {
        self.due = Some(Instant::now() + pause);
        self.again = AGAIN;
    }

    pub(super) fn close(&mut self, params: &lsp::DidCloseTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri).map(|path| real(&path)) else { return };
        self.documents.remove(&path);
        self.files.remove(&path);
        for file in self.found.remove(&path).unwrap_or_default().into_keys() {
            self.show(&file);
        }
        self.look(Duration::ZERO);
    }

    /// Looks for mistakes in all open documents, and shows them.
    pub(super) fn publish(&mut self) {
        self.due = None;
        let is_again = self.again < AGAIN;
        let options = self.options();
        let mut files: Vec<PathBuf> = Vec::new();
        let paths: Vec<PathBuf> = self.documents.keys().cloned().collect();
        for path in paths {
            let results = self.setup.results.as_ref();
            let now = find(&self.documents[&path], &self.setup.registry, &options, self.encoding, results);
            let before = self.found.insert(path, now.clone()).unwrap_or_default();
            if !is_again || now != before {
                files.extend(now.into_keys().chain(before.into_keys()));
            }
        }
        files.sort();
        files.dedup();
        files.iter().for_each(|file| self.show(file));
        let is_wrong = |found: &Found| found.shown.severity == Some(lsp::DiagnosticSeverity::Error);
        if self.again > 0 && self.found.values().flat_map(BTreeMap::values).flatten().any(is_wrong) {
            self.again -= 1;
            self.due = Some(Instant::now() + Duration::from_secs(1));
        }
    }

    /// Shows the mistakes of a file. What several open graphs report about the same file is shown once.
    fn show(&self, file: &Path) {
        let Some(uri) = uri_of(file) else { return };
        let mut diagnostics: Vec<lsp::Diagnostic> = Vec::new();
        let mut said = HashSet::new();
        for found in self.found.values().filter_map(|all| all.get(file)).flatten() {
            let start = found.shown.range.start;
            if diagnostics.len() < MOST && said.insert((start.line, start.character, found.message())) {
                diagnostics.push(found.shown.clone());
            }
        }
        let version = self.documents.get(file).map(|document| document.version);
        let params = lsp::PublishDiagnosticsParams { uri, version, diagnostics };
        let notification = Notification::new("textDocument/publishDiagnostics".to_owned(), params);
        // If the editor is gone, the loop ends.
        let _gone = self.connection.sender.send(notification.into());
    }
}
