//! What is told of a preview.

use terrane_flow::live::Finished;
use terrane_flow::{Diagnostics, Event};

/// What happens in a preview.
pub enum Told<'a> {
    /// A node is told of.
    Event(&'a Event),
    /// The graph has mistakes; what is shown stays.
    Broken(&'a Diagnostics),
    /// An evaluation ended.
    Finished {
        /// What it gave, and when the reading of the graph began.
        finished: &'a Finished,
        /// Whether it was of fewer samples, to be shown while all are evaluated.
        coarse: bool,
    },
}
