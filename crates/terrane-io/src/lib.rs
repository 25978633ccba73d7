//! Heightmaps, pictures and meshes in and out of files.
//!
//! Reading goes by content, writing by extension. Every write is atomic: a temporary beside the target that is renamed
//! when it is complete, and not even that when the target holds the same bytes already. Integer formats map heights to
//! codes; the mapping is recorded in a sidecar, `FILE.json`, so that heights can be recovered.

mod atomic;
mod error;
mod exr;
mod fill;
mod format;
mod mesh;
mod npy;
mod png;
mod raw;
mod read;
mod sidecar;
mod tiff;
mod write;

pub use atomic::{Written, write_atomic};
pub use error::IoError;
pub use format::Format;
pub use read::{Endian, Imported, ReadOptions, read_heightmap};
pub use sidecar::{Sidecar, sidecar_path};
pub use write::{Depth, WriteOptions, picture_bytes, write_heightmap, write_mesh, write_picture};
