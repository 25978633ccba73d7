//! Terrain from a planar graph, after Mijailovic (2015).
//!
//! - [`sectioning`]: the fields of a planar graph, graphs to start from, and which terrain each field gets.
//! - [`stitch`]: fields' terrains as one terrain; rivers and ridges along edges.
//!
//! Nothing here depends on graphs of nodes or on files. Every function returns the same bits for the same
//! input on any number of threads.

pub mod sectioning;
pub mod stitch;

pub use terrane_compute::{Cancelled, Progress, Silent};

use terrane_compute::{dispatch, parallel};
