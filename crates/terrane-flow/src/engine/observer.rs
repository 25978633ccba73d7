//! Who looks at what nodes give.

use std::sync::Arc;

use crate::model::value::{Digest, Value};

/// What a node gave.
#[derive(Debug)]
pub struct Seen<'a> {
    /// The node.
    pub node: &'a Arc<str>,
    /// Content of each output.
    pub digests: &'a [Digest],
    /// The outputs; `None` where they were known already and nobody loaded them.
    pub values: Option<&'a [Value]>,
}

/// Is shown what nodes give, on the engine's threads, before their readers run. It should be quick, and let
/// values go.
pub type Observer = Arc<dyn Fn(&Seen<'_>) + Send + Sync>;
