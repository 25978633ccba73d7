//! Lines in the world.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
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
    /// The attributes of points: a table with one row for each point of each line, in order. Empty if they
    /// have none. `z` is their height.
    pub points: Table,
}

/// The bit of the number of lines that says that points have attributes.
const WITH_POINTS: u64 = 1 << 63;

impl Paths {
    /// Lines with attributes.
    #[must_use]
    pub fn new(lines: Vec<Polyline>, attributes: Table) -> Self {
        Self { lines, attributes, points: Table::default() }
    }

    /// The rows of the points of each line.
    pub fn rows(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.lines.iter().scan(0, |end, line| {
            let start = *end;
            *end += line.points.len();
            Some(start..*end)
        })
    }
}

impl Data for Paths {
    const KIND: &'static str = "paths";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        let has_points = !self.points.columns().is_empty();
        let count = self.lines.len() as u64 | if has_points { WITH_POINTS } else { 0 };
        out.write_all(&count.to_le_bytes())?;
        for line in &self.lines {
            out.write_all(&[u8::from(line.closed)])?;
            write_f64s(out, &line.points.iter().flat_map(|&(x, y)| [x, y]).collect::<Vec<_>>())?;
        }
        if has_points {
            let mut attributes = Vec::new();
            self.attributes.encode(&mut attributes)?;
            out.write_all(&(attributes.len() as u64).to_le_bytes())?;
            out.write_all(&attributes)?;
            return self.points.encode(out);
        }
        self.attributes.encode(out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        let mut reader = Reader(bytes);
        let given = reader.u64()?;
        // Each line has at least 9 bytes: a flag and a count.
        let count = (given & !WITH_POINTS) as usize;
        if count > reader.0.len() / 9 {
            return Err(invalid("ends early"));
        }
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
        let mut points = Table::default();
        if given & WITH_POINTS != 0 {
            let length = reader.count(1)?;
            let attributes = reader.take(length)?;
            points = Table::decode(reader.0)?;
            if points.rows() != lines.iter().map(|line| line.points.len()).sum::<usize>() {
                return Err(invalid("points and their attributes differ in number"));
            }
            reader = Reader(attributes);
        }
        let attributes = Table::decode(reader.0)?;
        if !attributes.columns().is_empty() && attributes.rows() != count {
            return Err(invalid("lines and their attributes differ in number"));
        }
        Ok(Self { lines, attributes, points })
    }

    fn heap_bytes(&self) -> usize {
        self.lines.iter().map(|line| 32 + 16 * line.points.len()).sum::<usize>()
            + self.attributes.heap_bytes()
            + self.points.heap_bytes()
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
        let Self(paths, lonlat) = *self;
        let rows: Vec<Range<usize>> = paths.rows().collect();
        let lines = paths.lines.iter().zip(rows.iter().cloned()).enumerate();
        let feature = |(index, (line, rows))| Feature { line, lonlat, paths, index, rows };
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

/// A line, with the row of its attributes and the rows of those of its points.
struct Feature<'a> {
    line: &'a Polyline,
    lonlat: &'a LonLat,
    paths: &'a Paths,
    index: usize,
    rows: Range<usize>,
}

impl Serialize for Feature<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { line, lonlat, paths, index, rows } = self;
        let heights = paths.points.column("z").map(|heights| &heights[rows.clone()]);
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("type", "Feature")?;
        map.serialize_entry("properties", &Properties(paths, *index, rows))?;
        map.serialize_entry("geometry", &LineString(line, lonlat, heights))?;
        map.end()
    }
}

/// The attributes of a line, and lists of those of its points under `along`.
struct Properties<'a>(&'a Paths, usize, &'a Range<usize>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self(Paths { attributes, points, .. }, index, rows) = self;
        let mut map = to.serialize_map(None)?;
        for (name, values) in attributes.columns() {
            map.serialize_entry(name, &values[*index])?;
        }
        let along = points.columns().iter().filter(|(name, _)| name != "z");
        let along: BTreeMap<&str, &[f64]> =
            along.map(|(name, values)| (name.as_str(), &values[(*rows).clone()])).collect();
        if !along.is_empty() {
            map.serialize_entry("along", &along)?;
        }
        map.end()
    }
}

/// The points of a line, with their heights if they have some: on longitudes and latitudes, several lines if
/// it leads across 180 degrees, as RFC 7946 asks in section 3.1.9.
struct LineString<'a>(&'a Polyline, &'a LonLat, Option<&'a [f64]>);

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
        match self.2 {
            // Each point has its place in the lists of attributes.
            Some(heights) => {
                let heights = heights.iter().chain(heights.first().filter(|_| self.0.closed));
                let points = points.zip(heights).map(|(point, height)| Raised(point, *height));
                map.serialize_entry("coordinates", &List(|| points.clone()))?;
            }
            None => map.serialize_entry("coordinates", &List(|| distinct(points.clone())))?,
        }
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

/// The coordinates of a point with its height.
#[derive(Clone, Copy)]
struct Raised(Position, f64);

impl Serialize for Raised {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (x, y) = self.0.coordinates;
        if self.0.is_finite() { [x, y, self.1].serialize(to) } else { Err(self.0.error()) }
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
        let paths = Paths::new(lines, Table::default());
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
        let lines = vec![line(false), line(true), Polyline::default()];
        let paths = Paths::new(lines, Table::new(vec![("order", vec![1.0, 2.0, 3.0])]));
        let points = Table::new(vec![
            ("z", vec![9.0, 8.0, 7.0, 6.0, 5.0, 4.0]),
            ("width", vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ]);
        let raised = Paths { points, ..paths.clone() };
        for paths in [&paths, &raised] {
            let mut bytes = Vec::new();
            paths.encode(&mut bytes).unwrap();
            assert_eq!(Paths::decode(&bytes).unwrap(), *paths);
            for length in 0..bytes.len() {
                assert!(Paths::decode(&bytes[..length]).is_err());
            }
        }
        let json = raised.to_json().unwrap();
        assert_eq!(json["features"][1]["geometry"]["coordinates"][3], json!([0.5, 1.0, 6.0]));
        let properties = json!({"order": 2.0, "along": {"width": [4.0, 5.0, 6.0]}});
        assert_eq!(json["features"][1]["properties"], properties);
        let json = paths.to_json().unwrap();
        assert_eq!(json["features"][1]["geometry"]["coordinates"][3], json!([0.5, 1.0]));
        assert_eq!(json["features"][2]["properties"]["order"], json!(3.0));
    }
}
