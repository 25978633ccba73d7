//! Hydrology: rain, hollows, drainage and rivers.

mod depressions;
mod drainage;
mod rain;
mod rivers;

pub use depressions::{Depressions, DepressionsOutputs};
pub use drainage::{Drainage, DrainageOutputs};
pub use rain::{Rain, RainOutputs};
pub use rivers::{Rivers, RiversOutputs};

nodes! {
    Rain,
    Depressions,
    Drainage,
    Rivers,
}
