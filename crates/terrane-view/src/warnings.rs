//! Warnings of what is probably not meant in a graph. The program that uses this crate finds it.

use terrane_flow::{Diagnostic, Loaded};

/// The warnings of a graph, each with the node or the parameter that it is about, or with empty text. The last
/// argument tells whether the graph is whole, or is a part of a world that may need its other nodes.
pub type Warnings = fn(&Loaded, bool) -> Vec<(String, Diagnostic)>;
