//! Lines in the world.

use std::io::{self, Write};

use serde_json::{Map as Object, Value as Json, json};
use terrane_flow::Data;
use terrane_grid::Polyline;

use super::Table;
use super::bytes::{Reader, invalid, write_f64s};
use super::capabilities::{Shown, TerrainData};

/// Lines in the world, with attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    /// The lines.
    pub lines: Vec<Polyline>,
    /// The attributes: a table with one row for each line.
    pub attributes: Table,
}

impl Data for Paths {
    const KIND: &'static str = "paths";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&(self.lines.len() as u64).to_le_bytes())?;
        for line in &self.lines {
            out.write_all(&[u8::from(line.closed)])?;
            write_f64s(out, &line.points.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>())?;
        }
        self.attributes.encode(out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        // Each line has at least 9 bytes: a flag and a count.
        let count = reader.count(9)?;
        let mut lines = Vec::with_capacity(count);
        for _ in 0..count {
            let closed = reader.take(1)? == [1];
            let numbers = reader.f64s()?;
            let (points, rest) = numbers.as_chunks::<2>();
            if !rest.is_empty() {
                return Err(invalid("a point has no y"));
            }
            lines.push(Polyline { points: points.iter().map(|&[x, y]| (x, y)).collect(), closed });
        }
        let attributes = Table::decode(reader.0)?;
        if !attributes.columns().is_empty() && attributes.rows() != count {
            return Err(invalid("lines and their attributes differ in number"));
        }
        Ok(Self { lines, attributes })
    }

    fn heap_bytes(&self) -> usize {
        self.lines.iter().map(|line| 32 + 16 * line.points.len()).sum::<usize>()
            + self.attributes.heap_bytes()
    }

    /// GeoJSON: a line string for each line, in world coordinates. Closed lines repeat the first point at the
    /// end.
    fn to_json(&self) -> Option<Json> {
        let feature = |(index, line): (usize, &Polyline)| {
            let again = line.points.first().filter(|_| line.closed);
            let points: Vec<[f64; 2]> = line.points.iter().chain(again).map(|&(x, y)| [x, y]).collect();
            let numbers = self.attributes.columns().iter();
            let properties: Object<String, Json> =
                numbers.map(|(name, values)| (name.clone(), json!(values[index]))).collect();
            json!({
                "type": "Feature",
                "properties": properties,
                "geometry": { "type": "LineString", "coordinates": points },
            })
        };
        let features: Vec<Json> = self.lines.iter().enumerate().map(feature).collect();
        Some(json!({ "type": "FeatureCollection", "features": features }))
    }
}

impl TerrainData for Paths {
    fn extensions() -> Vec<&'static str> {
        vec!["geojson", "json"]
    }

    fn facts(&self) -> Json {
        json!({ "lines": self.lines.len() })
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Lines(self.lines.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let line = |closed| Polyline { points: vec![(0.5, -1.0), (2.0, 1.0 / 3.0), (4.0, 4.0)], closed };
        let paths = Paths {
            lines: vec![line(false), line(true), Polyline::default()],
            attributes: Table::new(vec![("order", vec![1.0, 2.0, 3.0])]),
        };
        let mut bytes = Vec::new();
        paths.encode(&mut bytes).unwrap();
        assert_eq!(Paths::decode(&bytes).unwrap(), paths);
        for length in 0..bytes.len() {
            assert!(Paths::decode(&bytes[..length]).is_err());
        }
        let json = paths.to_json().unwrap();
        assert_eq!(json["features"][1]["geometry"]["coordinates"][3], json!([0.5, -1.0]));
        assert_eq!(json["features"][2]["properties"]["order"], json!(3.0));
    }
}
