//! The content of a node's outputs.

use std::sync::Arc;

use crate::model::value::Digest;

/// What the index knows of a key: the digest of each output, in order.
pub type Digests = Arc<[Digest]>;
