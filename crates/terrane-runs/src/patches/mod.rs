//! Patches of worlds in files.

mod done;
mod make;
mod mosaics;
mod range;
mod records;
mod share;
mod verify;
mod virtual_dataset;

pub use done::{Done, Listener};
pub use make::{Made, Making, make};
pub use range::{Patches, folder};
pub use records::{SHARES, SharePage, WORLD, WorldPage, of_world};
pub use share::{Share, in_morton_order};
pub use verify::{Joined, verify};
pub use virtual_dataset::write_virtual_dataset;
