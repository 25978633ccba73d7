//! The state of the pages, shared by the main loop and the server. Pages receive only the latest state:
//! states are not queued.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use serde_json::Value as Json;
use terrane_flow::{Loaded, ValueId, lock};
use tokio::sync::watch;

use crate::editable::EditableValues;
use crate::page_state::PageState;
use crate::page_texts::{Seen, Texts};
use crate::reach::Reach;

/// The state that is sent to pages, and its subscribers. Cheap to clone.
#[derive(Clone)]
pub struct SharedState {
    state: Arc<Mutex<PageState>>,
    version: Arc<watch::Sender<u64>>,
}

impl Default for SharedState {
    fn default() -> Self {
        Self { state: Arc::default(), version: Arc::new(watch::Sender::new(0)) }
    }
}

impl SharedState {
    /// Changes the state and notifies subscribers.
    pub fn change(&self, change: impl FnOnce(&mut PageState)) {
        change(&mut self.lock());
        self.version.send_modify(|version| *version += 1);
    }

    /// Subscribes to changes. Several changes may arrive as one notification.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The messages for a page: the graph, unless its revision is the `known` one that the page already has,
    /// then the state, and the current revision.
    #[must_use]
    pub fn tell(&self, known: Option<u64>) -> (Option<Arc<str>>, String, u64) {
        let state = self.lock();
        let graph = state.graph.clone().filter(|_| known != Some(state.revision));
        (graph, state.to_json().to_string(), state.revision)
    }

    /// The graph, the node and the output that content comes from.
    #[must_use]
    pub fn find(&self, id: &ValueId) -> Option<(Arc<Loaded>, Arc<str>, usize)> {
        self.lock().nodes.iter().find_map(|(name, node)| {
            node.outputs.iter().chain(&node.before).find_map(|(ids, loaded)| {
                let output = ids.iter().position(|known| known == id)?;
                Some((Arc::clone(loaded), Arc::clone(name), output))
            })
        })
    }

    /// Whether a node's outputs are those of the current graph, at full size.
    #[must_use]
    pub fn is_full(&self, node: &str) -> bool {
        self.lock().nodes.get(node).is_some_and(|node| node.full)
    }

    /// The values of the graph that can be changed.
    #[must_use]
    pub fn editable(&self) -> Option<Arc<EditableValues>> {
        self.lock().editable.clone()
    }

    /// How long a node took when it last ran at full size.
    #[must_use]
    pub fn cost(&self, node: &str) -> Option<Duration> {
        self.lock().nodes.get(node)?.full_time
    }

    /// Whether the graph has a node.
    #[must_use]
    pub fn has_node(&self, node: &str) -> bool {
        self.lock().loaded.as_ref().is_some_and(|loaded| loaded.graph.nodes.contains_key(node))
    }

    /// Where a node is in a text: the file, the line and the column, both counted from 1.
    #[must_use]
    pub fn place_of(&self, node: &str) -> Option<(PathBuf, usize, usize)> {
        let loaded = self.lock().loaded.clone()?;
        let location = loaded.graph.nodes.get(node)?.location.as_ref()?;
        let (line, column) = location.source.line_column(location.name.start);
        Some((location.scope.file.as_ref()?.to_path_buf(), line, column))
    }

    /// Sets the texts that pages show, and notifies pages if they have changed.
    pub fn texts(&self, texts: Texts, reach: Option<Reach>) {
        let names = reach.as_ref().map(Reach::texts).unwrap_or_default();
        let (now, mut state) = (reach.map(|reach| (reach, names)), self.lock());
        let is_same = state.texts == texts
            && now.as_ref().map(|(_, names)| names) == state.reach.as_ref().map(|(_, names)| names);
        state.reach = now;
        if !is_same {
            state.texts = texts;
            drop(state);
            self.version.send_modify(|version| *version += 1);
        }
    }

    /// The text of a file as a message for a page, and the last edit of the page that it contains.
    #[must_use]
    pub fn text(&self, file: &str, page: u64) -> Option<(Arc<Json>, Option<Seen>)> {
        let state = self.lock();
        let edits = state.texts.seen.get(&page).into_iter().flatten();
        let seen = edits.into_iter().find(|(other, _)| other == file).map(|(_, seen)| seen.clone());
        Some((Arc::clone(state.texts.files.get(file)?), seen))
    }

    fn lock(&self) -> MutexGuard<'_, PageState> {
        lock(&self.state)
    }
}

#[cfg(test)]
mod tests;
