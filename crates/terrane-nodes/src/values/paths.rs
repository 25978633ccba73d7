//! Lines in the world.

use std::io::{self, Write};
use std::path::Path;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Value as Json, json};
use terrane_flow::Data;
use terrane_grid::Polyline;
use terrane_io::{IoError, LonLat, Stop, WriteOptions, Written, write_json};

use super::bytes::{Reader, invalid, write_f64s};
use super::capabilities::{Shown, TerrainData};
use super::text::{List, write_text_file};
use super::{Table, antimeridian};

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

    /// GeoJSON, as in files of a world without a place.
    fn to_json(&self) -> Option<Json> {
        serde_json::to_value(FeatureCollection(self, &LonLat::of(None))).ok()
    }
}

/// GeoJSON: a line string for each line, with the coordinates of a place. Closed lines repeat the first point
/// at the end.
struct FeatureCollection<'a>(&'a Paths, &'a LonLat);

impl Serialize for FeatureCollection<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let lines = self.0.lines.iter().enumerate();
        let Self(Paths { attributes, .. }, lonlat) = self;
        let feature = |(index, line)| Feature { line, lonlat, attributes, index };
        let features = List(|| lines.clone().map(feature));
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "FeatureCollection")?;
        if let Some(crs) = lonlat.crs() {
            map.serialize_entry("crs", &crs)?;
        }
        map.serialize_entry("features", &features)?;
        map.end()
    }
}

/// A line, with the row of its attributes.
struct Feature<'a> {
    line: &'a Polyline,
    lonlat: &'a LonLat,
    attributes: &'a Table,
    index: usize,
}

impl Serialize for Feature<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { line, lonlat, attributes, index } = self;
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("type", "Feature")?;
        map.serialize_entry("properties", &Properties(attributes, *index))?;
        map.serialize_entry("geometry", &LineString(line, lonlat))?;
        map.end()
    }
}

/// A row of a table.
struct Properties<'a>(&'a Table, usize);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.columns().iter().map(|(name, values)| (name, values[self.1])))
    }
}

/// The points of a line: on longitudes and latitudes, several lines if it leads across 180 degrees, as
/// RFC 7946 asks in section 3.1.9.
struct LineString<'a>(&'a Polyline, &'a LonLat);

impl Serialize for LineString<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let again = self.0.points.first().filter(|_| self.0.closed);
        let points = self.0.points.iter().chain(again).map(|&point| Position::of(point, self.1));
        let mut map = to.serialize_map(Some(2))?;
        if self.1.is_geographic() && antimeridian::is_crossed(points.clone().map(|point| point.coordinates)) {
            if let Some(beyond) = points.clone().find(|point| !point.is_finite()) {
                return Err(beyond.error());
            }
            map.serialize_entry("type", "MultiLineString")?;
            map.serialize_entry("coordinates", &antimeridian::cut(points.map(|point| point.coordinates)))?;
            return map.end();
        }
        map.serialize_entry("type", "LineString")?;
        map.serialize_entry("coordinates", &List(|| distinct(points.clone())))?;
        map.end()
    }
}

/// The coordinates of a point.
#[derive(Clone, Copy)]
struct Position {
    coordinates: (f64, f64),
    world: (f64, f64),
}

impl Position {
    fn of(world: (f64, f64), lonlat: &LonLat) -> Self {
        Self { coordinates: lonlat.of_world(world), world }
    }

    const fn is_finite(&self) -> bool {
        self.coordinates.0.is_finite() && self.coordinates.1.is_finite()
    }

    fn error<E: serde::ser::Error>(&self) -> E {
        E::custom(format!("{:?} of the world is beyond the reference system of its ground", self.world))
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (x, y) = self.coordinates;
        if self.is_finite() { [x, y].serialize(to) } else { Err(self.error()) }
    }
}

/// Positions without those that repeat the one before them: on a map, two points of a line can have the same
/// coordinates, which readers refuse. A line of a single position keeps two.
fn distinct(positions: impl Iterator<Item = Position> + Clone) -> impl Iterator<Item = Position> {
    let mut before = None;
    let fresh = positions
        .clone()
        .filter(move |position| before.replace(position.coordinates) != Some(position.coordinates));
    let is_line = fresh.clone().nth(1).is_some();
    let (fresh, all) = if is_line { (Some(fresh), None) } else { (None, Some(positions)) };
    fresh.into_iter().flatten().chain(all.into_iter().flatten())
}

impl TerrainData for Paths {
    const IN_PIECES: bool = true;

    fn write(&self, path: &Path, options: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        let lonlat = LonLat::of(options.place.as_ref());
        write_text_file(path, stop, |out| write_json(out, &FeatureCollection(self, &lonlat)))
    }

    fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_json(out, &FeatureCollection(self, &LonLat::of(None)))
    }

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
    fn lines_across_the_antimeridian_are_cut() {
        let georef = terrane_grid::GeoReference {
            pixel_scale: vec![0.001, 0.001, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 179.999, -17.0, 0.0],
            key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326],
            ..Default::default()
        };
        let place = terrane_grid::Place::of(&georef, (0.0, 0.0), 1.0, (1.0, 1.0)).unwrap();
        let lonlat = LonLat::of(Some(&std::sync::Arc::new(place)));
        let line = |points: Vec<(f64, f64)>| Polyline { points, closed: false };
        let lines = vec![line(vec![(0.0, 0.0), (4.0, 4.0)]), line(vec![(2.0, 0.0), (4.0, 4.0)])];
        let paths = Paths { lines, attributes: Table::default() };
        let json = serde_json::to_value(FeatureCollection(&paths, &lonlat)).unwrap();
        assert_eq!(json["features"][0]["geometry"]["type"], "MultiLineString");
        let parts: Vec<Vec<[f64; 2]>> =
            serde_json::from_value(json["features"][0]["geometry"]["coordinates"].clone()).unwrap();
        assert_eq!((parts.len(), parts[0][1][0], parts[1][0][0]), (2, 180.0, -180.0));
        // A quarter of the way.
        assert!((parts[0][1][1] + 17.001).abs() < 1e-9 && parts[0][1][1] == parts[1][0][1], "{parts:?}");
        assert_eq!(json["features"][1]["geometry"]["type"], "LineString");
    }

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
        assert_eq!(json["features"][1]["geometry"]["coordinates"][3], json!([0.5, 1.0]));
        assert_eq!(json["features"][2]["properties"]["order"], json!(3.0));
    }
}
