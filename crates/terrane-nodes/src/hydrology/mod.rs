//! Hydrology: rain, drainage and rivers.

mod drainage;
mod rain;
mod rivers;

pub use drainage::{Drainage, DrainageOutputs};
pub use rain::{Rain, RainOutputs};
pub use rivers::{Rivers, RiversOutputs};

nodes! {
    Rain,
    Drainage,
    Rivers,
}
