//! Points in the world.

use std::io::{self, Write};

use terrane_flow::Data;
use terrane_grid::Polyline;
use terrane_io::write_json;

use super::bytes::{Reader, write_f64s};
use super::capabilities::{Shown, TerrainData};

/// Points in the world, each with x, y and a value.
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
            Err(super::bytes::invalid("is not a list of points"))
        }
    }

    fn heap_bytes(&self) -> usize {
        self.0.len() * 24
    }

    fn to_json(&self) -> Option<serde_json::Value> {
        Some(serde_json::json!(self.0))
    }
}

impl TerrainData for Points {
    const IS_PRINTED: bool = true;
    const IN_PIECES: bool = true;

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, &self.0)
    }

    /// A small cross at each point.
    fn shown(&self) -> Shown<'_> {
        let reach = self.0.iter().fold(0.0f64, |far, [x, y, _]| far.max(x.abs()).max(y.abs())) / 200.0;
        let cross = |&[x, y, _]: &[f64; 3]| {
            [vec![(x - reach, y), (x + reach, y)], vec![(x, y - reach), (x, y + reach)]]
        };
        let lines = self.0.iter().flat_map(cross).map(|points| Polyline { points, closed: false });
        Shown::Lines(lines.collect())
    }
}
