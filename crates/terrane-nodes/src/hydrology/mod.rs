//! Hydrology: rain, hollows, drainage, rivers, and standing water.

mod carve_rivers;
mod depressions;
mod drainage;
mod flood;
mod lakes;
mod level;
mod rain;
mod rivers;
mod shore;
mod water;

pub use carve_rivers::{CarveRivers, CarveRiversOutputs};
pub use depressions::{Depressions, DepressionsOutputs};
pub use drainage::{Drainage, DrainageOutputs};
pub use flood::{Flood, FloodOutputs};
pub use lakes::{Lakes, LakesOutputs};
pub use level::{Level, LevelOutputs};
pub use rain::{Rain, RainOutputs};
pub use rivers::{Rivers, RiversOutputs};
pub use water::{Water, WaterOutputs};

nodes! {
    Rain,
    Depressions,
    Drainage,
    Rivers,
    CarveRivers,
    Lakes,
    Flood,
    Level,
    Water,
}
