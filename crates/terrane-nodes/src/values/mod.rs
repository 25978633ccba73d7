//! What flows between nodes.

mod bytes;
mod map;
mod mesh;
mod picture;
mod points;
mod table;

pub use map::Map;
pub use mesh::MeshValue;
pub use picture::Picture;
pub use points::Points;
pub use table::Table;
