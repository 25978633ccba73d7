//! The state that request handlers share.

use std::path::PathBuf;
use std::sync::Arc;

use terrane_flow::Engine;
use tokio::sync::Semaphore;

use super::token::random_hex;
use crate::display::Faces;
use crate::language::Language;
use crate::page_requests::PageRequests;
use crate::shared_state::SharedState;
use crate::store::Store;
use crate::template::Template;
use crate::view_error::ViewError;

/// Maximum number of contents computed at once: each may hold a map.
pub const MAKERS: usize = 2;
/// Maximum number of open pages.
const PAGES: usize = 32;

/// What pages are told when they open.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Identifies the graph's file, so that a page does not send its changes to another graph.
    pub graph: String,
    /// Graphs that the page offers if the file does not exist.
    pub templates: &'static [Template],
    /// Whether pages cannot change anything.
    pub read_only: bool,
    /// The folder whose files pages can read by the language service.
    pub folder: PathBuf,
    /// The language service.
    pub language: Option<Arc<dyn Language>>,
    /// Whether an editor runs the preview, which can show nodes.
    pub editor: bool,
}

/// The state that request handlers share.
pub struct App {
    /// Evaluates values that are not in the store.
    pub engine: Engine,
    /// How values are displayed.
    pub faces: Faces,
    /// The state that is sent to pages.
    pub shared: SharedState,
    /// The requests of pages.
    pub requests: PageRequests,
    /// Cached values and pictures.
    pub store: Arc<Store>,
    /// Permits for computing content.
    pub turns: Arc<Semaphore>,
    /// Permits for open pages.
    pub links: Arc<Semaphore>,
    /// A new random name for each start, so that a page knows whether to send its changes again.
    pub run: String,
    /// What pages are told when they open.
    pub shown: Shown,
}

impl App {
    /// Creates the shared state of a server.
    ///
    /// # Errors
    /// When the system provides no random numbers.
    pub fn new(
        engine: Engine,
        faces: Faces,
        shared: SharedState,
        requests: PageRequests,
        store: Arc<Store>,
        shown: Shown,
    ) -> Result<Self, ViewError> {
        let (turns, links) = (Arc::new(Semaphore::new(MAKERS)), Arc::new(Semaphore::new(PAGES)));
        Ok(Self { engine, faces, shared, requests, store, turns, links, shown, run: random_hex::<8>()? })
    }
}
