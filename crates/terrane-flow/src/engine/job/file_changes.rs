//! Detects files that change while nodes read them. Without this, a result could be stored under the key of
//! other file content.

use std::sync::atomic::Ordering;

use super::state::JobState;
use crate::engine::round::Round;
use crate::model::error::NodeError;
use crate::model::files::{Disk, Files, Stamp};
use crate::model::node::Node;
use crate::model::node_key::Key;
use crate::model::param::FilePath;

impl JobState {
    /// The present stamps of the files that a node reads.
    pub fn stamps(&self, node: usize) -> Vec<Option<Stamp>> {
        let node = &self.graph.graph.nodes[node];
        if node.own().imports { stamps(node.node()) } else { Vec::new() }
    }

    /// Whether the files that a node has read still match its key. They match if neither their stamps nor
    /// their content has changed.
    pub fn files_unchanged(
        &self,
        round: &Round,
        node: usize,
        (key, before): (&Key, &[Option<Stamp>]),
    ) -> bool {
        before.is_empty() || (self.stamps(node) == before && self.key(round, node).as_ref() == Some(key))
    }

    /// Handles a file that changed while a node read it. The result is dropped, and computed again. If this
    /// happens too often in a job, the node fails.
    pub fn file_changed(&self, round: &Round, node: usize) -> NodeError {
        const MAX_TRIES: u32 = 10;
        if self.changes.fetch_add(1, Ordering::Relaxed) >= MAX_TRIES {
            return NodeError::failed(
                "a file that it reads keeps changing",
                "run again after the file has been completely written",
            );
        }
        self.warn(Some(node), "a file changed while it was read, and is read again".to_owned());
        self.run_again(round, node, None);
        NodeError::Cancelled
    }
}

/// The present stamps of the files that a node reads, and of their companions; `None` for missing files.
fn stamps(node: &dyn Node) -> Vec<Option<Stamp>> {
    let mut named = Vec::new();
    // `Node::files` needs a mutable node, so it is called on a copy.
    dyn_clone::clone_box(node).files(&mut |file| named.push(file.clone()));
    let mut stamps: Vec<_> = named.iter().map(|file| file.files().stamp(&file.path())).collect();
    let files = named.first().map_or(&Disk as &dyn Files, FilePath::files);
    stamps.extend(node.companions().iter().map(|path| files.stamp(path)));
    stamps
}
