//! Tests of the command `terrane` as users run it, in one binary, so that it is linked once.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail the test that calls them")]

mod bad_input;
mod bad_paths;
mod bounds;
mod cache_command;
mod command;
mod diff_command;
mod documents;
mod editor;
mod flat_sources;
mod format_command;
mod lints;
mod lsp_command;
mod manifest;
mod presets;
mod preview;
mod promises;
mod remedies;
mod running;
mod same_words;
mod shares_command;
mod shares_examples;
mod snapshot_command;
mod spacing;
mod stores_command;
mod strangers_graphs;
mod sweep_command;
mod sweep_rows;
mod sweep_summary;
mod sweep_world;
mod tasks;
mod view_build;
mod view_command;
mod view_world;
mod world_command;
mod world_roads;
mod writers;
