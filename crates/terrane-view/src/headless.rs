//! A preview without server, file watcher and evaluation: applies messages of pages to a graph's file in
//! order.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use terrane_flow::{Diagnostics, EditTree, Engine, LoadOptions, Loaded, Registry, load_edited, lock};

use crate::display::Faces;
use crate::page_requests::PageRequests;
use crate::preview::Preview;
use crate::preview_source::PreviewSource;
use crate::reach::folder_of;
use crate::server::{App, Page, Shown, handle_message};
use crate::shared_state::SharedState;
use crate::store::Store;
use crate::template::Start;
use crate::view::View;
use crate::view_error::ViewError;

/// A graph's file, and the changes that a page makes to it.
pub struct Desk {
    preview: Preview,
    app: App,
    page: Mutex<Page>,
    file: PathBuf,
    registry: Arc<Registry>,
    options: LoadOptions,
}

impl Desk {
    /// Loads a graph and publishes it to pages.
    ///
    /// # Errors
    /// [`ViewError`] if the system provides no random numbers.
    pub fn new(
        engine: &Engine,
        faces: Faces,
        registry: Arc<Registry>,
        file: &Path,
    ) -> Result<Self, ViewError> {
        let (options, files) = View::load_options(LoadOptions::default());
        let (requests, _unheard) = PageRequests::new(Arc::clone(&registry), files);
        let shared = SharedState::default();
        let store = Arc::new(Store::new(0));
        let app = App::new(
            engine.clone(),
            faces,
            shared.clone(),
            requests.clone(),
            Arc::clone(&store),
            Shown { folder: folder_of(file), editor: true, ..Shown::default() },
        )?;
        let (session, source) = (engine.session(), PreviewSource::default());
        let start = Start { file: file.to_owned(), templates: &[] };
        let preview =
            Preview { session, faces, source, start, shared, requests, store, machine: None, warnings: None };
        let page = Mutex::new(Page::new(0));
        let this = Self { preview, app, page, file: file.to_owned(), registry, options };
        this.show();
        Ok(this)
    }

    /// Handles a page's message, including writing and reloading the graph's files. Returns false if the
    /// message is not valid.
    pub fn hear(&self, message: &str) -> bool {
        let known = handle_message(&self.app, &mut lock(&self.page), message);
        if known {
            self.preview.handle(&mut |edit| self.read(edit));
            self.show();
        }
        known
    }

    /// The graph with the page's changes.
    ///
    /// # Errors
    /// Every error of the graph with the changes applied.
    pub fn shown(&self) -> Result<Loaded, Diagnostics> {
        self.read(&mut |file, tree| self.preview.requests.edit(file, tree))
    }

    /// The state that a page receives.
    #[must_use]
    pub fn told(&self) -> String {
        self.preview.shared.tell(None).1
    }

    /// The text of a file that the page reads, as the page receives it.
    #[must_use]
    pub fn text(&self, file: &str) -> Option<String> {
        Some(self.preview.shared.text(file, 0)?.0["text"].as_str()?.to_owned())
    }

    fn show(&self) {
        match self.shown() {
            Ok(loaded) => {
                self.preview.show(&Arc::new(loaded));
            }
            Err(diagnostics) => self.preview.broken(&diagnostics, &mut |edit| self.read(edit).map(|_| ())),
        }
        self.preview.publish_texts();
    }

    fn read(&self, edit: &mut EditTree<'_>) -> Result<Loaded, Diagnostics> {
        load_edited(&self.file, &self.registry, &self.options, edit).0
    }
}
