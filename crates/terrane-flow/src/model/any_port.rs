//! Ports of node types that are defined at run time.

use crate::model::port::{Port, Source};
use crate::model::value::Kind;

/// A port whose kind is known only at run time. A node type that is defined at run time can have any list of
/// such ports.
#[derive(Clone, Debug)]
pub struct AnyInput {
    kind: &'static Kind,
    source: Source,
}

impl AnyInput {
    /// A port for a kind of value. The node's spec states whether the port is optional and whether it takes
    /// numbers.
    #[must_use]
    pub const fn new(kind: &'static Kind) -> Self {
        Self { kind, source: Source::Unset }
    }

    /// Takes the source out of the port. A value with no other holder can then be edited in place.
    #[must_use]
    pub fn take(&mut self) -> Source {
        std::mem::take(&mut self.source)
    }
}

impl Port for AnyInput {
    fn kind(&self) -> &'static Kind {
        self.kind
    }
    fn source(&self) -> &Source {
        &self.source
    }
    fn connect(&mut self, source: Source) {
        self.source = source;
    }
}
