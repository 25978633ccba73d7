//! Points of the world.

use std::io::{self, Write};

use terrane_flow::Data;

use super::bytes::{Reader, write_f64s};

/// Points of the world: x, y and a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points(pub Vec<[f64; 3]>);

impl Data for Points {
    const KIND: &'static str = "points";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        write_f64s(out, self.0.as_flattened())
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let values = reader.f64s()?;
        reader.end()?;
        let (points, rest) = values.as_chunks::<3>();
        if rest.is_empty() {
            Ok(Self(points.to_vec()))
        } else {
            Err(super::bytes::invalid("is no list of points"))
        }
    }

    fn heap_bytes(&self) -> usize {
        self.0.len() * 24
    }

    fn to_json(&self) -> Option<serde_json::Value> {
        Some(serde_json::json!(self.0))
    }
}
