//! All nodes of Terrane, the kinds of value that flow between nodes, and the header of terrain graphs.
//!
//! Each node is one file. The file contains a struct that declares ports and parameters, and the method
//! `evaluate`, which calls one kernel. CONTRIBUTING.md explains how to add a node.

#[macro_use]
mod listed;

#[cfg(test)]
mod defaults_tests;
pub mod erosion;
mod export;
mod family;
pub mod fields;
mod fitted;
mod ground;
mod height_unit;
pub mod hydrology;
pub mod metrics;
mod opening;
mod outside;
pub mod paths;
pub mod pictures;
mod place;
mod reaches;
mod registry;
pub mod shaping;
pub mod sources;
mod suited;
mod support;
mod terrain;
#[cfg(test)]
mod testing;
pub mod values;

pub use export::{check_output, write_options};
pub use family::{check_domain, family};
pub use fitted::fitted;
pub use ground::spacing_warnings;
pub use height_unit::height_unit_warnings;
pub use opening::opener;
pub use registry::{register, registry};
pub use suited::suited_source;
pub use terrain::Terrain;
