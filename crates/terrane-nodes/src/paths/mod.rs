//! Walkable paths: nodes that find routes and reshape the ground along them.

mod failure;
mod inputs;
mod lines;
mod optimal_path;
mod path_graph;
mod relax_path;
mod subdivide_mask;
mod subdivide_path;
pub(crate) mod support;

pub use inputs::GroundBounds;
pub use lines::read_graph;
pub use optimal_path::{OptimalPath, OptimalPathOutputs};
pub use path_graph::{PathGraph, PathGraphOutputs};
pub(crate) use relax_path::KINDS;
pub use relax_path::{RelaxPath, RelaxPathOutputs};
pub use subdivide_mask::{SubdivideMask, SubdivideMaskOutputs};
pub use subdivide_path::{Cost, SubdividePath, SubdividePathOutputs};
pub use support::Earth;
pub use terrane_kernels::path::{Borders, Surround};
pub use terrane_kernels::relax::Solver;
