//! What can be done with the values of a kind beside letting them flow: each kind declares it once, and
//! whoever writes, draws, measures or forecasts values asks here.

use std::io::{self, Write as _};
use std::path::Path;

use serde_json::Value as Json;
use terrane_flow::{Data, Kind, Value};
use terrane_grid::{Grid, Heightmap, Polyline};
use terrane_io::{Format, IoError, Kind as FileKind, WriteOptions, Written, write_atomic};

use super::numbers::Numbers;

/// What a value looks like.
#[derive(Debug)]
pub enum Shown<'a> {
    /// Heights, or any other scalar per sample.
    Heights(&'a Heightmap),
    /// A picture.
    Picture(&'a Grid<[u8; 3]>),
    /// Lines of the world.
    Lines(Vec<Polyline>),
    /// A chart, as the text of an SVG file.
    Chart(&'a str),
    /// Numbers, which [`Value::to_json`] gives.
    Numbers,
    /// Nothing.
    Nothing,
}

/// What the numbers of a kind's values are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// The values have no numbers.
    No,
    /// Every value has one row of these numbers.
    By(&'static [&'static str]),
    /// Every value has columns of its own.
    InColumns,
}

/// The values of a kind in files, in pictures, in tables and in memory.
///
/// The defaults are those of values that are numbers: JSON in files, on screens and in snapshots.
pub trait TerrainData: Data {
    /// Options of an `Export` that apply to the kind.
    const OPTIONS: &'static [&'static str] = &[];
    /// Whether a value is short enough to be printed.
    const IS_PRINTED: bool = false;
    /// Whether values are written piece by piece. Others are JSON in memory before they are text.
    const IN_PIECES: bool = false;
    /// Whether a value is a picture, or has one in snapshots and on sheets of sweeps.
    const HAS_PICTURE: bool = false;
    /// Whether files of the kind may have a sidecar.
    const HAS_SIDECAR: bool = false;
    /// Bytes of a value for each sample of the graph's maps; 0 where their number does not tell.
    const BYTES_A_SAMPLE: u64 = 0;
    /// What the numbers of values are called.
    const MEASURED: Measured = Measured::No;
    /// Whether a value has something for each sample of the ground, so that it has parts.
    const IS_RASTER: bool = false;

    /// Extensions of the files that a value can be written to, the usual one first; none where there are no
    /// such files.
    fn extensions() -> Vec<&'static str> {
        vec!["json"]
    }

    /// Writes a value to a file, its format by extension.
    ///
    /// # Errors
    /// Those of the format and of the file system.
    fn write(&self, path: &Path, _: &WriteOptions) -> Result<Written, IoError> {
        write_json(path, self)
    }

    /// What a value looks like.
    fn shown(&self) -> Shown<'_> {
        Shown::Numbers
    }

    /// The numbers of a value, where the kind is measured.
    fn numbers(&self) -> Numbers<'_> {
        Numbers::default()
    }

    /// What a manifest says of a value in a file: of a map its size, place and range.
    fn facts(&self) -> Json {
        Json::Null
    }

    /// What a snapshot's text says of a value.
    fn described(&self) -> String {
        self.to_json().map_or_else(String::new, |json| format!("{json:#}\n"))
    }

    /// A value's picture, where the kind has one.
    fn picture(&self) -> Option<Grid<[u8; 3]>> {
        None
    }

    /// What a raster has for so many columns and rows from a sample on; nothing where it has not as many.
    fn part(&self, _first: (usize, usize), _size: (usize, usize)) -> Option<Self> {
        None
    }
}

/// Whether so many columns and rows from a sample on lie within a raster.
pub(super) const fn is_within(whole: (usize, usize), first: (usize, usize), size: (usize, usize)) -> bool {
    first.0 + size.0 <= whole.0 && first.1 + size.1 <= whole.1
}

/// Extensions of the formats that hold a kind of content.
pub(super) fn extensions_of(kind: FileKind) -> Vec<&'static str> {
    kind.formats().iter().flat_map(Format::extensions).copied().collect()
}

