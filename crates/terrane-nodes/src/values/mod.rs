//! What flows between nodes.

mod bytes;
mod chart;
mod map;
mod mesh;
mod picture;
mod points;
mod table;

pub use chart::Chart;
pub use map::Map;
pub use mesh::MeshValue;
pub use picture::Picture;
pub use points::Points;
pub use table::Table;
