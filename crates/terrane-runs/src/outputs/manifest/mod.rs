//! The list of outputs in their folder: what each is, how it was made, and its bytes.

mod made;
mod page;
mod verify;

pub(super) use made::{file, is_still};
pub use made::run;
pub use page::{MANIFEST, Manifest, OutputFile, Run, Source, State};
pub use verify::{Verdict, verify};
