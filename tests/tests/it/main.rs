//! End-to-end tests over the public interface, in one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod cache;
mod claims;
mod crate_dependencies;
mod extremes;
mod field_features;
mod field_identity;
mod fields;
mod flow_words;
mod format;
mod fused;
mod graphs;
mod holes;
mod import_cycles;
mod infeasible;
mod levels;
mod live;
mod memory_files;
mod mistakes;
mod nodes;
mod path_bounds;
mod path_files;
mod path_optimum;
mod path_rounding;
mod pictures;
mod places;
mod plain_worlds;
mod reach;
mod real_ground;
mod remedies;
mod rewrite;
mod river_junctions;
mod session;
mod stages;
mod structure;
mod walk;
mod worlds;
mod written;
