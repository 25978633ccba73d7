//! The capabilities of each kind of value: files, pictures, measurements and memory. Each kind declares them
//! once. Code that writes, draws or measures values, or forecasts their memory, looks them up here.

use std::io::{self, Write};
use std::path::Path;

use serde_json::Value as Json;
use terrane_flow::{Data, Kind, Value};
use terrane_grid::{Grid, Heightmap, Polyline};
use terrane_io::{Format, IoError, Kind as FileKind, Stop, WriteOptions, Written, json_text, write_json};

use super::numbers::Numbers;
use super::text::write_text_file;

/// The visual form of a value.
#[derive(Debug)]
pub enum Shown<'a> {
    /// Heights, or any other scalar per sample.
    Heights(&'a Heightmap),
    /// The level of water, which is not a number where it is dry.
    Levels(&'a Heightmap),
    /// A picture.
    Picture(&'a Grid<[u8; 3]>),
    /// Lines in the world.
    Lines(Vec<Polyline>),
    /// A chart, as the text of an SVG file.
    Chart(&'a str),
    /// Numbers, from [`Value::to_json`].
    Numbers,
    /// The value cannot be shown.
    Nothing,
}

/// The numbers that measure the values of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The values are not measured.
    No,
    /// Every value has one row with these columns.
    By(&'static [&'static str]),
    /// Every value has its own columns.
    InColumns,
}

/// The capabilities of a kind of value: its files, pictures, measurements and memory.
///
/// The defaults suit values that consist of numbers. Such values are shown as JSON in files, on screen and in
/// snapshots.
pub trait TerrainData: Data {
    /// Options of an `Export` that apply to the kind.
    const OPTIONS: &'static [&'static str] = &[];
    /// Whether values are short enough to print.
    const IS_PRINTED: bool = false;
    /// Whether values are written piece by piece. Other values are converted to JSON in memory first.
    const IN_PIECES: bool = false;
    /// Whether values are pictures, or are shown as pictures in snapshots and on contact sheets of sweeps.
    const HAS_PICTURE: bool = false;
    /// Whether files of the kind may have a sidecar file.
    const HAS_SIDECAR: bool = false;
    /// Bytes of a value per sample of the graph's maps, or 0 if the size of a value does not depend on the
    /// size of maps.
    const BYTES_A_SAMPLE: u64 = 0;
    /// The numbers that measure values.
    const MEASURED: Measured = Measured::No;
    /// Whether values have data for each sample of the map, so that they can be cut into parts.
    const IS_RASTER: bool = false;

    /// Extensions of the files to which a value can be written, the usual one first. Empty if values have no
    /// files.
    fn extensions() -> Vec<&'static str> {
        vec!["json"]
    }

    /// Writes a value to a file, in the format of its extension. It asks
    /// `stop` again and again.
    ///
    /// # Errors
    /// Errors of the format and of the file system, or if writing was stopped.
    fn write(&self, path: &Path, _: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_text_file(path, stop, |out| self.write_json(out))
    }

    /// Writes the JSON form of a value. Kinds of long values write it piece by piece.
    ///
    /// # Errors
    /// Errors of the writer, or if the kind has no JSON.
    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.to_json() {
            Some(json) => write_json(out, &json),
            None => {
                let message = "values of this kind cannot be written to files";
                Err(io::Error::new(io::ErrorKind::Unsupported, message))
            }
        }
    }

    /// The visual form of a value.
    fn shown(&self) -> Shown<'_> {
        Shown::Numbers
    }

    /// The numbers that measure a value, if the kind is measured.
    fn numbers(&self) -> Numbers<'_> {
        Numbers::default()
    }

    /// Facts about a value in a file, such as the size, position and range of a map. The manifest lists them.
    fn facts(&self) -> Json {
        Json::Null
    }

    /// The text that describes a value in a snapshot.
    fn described(&self) -> String {
        self.to_json().and_then(|json| json_text(&json).ok()).unwrap_or_default()
    }

    /// The picture of a value, if the kind has one.
    fn picture(&self) -> Option<Grid<[u8; 3]>> {
        None
    }

    /// The part of a raster with `size` columns and rows, from the sample `first`, or `None` if the part
    /// exceeds the raster.
    fn part(&self, _first: (usize, usize), _size: (usize, usize)) -> Option<Self> {
        None
    }
}

/// Whether a part with `size` columns and rows, from the sample `first`, lies within a raster.
pub(super) const fn is_within(whole: (usize, usize), first: (usize, usize), size: (usize, usize)) -> bool {
    first.0 + size.0 <= whole.0 && first.1 + size.1 <= whole.1
}

/// Extensions of the formats for a kind of content.
pub(super) fn extensions_of(kind: FileKind) -> Vec<&'static str> {
    kind.formats().iter().flat_map(Format::extensions).copied().collect()
}

