//! Files that change while nodes read them: a result is kept under the key of the content that it was made from, or not at all.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use super::state::JobState;
use crate::engine::round::Round;
use crate::model::error::NodeError;
use crate::model::files::Stamp;
use crate::model::key::Key;
use crate::model::node::Node;

impl JobState {
    /// The files that a node reads, as they are now.
    pub fn stamps(&self, node: usize) -> Vec<Option<Stamp>> {
        let node = &self.graph.graph.nodes[node];
        if node.own().imports { stamps(node.node()) } else { Vec::new() }
    }

    /// Whether the files that a node has read are those that its key tells of, which it was made from: nothing changed since before, in time or content.
    pub fn has_read(&self, round: &Round, node: usize, (key, before): (&Key, &[Option<Stamp>])) -> bool {
        before.is_empty() || (self.stamps(node) == before && self.key(round, node).as_ref() == Some(key))
    }

    /// A file changed while a node read it: what came of it is of no content, and is made again, but not for ever.
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
    let of = |path: &Path| Stamp::of(&std::fs::metadata(path).ok()?).ok();
    let mut stamps = Vec::new();
    // Files are visited to be changed, when they are resolved.
    dyn_clone::clone_box(node).files(&mut |file| stamps.push(of(&file.path())));
    let companions: Vec<PathBuf> = node.companions();
    stamps.extend(companions.iter().map(|path| of(path)));
    stamps
}
