//! The list of outputs in their folder: what each is, how it was made, and its bytes.

mod made;
mod page;
mod verify;

pub use made::run;
pub(super) use made::{file, is_still};
pub use page::{MANIFEST, Manifest, OutputFile, Run, Source, State};
pub use verify::{Verdict, verify};