/// The capabilities of a kind, independent of its Rust type.
#[derive(Clone, Copy, Debug)]
pub struct TerrainKind {
    /// The kind.
    pub kind: &'static Kind,
    /// [`TerrainData::OPTIONS`].
    pub options: &'static [&'static str],
    /// [`TerrainData::IS_PRINTED`].
    pub is_printed: bool,
    /// [`TerrainData::HAS_PICTURE`].
    pub has_picture: bool,
    /// [`TerrainData::HAS_SIDECAR`].
    pub has_sidecar: bool,
    /// [`TerrainData::BYTES_A_SAMPLE`].
    pub bytes_a_sample: u64,
    /// [`TerrainData::MEASURED`].
    pub measured: Measured,
    /// [`TerrainData::IS_RASTER`].
    pub is_raster: bool,
    in_pieces: bool,
    extensions: fn() -> Vec<&'static str>,
    write: WriteValue,
    shown: fn(&Value) -> Shown<'_>,
    numbers: fn(&Value) -> Numbers<'_>,
    facts: fn(&Value) -> Json,
    described: fn(&Value) -> String,
    picture: fn(&Value) -> Option<Grid<[u8; 3]>>,
    part: Part,
}

/// A function that writes a value to a file.
type WriteValue = fn(&Value, &Path, &WriteOptions, Stop<'_>) -> Result<Written, IoError>;

/// A function that cuts a part out of a raster. Its arguments are the first column and row of the part, and
/// the part's size.
type Part = fn(&Value, (usize, usize), (usize, usize)) -> Option<Value>;

/// Downcasts a value. The kind always matches, because callers of `TerrainKind` look it up by the value's
/// kind.
fn own<T: Data>(value: &Value) -> &T {
    match value.get() {
        Some(own) => own,
        None => unreachable!("expected a {}, found a {}", T::KIND, value.kind().name),
    }
}

impl TerrainKind {
    /// The capabilities that `T` declares.
    #[must_use]
    pub const fn of<T: TerrainData>() -> Self {
        Self {
            kind: Kind::of::<T>(),
            options: T::OPTIONS,
            is_printed: T::IS_PRINTED,
            has_picture: T::HAS_PICTURE,
            has_sidecar: T::HAS_SIDECAR,
            in_pieces: T::IN_PIECES,
            bytes_a_sample: T::BYTES_A_SAMPLE,
            measured: T::MEASURED,
            is_raster: T::IS_RASTER,
            extensions: T::extensions,
            write: |value, path, options, stop| own::<T>(value).write(path, options, stop),
            shown: |value| own::<T>(value).shown(),
            numbers: |value| own::<T>(value).numbers(),
            facts: |value| own::<T>(value).facts(),
            described: |value| own::<T>(value).described(),
            picture: |value| own::<T>(value).picture(),
            part: |value, first, size| own::<T>(value).part(first, size).map(Value::new),
        }
    }

    /// Extensions of the files to which a value can be written, the usual one first.
    #[must_use]
    pub fn extensions(&self) -> Vec<&'static str> {
        (self.extensions)()
    }

    /// Bytes of memory that are necessary to write a value to a file of this name on this many threads, in
    /// addition to the value itself.
    #[must_use]
    pub fn bytes_to_write(&self, value: &Value, path: &Path, threads: usize) -> u64 {
        /// The buffer of each thread, in bytes.
        const PIECE: u64 = 2 << 20;
        /// The additional buffer of each thread for a raster, in bytes per column: three times a column of an
        /// EXR block, which has sixteen samples of 4 bytes.
        const COLUMN: u64 = 192;
        /// The size of JSON relative to the size of its numbers in memory.
        const JSON: u64 = 10;
        let threads = threads as u64;
        if !self.in_pieces {
            return (value.heap_bytes() as u64).saturating_mul(JSON) + PIECE * threads;
        }
        if !self.is_raster {
            return PIECE * threads;
        }
        let (columns, rows) = match self.shown(value) {
            Shown::Heights(map) | Shown::Levels(map) => map.grid().size(),
            Shown::Picture(picture) => picture.size(),
            _ => (0, 0),
        };
        let work = Format::from_extension(path).map_or(0, Format::work);
        (PIECE + COLUMN * columns as u64) * threads + work * columns as u64 * rows as u64
    }

    /// Writes a value of the kind.
    ///
    /// # Errors
    /// As [`TerrainData::write`].
    pub fn write(
        &self,
        value: &Value,
        path: &Path,
        options: &WriteOptions,
        stop: Stop<'_>,
    ) -> Result<Written, IoError> {
        (self.write)(value, path, options, stop)
    }

    /// The visual form of a value of the kind.
    #[must_use]
    pub fn shown<'a>(&self, value: &'a Value) -> Shown<'a> {
        (self.shown)(value)
    }

    /// The numbers that measure a value of the kind.
    #[must_use]
    pub fn numbers<'a>(&self, value: &'a Value) -> Numbers<'a> {
        (self.numbers)(value)
    }

    /// Facts about a value of the kind, for the manifest.
    #[must_use]
    pub fn facts(&self, value: &Value) -> Json {
        (self.facts)(value)
    }

    /// The text that describes a value of the kind in a snapshot.
    #[must_use]
    pub fn described(&self, value: &Value) -> String {
        (self.described)(value)
    }

    /// The part of a raster of the kind with `size` columns and rows, from the sample `first`.
    #[must_use]
    pub fn part(&self, value: &Value, first: (usize, usize), size: (usize, usize)) -> Option<Value> {
        (self.part)(value, first, size)
    }

    /// The picture of a value of the kind.
    #[must_use]
    pub fn picture(&self, value: &Value) -> Option<Grid<[u8; 3]>> {
        (self.picture)(value)
    }
}
