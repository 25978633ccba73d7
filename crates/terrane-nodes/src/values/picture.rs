//! Pictures: a colour per sample.

use std::io::{self, Write};
use std::ops::Deref;
use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_flow::Data;
use terrane_grid::Grid;
use terrane_io::{IoError, Kind as FileKind, Stop, WriteOptions, Written, write_picture_until};

use super::bytes::{Reader, invalid};
use super::capabilities::{Shown, TerrainData, extensions_of, is_within};

/// A picture: a colour per sample, in sRGB with 8 bits per channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture(pub Grid<[u8; 3]>);

impl Deref for Picture {
    type Target = Grid<[u8; 3]>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl Data for Picture {
    const KIND: &'static str = "picture";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.width() as u64).to_le_bytes())?;
        out.write_all(&(self.height() as u64).to_le_bytes())?;
        out.write_all(self.as_slice().as_flattened())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let (width, height) = (reader.u64()?, reader.u64()?);
        let (samples, rest) = reader.0.as_chunks::<3>();
        if !rest.is_empty() || width.checked_mul(height) != Some(samples.len() as u64) {
            return Err(invalid("is not a picture"));
        }
        Ok(Self(Grid::from_vec(width as usize, height as usize, samples.to_vec())))
    }

    fn heap_bytes(&self) -> usize {
        self.len() * 3
    }

    fn extent(&self) -> Option<(usize, usize)> {
        Some(self.size())
    }
}

impl TerrainData for Picture {
    const OPTIONS: &'static [&'static str] = &["compression", "quality"];
    const HAS_PICTURE: bool = true;
    const IN_PIECES: bool = true;
    const BYTES_A_SAMPLE: u64 = 3;
    const IS_RASTER: bool = true;

    fn extensions() -> Vec<&'static str> {
        extensions_of(FileKind::Picture)
    }

    fn write(&self, path: &Path, options: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_picture_until(path, self, options, stop)
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Picture(self)
    }

    fn facts(&self) -> Json {
        json!({ "size": self.size() })
    }

    fn described(&self) -> String {
        format!("size: {} x {}\n", self.width(), self.height())
    }

    fn picture(&self) -> Option<Grid<[u8; 3]>> {
        Some(self.0.clone())
    }

    fn part(&self, first: (usize, usize), size: (usize, usize)) -> Option<Self> {
        is_within(self.size(), first, size).then(|| Self(self.0.part(first, size)))
    }
}
