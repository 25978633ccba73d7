//! Roads over terrain, after Velzel (2024).
//!
//! - [`planar`]: exact checks of planar graphs.
//! - [`path`]: routes over the ground, and the bounds that a road puts on slopes, heights and roughness.
//! - [`relax`]: ground that meets such bounds, by iteration or as the exact optimum.
//!
//! Nothing here depends on graphs of nodes or on files. Every function returns the same bits for the same
//! input on any number of threads.

pub mod path;
pub mod planar;
pub mod relax;

pub use terrane_compute::{Cancelled, Progress, Silent};

use terrane_compute::parallel;
