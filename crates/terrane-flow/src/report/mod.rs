//! Mistakes in a graph, and how they are reported.

mod diagnostic;
mod diagnostics;
mod excerpt;
mod source;
pub mod suggest;

pub use diagnostic::Diagnostic;
pub use diagnostics::{Diagnostics, MAX_RENDERED};
pub use source::{SourceText, is_hidden, printable};
