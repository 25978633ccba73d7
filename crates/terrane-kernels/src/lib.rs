//! Terrain techniques as plain functions over grids.
//!
//! Nothing here depends on graphs, ports or files: a game can call these functions directly. Every function
//! returns the same bits for the same input, at any vector level and on any number of threads: no platform
//! mathematics library, no fused multiply-add, no reduction whose order depends on threads. Tests compare the
//! vector levels of x86-64; no test has run on another processor yet.

mod beside_holes;
mod boundary;
pub mod displacement;
pub mod erosion;
pub mod hydrology;
#[cfg(test)]
mod level_tests;
pub mod metric;
pub mod noise;
pub mod rain;
pub mod render;
pub mod shade;
pub mod shape;
pub mod transport;
pub mod voronoi;
pub mod warp;

pub use boundary::Boundary;
pub use terrane_compute::{Alive, Cancelled, Progress, Silent, simd};
pub use terrane_grid::ScalarMap;

use terrane_compute::{dispatch, parallel};
