//! The list of outputs in their folder. It says what each output is, how it was created, and its bytes.

mod build;
mod format;
mod verify;

pub use build::run;
pub(super) use build::{file, is_still};
pub use format::{MANIFEST, Manifest, OutputFile, Run, Source, State};
pub use verify::{Verdict, verify};
