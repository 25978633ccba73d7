//! Patches of worlds in files.

mod done;
mod make;
mod mosaics;
mod pages;
mod range;
mod share;
mod verify;

pub use done::{Done, Listener};
pub use make::{Made, Making, make};
pub use pages::{SHARES, SharePage, WORLD, WorldPage};
pub use range::{Patches, folder};
pub use share::Share;
pub use verify::{Joined, verify};
