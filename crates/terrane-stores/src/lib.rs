//! Worlds in Zarr stores.
//!
//! A store has one array for each output that is a raster, at several levels of detail. It is made block by
//! block: what one task makes is whole objects, so that many processes and machines can fill a store at once,
//! none reads what another writes, and each block can be made again at any time to the same bytes. What is
//! written down of a block after its objects tells that it is there.

#![forbid(unsafe_code)]

mod array;
mod block;
#[cfg(feature = "cloud")]
mod cloud;
mod folder;
mod geotiff;
mod layout;
mod make;
mod objects;
mod open;
mod page;
mod places;
mod record;
mod verify;
mod windows;
mod zarr;

pub use geotiff::write_geotiff;
pub use layout::{Layer, Layout, Pixel};
pub use make::{Asked, BlockMade, Blocks, Listener};
pub use objects::Objects;
pub use open::open;
pub use page::{ArrayPage, StorePage};
pub use record::{Found, Record};
pub use verify::{Verified, of_all, verify};
pub use windows::Windows;
