//! Outputs of graphs in files, and what is known of files already written.

mod all;
mod ledger;
mod manifest;
mod place;
mod value;

pub use all::{Made, Report, check_folder, entries, failures, positions, wanted, write_all};
pub use ledger::Ledger;
pub use manifest::{MANIFEST, Manifest, OutputFile, Run, Source, State, Verdict, verify};
pub use place::place;
pub use value::{options, write};
