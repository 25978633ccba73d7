//! One value into one file.

use std::path::Path;

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, OutputEntry, Value, suggest};
use terrane_io::{WriteOptions, Written};
use terrane_nodes::values::TerrainKind;

use crate::failure::of_file;

/// Writes a value to a file, its format by extension, in memory that the engine sets aside and on its
/// threads.
///
/// # Errors
/// What went wrong, and what to do.
pub fn write(
    engine: &Engine,
    path: &Path,
    value: &Value,
    options: &WriteOptions,
) -> Result<Written, Problem> {
    let name = value.kind().name;
    let kind = TerrainKind::find(value.kind()).ok_or_else(|| {
        Problem::new(format!("{} cannot be written to a file", suggest::one(name)), "connect another output")
    })?;
    let _until_written = engine.set_aside(kind.bytes_to_write(value, engine.threads()));
    engine.within(|| kind.write(value, path, options)).map_err(|error| of_file(&error))
}

/// The options of an output.
///
/// # Errors
/// The first that is wrong with one.
pub fn options(entry: &OutputEntry) -> Result<WriteOptions, Problem> {
    let texts = entry.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    terrane_nodes::write_options(texts)
}
