//! Fields that every node has, beside its own.

use terrane_flow_derive::{Choice, Declare};

use crate::model::node::Declare as _;
use crate::model::spec::NodeSpec;

/// Whether a node's results are kept for other runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, Choice)]
pub enum Keep {
    /// They are made again when they are needed and no longer in memory.
    Never,
    /// They are kept, also when they are made as fast as they are read.
    Always,
}

/// Fields that every node has.
///
/// They say how a graph is evaluated, and never change what it gives.
#[derive(Clone, Debug, Declare)]
#[node(category = "files")]
pub struct Common {
    /// Whether the node's results are kept for other runs: `Never` or `Always`; where nothing is said, those
    /// are kept that take longer to make than to read.
    #[param(default = None)]
    pub keep: Option<Keep>,
}

impl Common {
    /// What the fields are.
    #[must_use]
    pub fn fields() -> &'static NodeSpec {
        Self::spec()
    }
}
