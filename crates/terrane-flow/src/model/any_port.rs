//! Ports of nodes whose types are made while the program runs.

use crate::model::port::{Port, Source};
use crate::model::value::Kind;

/// A port whose kind is known only while the program runs: such a node can have any list of them.
#[derive(Clone, Debug)]
pub struct AnyInput {
    kind: &'static Kind,
    source: Source,
}

impl AnyInput {
    /// A port that takes a kind of value; whether it may be left out, or takes numbers, the node's spec says.
    #[must_use]
    pub const fn new(kind: &'static Kind) -> Self {
        Self { kind, source: Source::Unset }
    }

    /// What the port is connected to, which it then is no more: a value can be edited in place when nobody
    /// else holds it.
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