/// Writes a value as JSON.
///
/// # Errors
/// Those of the file system, and that the kind has no JSON.
pub(super) fn write_json(path: &Path, value: &impl Data) -> Result<Written, IoError> {
    let json = value.to_json();
    write_atomic(path, false, |out| match &json {
        Some(json) => writeln!(out, "{json:#}"),
        None => Err(io::Error::new(io::ErrorKind::Unsupported, "values of this kind have no files")),
    })
}

/// What a kind declares, without its type.
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
    write: fn(&Value, &Path, &WriteOptions) -> Result<Written, IoError>,
    shown: fn(&Value) -> Shown<'_>,
    numbers: fn(&Value) -> Numbers<'_>,
    facts: fn(&Value) -> Json,
    described: fn(&Value) -> String,
    picture: fn(&Value) -> Option<Grid<[u8; 3]>>,
    part: Part,
}

/// What takes a part of a raster: its first column and row, and how many there are.
type Part = fn(&Value, (usize, usize), (usize, usize)) -> Option<Value>;

/// A value of the kind that was asked for: `TerrainKind`'s callers find it by the value's own kind.
fn own<T: Data>(value: &Value) -> &T {
    match value.get() {
        Some(own) => own,
        None => unreachable!("a {} was taken for a {}", value.kind().name, T::KIND),
    }
}

impl TerrainKind {
    /// What `T` declares.
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
            write: |value, path, options| own::<T>(value).write(path, options),
            shown: |value| own::<T>(value).shown(),
            numbers: |value| own::<T>(value).numbers(),
            facts: |value| own::<T>(value).facts(),
            described: |value| own::<T>(value).described(),
            picture: |value| own::<T>(value).picture(),
            part: |value, first, size| own::<T>(value).part(first, size).map(Value::new),
        }
    }

    /// Extensions of the files that a value can be written to, the usual one first.
    #[must_use]
    pub fn extensions(&self) -> Vec<&'static str> {
        (self.extensions)()
    }

    /// Bytes that writing a value takes beside it, on so many threads.
    #[must_use]
    pub fn bytes_to_write(&self, value: &Value, threads: usize) -> u64 {
        /// Of a raster or a mesh, what each thread has in hand.
        const PIECE: u64 = 2 << 20;
        /// Of a raster, what each thread has beside it for each column: three times the sixteen rows of an
        /// EXR's block.
        const COLUMN: u64 = 192;
        /// JSON takes so many times what the numbers in it do.
        const JSON: u64 = 10;
        let threads = threads as u64;
        if !self.in_pieces {
            return (value.heap_bytes() as u64).saturating_mul(JSON) + PIECE * threads;
        }
        let columns = match self.shown(value) {
            Shown::Heights(map) => map.grid().width(),
            Shown::Picture(picture) => picture.width(),
            _ => 0,
        };
        (PIECE + COLUMN * columns as u64) * threads
    }

    /// Writes a value of the kind.
    ///
    /// # Errors
    /// As [`TerrainData::write`].
    pub fn write(&self, value: &Value, path: &Path, options: &WriteOptions) -> Result<Written, IoError> {
        (self.write)(value, path, options)
    }

    /// What a value of the kind looks like.
    #[must_use]
    pub fn shown<'a>(&self, value: &'a Value) -> Shown<'a> {
        (self.shown)(value)
    }

    /// The numbers of a value of the kind.
    #[must_use]
    pub fn numbers<'a>(&self, value: &'a Value) -> Numbers<'a> {
        (self.numbers)(value)
    }

    /// What a manifest says of a value of the kind.
    #[must_use]
    pub fn facts(&self, value: &Value) -> Json {
        (self.facts)(value)
    }

    /// What a snapshot's text says of a value of the kind.
    #[must_use]
    pub fn described(&self, value: &Value) -> String {
        (self.described)(value)
    }

    /// What a raster of the kind has for so many columns and rows from a sample on.
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
