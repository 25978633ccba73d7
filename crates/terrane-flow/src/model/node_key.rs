//! Keys of results.

use crate::model::value::Digest;

/// The key of a node's results: type, version, parameters, seed and header where they are used, content of
/// imported files and their companions, and inputs' content. The same key means the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub Digest);
