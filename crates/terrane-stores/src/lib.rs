//! Worlds in Zarr stores.
//!
//! A store has one array per raster output, at several levels of detail. It is filled block by block. Each
//! task writes whole objects. No task reads what another task writes, and computing a block again yields the
//! same bytes. Many processes and machines can therefore fill one store at once. The record of a block is
//! written after its objects and marks the block as complete.

mod array;
mod block;
#[cfg(feature = "cloud")]
mod cloud;
mod evaluate;
mod fill;
mod folder;
mod geotiff;
mod layout;
mod location;
mod objects;
mod open;
mod page;
mod record;
mod slots;
mod verify;
mod windows;
mod zarr;

pub use evaluate::BlockMade;
pub use fill::{Asked, Blocks, Listener};
pub use geotiff::write_geotiff;
pub use layout::{Layer, Layout, Pixel};
pub use location::Location;
pub use objects::Objects;
pub use open::open;
pub use page::{ArrayPage, Direction, StorePage};
pub use record::{Found, Record};
pub use verify::{Verified, of_all, verify};
pub use windows::Windows;
