//! Writing one value to one file.

use std::path::Path;

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Graph, Kind, OutputEntry, Value, suggest};
use terrane_io::{Stop, WriteOptions, Written};
use terrane_nodes::Terrain;
use terrane_nodes::values::TerrainKind;

use crate::failure::of_file;

/// Writes a value to a file in the format of the file's extension. The memory for this is reserved in the
/// engine, and the engine's threads do the work.
///
/// # Errors
/// Fails with the problem and its remedy.
pub fn write(
    engine: &Engine,
    path: &Path,
    value: &Value,
    options: &WriteOptions,
) -> Result<Written, Problem> {
    write_until(engine, path, value, options, &|| false)
}

/// Writes a value as [`write()`] does. Long texts are stopped as soon as `stop` returns true; then the
/// file is as it was.
///
/// # Errors
/// As [`write()`], or if writing was stopped.
pub fn write_until(
    engine: &Engine,
    path: &Path,
    value: &Value,
    options: &WriteOptions,
    stop: Stop<'_>,
) -> Result<Written, Problem> {
    let name = value.kind().name;
    let kind = TerrainKind::find(value.kind()).ok_or_else(|| {
        Problem::new(format!("{} cannot be written to a file", suggest::one(name)), "connect another output")
    })?;
    let _until_written = engine.set_aside(kind.bytes_to_write(value, path, engine.threads()));
    engine.within(|| kind.write(value, path, options, stop)).map_err(|error| of_file(&error))
}

/// The options of a graph's output, with the place of the graph.
///
/// # Errors
/// Fails with the first invalid option.
pub fn options(graph: &Graph, entry: &OutputEntry) -> Result<WriteOptions, Problem> {
    let texts = entry.options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let place = Terrain::of(&*graph.header).and_then(|terrain| terrain.place.clone());
    Ok(WriteOptions { place, ..terrane_nodes::write_options(texts)? })
}

/// The extensions of the files that a kind of value can be written to.
#[must_use]
pub fn extensions(kind: &Kind) -> Vec<&'static str> {
    TerrainKind::find(kind).map(TerrainKind::extensions).unwrap_or_default()
}
