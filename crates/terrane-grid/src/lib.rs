//! Grids and geometry: the data types of terrain, without its algorithms.
//!
//! - [`Grid`]: a row-major raster of any sample type.
//! - [`Domain`]: the number of samples of a terrain, their spacing and their origin; [`Tiling`]: the plane
//!   divided into patches, each of which is such a domain.
//! - [`Heightmap`]: heights over a [`Domain`], with an optional [`GeoReference`] when they come from a
//!   survey; [`Place`]: where the world's coordinates lie on a map of the Earth.
//! - [`ScalarMap`]: a number, or one per sample; [`Shape`]: the neighbours of a raster's samples.
//! - [`Seed`]: deterministic randomness that depends on position, never on the order of evaluation.
//! - [`Polyline`]: a line in world coordinates; [`Mesh`]: triangles.
//!
//! A picture is a `Grid<[u8; 3]>` of sRGB samples.
//!
//! Columns grow with world x, rows grow with world y; row 0 is the top of a picture.

mod domain;
mod georef;
mod grid;
mod heightmap;
mod mesh;
mod place;
mod planar_graph;
mod polyline;
mod raster;
mod scalar_map;
mod seed;
mod tiling;

pub use domain::{Domain, MAX_SAMPLES};
pub use georef::{GeoReference, nodata_number};
pub use grid::Grid;
pub use heightmap::Heightmap;
pub use mesh::Mesh;
pub use place::Place;
pub use planar_graph::PlanarGraph;
pub use polyline::Polyline;
pub use raster::{DIRECTIONS, Shape};
pub use scalar_map::ScalarMap;
pub use seed::{Lattice, Seed, unit_f32, unit_f64};
pub use tiling::Tiling;
