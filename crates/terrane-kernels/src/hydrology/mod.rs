//! Drainage, lakes, basins and rivers.

mod bands;
mod drainage;
mod flats;
mod lakes;
mod network;
mod overflow;
mod passes;
mod rivers;
mod shape;

pub(crate) use bands::Bands;
pub use drainage::{Drainage, Draining, drainage};
pub(crate) use flats::Flats;
pub(crate) use lakes::LakeBuffers;
pub(crate) use network::{Alive, CHECK_INTERVAL, Network, chunks, each};
pub(crate) use overflow::{LakeTerrain, Overflow};
pub use rivers::{Circle, River, Rivers, rivers};
pub(crate) use shape::{DIRECTIONS, Shape};
