//! Drainage, lakes, basins and rivers.

mod bands;
mod drainage;
mod flats;
mod lakes;
mod network;
mod overflow;
mod passes;
mod rivers;

pub(crate) use bands::Bands;
pub use drainage::{Drainage, Draining, drainage};
pub(crate) use flats::Flats;
pub(crate) use lakes::LakeBuffers;
pub(crate) use network::Network;
pub(crate) use overflow::{LakeTerrain, Overflow};
pub use rivers::{Circle, River, Rivers, rivers};
