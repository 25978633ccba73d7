//! Where water runs.

mod drainage;
mod rivers;

pub use drainage::{Drainage, DrainageOutputs};
pub use rivers::{Rivers, RiversOutputs};
