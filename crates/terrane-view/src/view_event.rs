//! Events that a preview reports to the program that runs it.

use terrane_flow::live::Finished;
use terrane_flow::{Diagnostics, Event};

/// An event in a preview.
pub enum Told<'a> {
    /// An event of a node.
    Event(&'a Event),
    /// The graph has errors. The page keeps showing the last result.
    Broken(&'a Diagnostics),
    /// A page asks the editor that runs the preview to show a node.
    Source {
        /// The file that has the node.
        file: &'a std::path::Path,
        /// Its line, counted from 1.
        line: usize,
        /// Its column, counted from 1.
        column: usize,
    },
    /// An evaluation ended.
    Finished {
        /// Its result, and when loading of the graph began.
        finished: &'a Finished,
        /// Whether it used fewer samples, to show a result before the full evaluation ends.
        coarse: bool,
        /// Whether it evaluated all nodes, and not only what pages show.
        all: bool,
    },
}
