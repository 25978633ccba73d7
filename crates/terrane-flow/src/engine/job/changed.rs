//! Files that change while nodes read them: a result is kept under the key of the content that it was made
//! from, or not at all.

use std::sync::atomic::Ordering;

use super::state::JobState;
use crate::engine::round::Round;
use crate::model::error::NodeError;
use crate::model::files::{Disk, Files, Stamp};
use crate::model::node::Node;
use crate::model::node_key::Key;
use crate::model::param::FilePath;

impl JobState {
    /// The files that a node reads, as they are now.
    pub fn stamps(&self, node: usize) -> Vec<Option<Stamp>> {
        let node = &self.graph.graph.nodes[node];
        if node.own().imports { stamps(node.node()) } else { Vec::new() }
    }

    /// Whether the files that a node has read are those that its key tells of, which it was made from:
    /// nothing changed since before, in time or content.
    pub fn has_read(&self, round: &Round, node: usize, (key, before): (&Key, &[Option<Stamp>])) -> bool {
        before.is_empty() || (self.stamps(node) == before && self.key(round, node).as_ref() == Some(key))
    }

    /// A file changed while a node read it: what came of it is of no content, and is made again, but not for
    /// ever.
    pub fn changed(&self, round: &Round, node: usize) -> NodeError {
        const TRIES: u32 = 10;
        if self.changes.fetch_add(1, Ordering::Relaxed) >= TRIES {
            return NodeError::failed(
                "a file that it reads changes all the time",
                "run again when the file is written to the end",
            );
        }
        self.warn(Some(node), "a file changed while it was read; it is read again".to_owned());
        self.run_again(round, node, None);
        NodeError::Cancelled
    }
}

/// The files that a node reads, with their companions, as they are now; none where one is not there.
fn stamps(node: &dyn Node) -> Vec<Option<Stamp>> {
    let mut named = Vec::new();
    // Files are visited to be changed, when they are resolved.
    dyn_clone::clone_box(node).files(&mut |file| named.push(file.clone()));
    let mut stamps: Vec<_> = named.iter().map(|file| file.files().stamp(&file.path())).collect();
    let files = named.first().map_or(&Disk as &dyn Files, FilePath::files);
    stamps.extend(node.companions().iter().map(|path| files.stamp(path)));
    stamps
}
