//! Outputs of graphs in files, and the records of files already written.

mod entries;
mod ledger;
mod manifest;
mod path;
mod report;
mod run;
mod value;
mod writing;

pub use entries::{check_folder, entries, failures, positions, wanted, write_all, write_all_until};
pub use ledger::Ledger;
pub(crate) use manifest::run as run_page;
pub use manifest::{MANIFEST, Manifest, OutputFile, Run, Source, State, Verdict, verify};
pub use path::{check_named, check_unread, place};
pub use report::{Made, Report};
pub use run::{run, run_all};
pub use value::{extensions, options, write, write_until};
pub use writing::{Destination, Tell};
