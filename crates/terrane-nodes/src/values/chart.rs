//! Charts.

use std::io::{self, Write};
use std::path::Path;

use terrane_flow::Data;
use terrane_io::{IoError, Stop, WriteOptions, Written};

use super::bytes::invalid;
use super::capabilities::{Shown, TerrainData};
use super::text::write_text_file;

/// A chart, as the text of an SVG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart(pub String);

impl Data for Chart {
    const KIND: &'static str = "chart";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.0.as_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        String::from_utf8(bytes.to_vec()).map(Self).map_err(|_| invalid("is not a chart"))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}

impl TerrainData for Chart {
    const IN_PIECES: bool = true;

    fn extensions() -> Vec<&'static str> {
        vec!["svg"]
    }

    fn write(&self, path: &Path, _: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_text_file(path, stop, |out| out.write_all(self.0.as_bytes()))
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Chart(&self.0)
    }
}
