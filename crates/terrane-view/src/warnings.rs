//! Warnings of what is probably not meant in a graph. The program that uses this crate finds it.

use std::fmt::Debug;
use std::sync::Arc;

use terrane_flow::{Diagnostic, Engine, Loaded};

/// Warnings, each with the node or the parameter that it is about, or with empty text.
pub type Warned = Vec<(String, Diagnostic)>;

/// Warns of what is probably not meant in a graph.
pub trait Warnings: Debug + Send + Sync {
    /// The warnings that the text tells. `is_whole` is whether the graph is whole, or is a part of a world
    /// that may need its other nodes.
    fn of_text(&self, loaded: &Loaded, is_whole: bool) -> Warned;

    /// The warnings that values tell which the engine has.
    fn of_values(&self, engine: &Engine, loaded: &Arc<Loaded>) -> Warned;
}
