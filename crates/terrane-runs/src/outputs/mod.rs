//! Outputs of graphs in files, and what is known of files already written.

mod all;
mod ledger;
mod place;
mod value;

pub use all::{Report, entries, failures, positions, wanted, write_all};
pub use ledger::Ledger;
pub use place::place;
pub use value::{options, write};
