//! Drainage, lakes, basins and rivers.

mod bands;
mod drainage;
mod flats;
mod ground;
mod lakes;
mod network;
mod passes;
mod rivers;
mod shape;

pub(crate) use bands::Bands;
pub use drainage::{Drainage, Draining, drainage};
pub(crate) use flats::Flats;
pub(crate) use ground::{Ground, Overflow};
pub(crate) use lakes::Room;
pub(crate) use network::{Alive, Network, PATIENCE, chunks, each};
pub use rivers::{Circle, River, Rivers, rivers};
pub(crate) use shape::{Shape, WAYS};
