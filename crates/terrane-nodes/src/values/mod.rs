//! The values that flow between nodes.

mod bytes;
mod capabilities;
mod chart;
mod description;
mod field_at;
mod fields;
mod frames;
mod gradient;
mod graph;
mod kinds;
mod map;
mod map_text;
mod mesh;
mod numbers;
mod paths;
mod picture;
mod points;
mod subdivision;
mod table;

pub use capabilities::{Measured, Shown, TerrainData, TerrainKind};
pub use chart::Chart;
pub use description::Description;
pub use field_at::FieldAt;
pub use fields::{Fields, Ground};
pub use frames::{Animation, Frames};
pub use gradient::Gradient;
pub use graph::Graph;
pub use kinds::KINDS;
pub use map::Map;
pub use mesh::MeshValue;
pub use numbers::{Column, Numbers};
pub use paths::Paths;
pub use picture::Picture;
pub use points::Points;
pub use subdivision::Bounds;
pub use table::Table;
