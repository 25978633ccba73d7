//! What is wrong with a graph, and how it is told.

mod diagnostic;
mod diagnostics;
mod excerpt;
mod source;
pub mod suggest;

pub use diagnostic::Diagnostic;
pub use diagnostics::{DRAWN, Diagnostics};
pub use source::{SourceText, printable};
