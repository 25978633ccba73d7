//! Worlds: one graph for every patch of the plane, and optionally one path graph over the plane. Any patch
//! can be computed at any time, and matches its neighbours bit for bit.

mod anchor_ground;
mod anchor_heights;
mod borders;
mod cut;
mod derived_location;
mod description;
mod file;
mod heights_at;
mod loaded;
mod mosaic;
mod notes;
mod overlap;
mod patch_error;
mod patch_template;
mod paths;
mod recent;
mod rules;

pub use description::World;
pub use file::WorldFile;
pub use loaded::{Asked, LoadedWorld};
pub use mosaic::{Mosaic, Seam};
pub use patch_error::PatchError;
