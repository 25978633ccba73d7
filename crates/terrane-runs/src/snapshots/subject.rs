//! The subject of a snapshot: an output or a port.

use std::fmt;

use terrane_flow::{Graph, Reference};

/// The subject of a snapshot: an output or a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An output of the graph, by its file name.
    Output(String),
    /// A port named on the command line.
    Port(String),
}

impl Subject {
    /// The node output that the subject refers to; `None` if the graph does not have it.
    #[must_use]
    pub fn reference(&self, graph: &Graph) -> Option<Reference> {
        match self {
            Self::Output(file) => {
                graph.outputs.iter().find(|entry| entry.file == *file).map(|entry| entry.from.clone())
            }
            Self::Port(port) => Some(Reference::parse(port)).filter(|port| graph.find(port).is_ok()),
        }
    }

    /// The name as the user gave it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Output(name) | Self::Port(name) => name,
        }
    }

    /// The name as a part of a file name. `insta` replaces folder separators in the same way.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.name().replace(['/', '\\'], "__")
    }

    /// The `expression` in the snapshot's metadata.
    #[must_use]
    pub fn expression(&self) -> String {
        match self {
            Self::Output(file) => format!("output({})", serde_json::Value::from(file.as_str())),
            Self::Port(port) => format!("port({})", serde_json::Value::from(port.as_str())),
        }
    }

    /// The subject of an `expression` in a snapshot's metadata.
    #[must_use]
    pub fn from_expression(expression: &str) -> Option<Self> {
        let (kind, rest) = expression.split_once('(')?;
        let name = serde_json::from_str(rest.strip_suffix(')')?).ok()?;
        match kind {
            "output" => Some(Self::Output(name)),
            "port" => Some(Self::Port(name)),
            _ => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if matches!(self, Self::Output(_)) { "output" } else { "port" };
        write!(f, "the {kind} `{}`", self.name())
    }
}
