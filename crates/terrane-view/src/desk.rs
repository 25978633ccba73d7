//! A preview without its server, its watcher and its evaluation: what messages of pages do to a graph's file,
//! one after the other.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::{Diagnostics, EditTree, Engine, LoadOptions, Loaded, Registry, load_edited};

use crate::board::Board;
use crate::face::Faces;
use crate::preview::Preview;
use crate::server::{App, hear};
use crate::store::Store;
use crate::subject::Subject;
use crate::view_error::ViewError;
use crate::wishes::Wishes;

/// A graph's file, and what a page says of it.
pub struct Desk<'a> {
    preview: Preview,
    app: App,
    file: PathBuf,
    registry: &'a Registry,
}

impl<'a> Desk<'a> {
    /// Reads a graph and puts it on the board.
    ///
    /// # Errors
    /// [`ViewError`]: the system gives no random numbers.
    pub fn new(
        engine: &Engine,
        faces: Faces,
        registry: &'a Registry,
        file: &Path,
    ) -> Result<Self, ViewError> {
        let ((wishes, _nobody), board) = (Wishes::new(), Board::default());
        let store = Arc::new(Store::new(0));
        let app = App::new(
            engine.clone(),
            faces,
            board.clone(),
            wishes.clone(),
            Arc::clone(&store),
            String::new(),
        )?;
        let (session, subject) = (engine.session(), Subject::default());
        let preview = Preview { session, faces, subject, board, wishes, store, machine: None };
        let this = Self { preview, app, file: file.to_owned(), registry };
        this.show();
        Ok(this)
    }

    /// Does what a page's message asks for, and writes and reads the graph's files where it does; false where
    /// the message is not known.
    pub fn hear(&self, message: &str) -> bool {
        let known = hear(&self.app, 0, message);
        if known {
            self.preview.write(&mut |edit| self.read(edit).map(|_| ()));
            self.show();
        }
        known
    }

    /// The graph with the page's changes.
    ///
    /// # Errors
    /// Every mistake that it has with them.
    pub fn shown(&self) -> Result<Loaded, Diagnostics> {
        self.read(&mut |file, tree| self.preview.wishes.edit(file, tree))
    }

    /// What a page is told.
    #[must_use]
    pub fn told(&self) -> String {
        self.preview.board.tell(None).1
    }

    fn show(&self) {
        match self.shown() {
            Ok(loaded) => {
                self.preview.show(&Arc::new(loaded));
            }
            Err(diagnostics) => self.preview.broken(&diagnostics, &mut |edit| self.read(edit).map(|_| ())),
        }
    }

    fn read(&self, edit: &mut EditTree<'_>) -> Result<Loaded, Diagnostics> {
        load_edited(&self.file, self.registry, &LoadOptions::default(), edit).0
    }
}
