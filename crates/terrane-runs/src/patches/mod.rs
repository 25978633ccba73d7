//! Patches of worlds in files.

mod done;
mod make;
mod mosaics;
mod range;

pub use done::{Done, Listener};
pub use make::{Made, Making, make};
pub use range::{Patches, folder};
