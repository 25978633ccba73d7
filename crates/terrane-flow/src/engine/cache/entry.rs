//! Entries: the known outputs of a key.

use std::ops::Deref;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::model::value_id::ValueId;

/// The identities of a node's outputs. Up to two identities are stored inline.
pub type Ids = SmallVec<[ValueId; 2]>;

/// The known outputs of a key; clones share the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry(Arc<Known>);

/// The content of an [`Entry`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The identity of each output, in order.
    pub ids: Ids,
    /// The node's warnings. They are reported again when the entry is used.
    pub warnings: Box<[String]>,
    /// Why the outputs are not kept for other runs; `None` if they are kept.
    pub not_kept: Option<NotKept>,
}

impl From<Known> for Entry {
    fn from(known: Known) -> Self {
        Self(Arc::new(known))
    }
}

impl Deref for Entry {
    type Target = Known;

    fn deref(&self) -> &Known {
        &self.0
    }
}

/// Outputs that are not kept for other runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotKept {
    /// The type of the node.
    pub node: Arc<str>,
    /// The reason.
    pub reason: Reason,
}

/// Why outputs are not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Computing them is about as fast as reading them.
    Cheap,
    /// The graph says `keep: Never`.
    Never,
}

impl Reason {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Cheap => "cheap",
            Self::Never => "never",
        }
    }

    pub(super) fn of_word(word: &str) -> Option<Self> {
        [Self::Cheap, Self::Never].into_iter().find(|reason| reason.word() == word)
    }
}

impl std::fmt::Display for NotKept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.reason {
            Reason::Cheap => write!(f, "{} computes it about as fast as it could be read", self.node),
            Reason::Never => f.write_str("the graph sets `keep: Never`"),
        }
    }
}
