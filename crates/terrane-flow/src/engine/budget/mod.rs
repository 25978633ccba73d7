//! The budget for the memory of values and running nodes.

mod charge;
mod ledger;
mod needs;
mod room;

pub use charge::{charged, charged_in};
pub use ledger::Rank;
pub use needs::{Needs, SMALL};
pub use room::{Budget, Room};
