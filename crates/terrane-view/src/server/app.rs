//! What answers are made from.

use std::sync::Arc;

use terrane_flow::Engine;
use tokio::sync::Semaphore;

use super::token::random_hex;
use crate::board::Board;
use crate::face::Faces;
use crate::store::Store;
use crate::view_error::ViewError;
use crate::wishes::Wishes;

/// Contents made at once: each may hold a map.
pub const MAKERS: usize = 2;
/// Pages at once; more are refused.
const PAGES: usize = 32;

/// What answers are made from.
pub struct App {
    /// Evaluates what is not kept.
    pub engine: Engine,
    /// What can be shown of values.
    pub faces: Faces,
    /// What pages see.
    pub board: Board,
    /// What pages want.
    pub wishes: Wishes,
    /// What is kept.
    pub store: Arc<Store>,
    /// Turns at making content.
    pub turns: Arc<Semaphore>,
    /// Pages that may be linked at once.
    pub links: Arc<Semaphore>,
    /// Another with every start, so that a page knows whether what it told is still known.
    pub run: String,
    /// Stands for the graph's file, so that a page does not tell of one graph what it knows of another.
    pub graph: String,
}

impl App {
    /// What answers are made from, with nobody served yet.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn new(
        engine: Engine,
        faces: Faces,
        board: Board,
        wishes: Wishes,
        store: Arc<Store>,
        graph: String,
    ) -> Result<Self, ViewError> {
        let (turns, links) = (Arc::new(Semaphore::new(MAKERS)), Arc::new(Semaphore::new(PAGES)));
        Ok(Self { engine, faces, board, wishes, store, turns, links, graph, run: random_hex::<8>()? })
    }
}
