//! Keys of results.

use crate::model::value::Digest;

/// The key of a node's results: a digest of everything that they depend on. Equal keys mean equal bits.
///
/// The results depend on the node's type, version and parameters, and on the digests of its inputs. They also
/// depend on the content of imported files and their companions, and on seed and header if the node uses
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub Digest);
