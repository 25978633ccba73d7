//! Fields that every node type has.

use terrane_flow_derive::{Choice, Declare};

use crate::model::node::Declare as _;
use crate::model::spec::NodeSpec;

/// Whether a node's results are kept for other runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, Choice)]
pub enum Keep {
    /// The results are computed again when they are needed and no longer in memory.
    Never,
    /// The results are kept, even if computing them is as fast as reading them.
    Always,
}

/// Fields that every node has.
///
/// They control how a graph is evaluated, and never change its results.
#[derive(Clone, Debug, Declare)]
#[node(category = "files")]
pub struct Common {
    /// Whether the node's results are kept for other runs: `Never` or `Always`. Default: results are kept if
    /// they take longer to compute than to read.
    #[param(default = None)]
    pub keep: Option<Keep>,
}

impl Common {
    /// The spec of the fields.
    #[must_use]
    pub fn fields() -> &'static NodeSpec {
        Self::spec()
    }
}
