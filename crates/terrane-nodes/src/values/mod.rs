//! What flows between nodes.

mod bytes;
mod chart;
mod description;
mod field_at;
mod fields;
mod frames;
mod graph;
mod map;
mod mesh;
mod paths;
mod picture;
mod points;
mod subdivision;
mod table;

pub use chart::Chart;
pub use description::Description;
pub use field_at::FieldAt;
pub use fields::{Fields, Ground};
pub use frames::{Animation, Frames};
pub use graph::Graph;
pub use map::Map;
pub use mesh::MeshValue;
pub use paths::Paths;
pub use picture::Picture;
pub use points::Points;
pub use subdivision::Bounds;
pub use table::Table;
