//! Toy kinds of value.

use std::io::{self, Write};

use crate::model::value::Data;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl Data for Number {
    const KIND: &'static str = "number";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        writer.write_all(&self.0.to_le_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let bytes = bytes.try_into().map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self(f64::from_le_bytes(bytes)))
    }

    fn heap_bytes(&self) -> usize {
        0
    }
}

/// Text. The text `Babel` cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub String);

impl Data for Words {
    const KIND: &'static str = "words";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        assert!(self.0 != "Babel", "this text cannot be encoded");
        writer.write_all(self.0.as_bytes())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        Ok(Self(String::from_utf8_lossy(bytes).into_owned()))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}

/// Bytes. The header states how many, for forecasts of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block(pub Vec<u8>);

impl Data for Block {
    const KIND: &'static str = "block";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        writer.write_all(&self.0)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        Ok(Self(bytes.to_vec()))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}

/// A row of samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Field(pub Vec<f32>);

impl Data for Field {
    const KIND: &'static str = "field";

    fn encode(&self, writer: &mut dyn Write) -> io::Result<()> {
        self.0.iter().try_for_each(|sample| writer.write_all(&sample.to_le_bytes()))
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let (samples, rest) = bytes.as_chunks();
        if !rest.is_empty() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        Ok(Self(samples.iter().map(|sample| f32::from_le_bytes(*sample)).collect()))
    }

    fn heap_bytes(&self) -> usize {
        self.0.len() * 4
    }

    fn extent(&self) -> Option<(usize, usize)> {
        Some((self.0.len(), 1))
    }

    fn not_finite(&self, _holes: bool) -> usize {
        self.0.iter().filter(|sample| !sample.is_finite()).count()
    }

    fn raster(&self) -> Option<&[f32]> {
        Some(&self.0)
    }

    fn raster_mut(&mut self) -> Option<&mut [f32]> {
        Some(&mut self.0)
    }

    fn with_raster(&self, samples: Vec<f32>) -> Option<Self> {
        Some(Self(samples))
    }
}
