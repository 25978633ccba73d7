//! Walkable paths: nodes that find routes and reshape the ground along them.

mod failure;
mod inputs;
mod lines;
#[cfg(feature = "optimum")]
mod optimal_path;
mod path_graph;
mod relax_path;
mod reshaping;
mod subdivide_mask;
mod subdivide_path;
pub(crate) mod support;

pub use inputs::GroundBounds;
pub use lines::read_graph_from;
pub(crate) use lines::{graph_of_file, lines_of};
#[cfg(feature = "optimum")]
pub use optimal_path::{OptimalPath, OptimalPathOutputs};
pub use path_graph::{PathGraph, PathGraphOutputs};
pub(crate) use relax_path::KINDS;
pub use relax_path::{RelaxPath, RelaxPathOutputs};
pub use reshaping::kept_bank_slope;
pub use subdivide_mask::{SubdivideMask, SubdivideMaskOutputs};
pub use subdivide_path::{Cost, SubdividePath, SubdividePathOutputs};
pub use support::Earth;
pub use terrane_paths::path::{Borders, Surround};
pub use terrane_paths::relax::Solver;

nodes! {
    PathGraph,
    SubdividePath,
    SubdivideMask,
    RelaxPath,
    OptimalPath if "optimum",
}
