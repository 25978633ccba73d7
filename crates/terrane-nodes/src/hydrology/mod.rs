//! Where water comes from, and where it runs.

mod drainage;
mod rain;
mod rivers;

pub use drainage::{Drainage, DrainageOutputs};
pub use rain::{Rain, RainOutputs};
pub use rivers::{Rivers, RiversOutputs};
