//! Worlds: one graph for every patch of the plane, and one path graph over it where there are paths. Any
//! patch can be had at any time, and meets its neighbours to the bit.

mod anchored;
mod around;
mod borders;
mod cut;
mod description;
mod file;
mod ground;
mod heights_at;
mod loaded;
mod mosaic;
mod notes;
mod patch_error;
mod paths;
mod pattern;
mod recent;
mod rules;
mod unwritten;

pub use description::World;
pub use file::WorldFile;
pub use loaded::{Asked, LoadedWorld};
pub use mosaic::{Mosaic, Seam};
pub use patch_error::PatchError;
