//! Memory that values and running nodes take together, and who waits for some of it.

mod charge;
mod ledger;
mod needs;
mod room;

pub use charge::{charged, charged_in};
pub use ledger::Rank;
pub use needs::{Needs, SMALL};
pub use room::{Budget, Room};
