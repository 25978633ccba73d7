//! Colours per sample.

use std::io::{self, Write};
use std::ops::Deref;

use terrane_flow::Data;
use terrane_grid::Grid;

use super::bytes::{Reader, invalid};

/// Colours per sample: sRGB, 8 bits a channel.
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
            return Err(invalid("is no picture"));
        }
        Ok(Self(Grid::from_vec(width as usize, height as usize, samples.to_vec())))
    }

    fn heap_bytes(&self) -> usize {
        self.len() * 3
    }
}
