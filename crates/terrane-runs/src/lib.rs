//! Runs of Terrane's graphs: outputs in files, sweeps over seeds and parameters, snapshots, and worlds of
//! patches. The `terrane` command parses arguments, calls this library, and prints.

mod check;
mod check_values;
pub mod diff;
pub mod explain;
mod failure;
pub mod lint;
mod lock;
pub mod memory;
pub mod outputs;
pub mod patches;
pub mod settings;
pub mod snapshots;
pub mod sweep;
pub mod thumbnail;
pub mod workers;
pub mod world;

pub use check::{Checked, check};
pub use check_values::check_values;
pub use failure::Failure;
pub use terrane_flow::syntax::Problem;
