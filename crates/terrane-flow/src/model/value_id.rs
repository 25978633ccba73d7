//! Identities of values.

use std::fmt;

use crate::model::node_key::Key;
use crate::model::spec::Cost;
use crate::model::value::{Digest, Value};

/// The identity of a value: what keys of dependents, stores and observers know it by. Equal identities mean
/// equal bits.
///
/// For most nodes it is the digest of the content. So a changed node with an unchanged result changes nothing
/// downstream. For a node that is declared cheap it is a hash of the node's key and of the position of the
/// output, since hashing the content would take longer than computing it. Such values may have equal bits and
/// different identities.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub [u8; 32]);

impl ValueId {
    /// The identities of a node's outputs. Takes time O(size of the values), unless the node is cheap.
    pub(crate) fn of_outputs(cost: Cost, key: &Key, values: &[Value]) -> impl Iterator<Item = Self> {
        values.iter().enumerate().map(move |(output, value)| match cost {
            Cost::Cheap => Self::of_cheap_output(key, output),
            Cost::Dear => Self(value.digest().0),
        })
    }

    /// The identity of an output of a cheap node.
    pub(crate) fn of_cheap_output(key: &Key, output: usize) -> Self {
        Self(*blake3::keyed_hash(&key.0.0, &(output as u64).to_le_bytes()).as_bytes())
    }

    /// The digest of the content, if the identities of nodes of this cost are digests.
    #[must_use]
    pub const fn digest(&self, cost: Cost) -> Option<Digest> {
        match cost {
            Cost::Cheap => None,
            Cost::Dear => Some(Digest(self.0)),
        }
    }

    /// Lower-case hexadecimal, 64 characters.
    #[must_use]
    pub fn hex(&self) -> String {
        Digest(self.0).hex()
    }

    /// Parses the output of [`ValueId::hex`].
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        Digest::from_hex(text).map(|digest| Self(digest.0))
    }
}

impl fmt::Debug for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.hex()[..12])
    }
}
