//! The features of a GeoJSON file. Only members that are needed are read: files may have properties of any
//! size, which would take many times their length as values in memory.

use std::borrow::Cow;

use geojson::{Feature, Geometry, GeometryValue, JsonObject, JsonValue};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::line::{MAX_POINTS, too_many_points};
use crate::Problem;

/// The properties that are read.
const PROPERTIES: [&str; 3] = ["slope", "width", "height"];

/// The maximum number of bytes of a property that is read as it is. Numbers are shorter.
const MAX_PROPERTY: usize = 64;

/// The maximum number of bytes of the description of a reference system.
const MAX_SYSTEM: usize = 1 << 16;

/// A member as it is written. A member that is `null` is missing.
type Raw<'t> = Option<&'t RawValue>;

/// The needed members of a file, a feature or a geometry.
#[derive(Deserialize)]
struct Object<'t> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'t, str>>,
    #[serde(borrow)]
    features: Raw<'t>,
    #[serde(borrow)]
    geometry: Raw<'t>,
    #[serde(borrow)]
    properties: Raw<'t>,
    #[serde(borrow)]
    coordinates: Raw<'t>,
    #[serde(borrow)]
    crs: Raw<'t>,
}

/// The needed properties of a feature.
#[derive(Deserialize)]
struct Properties<'t> {
    #[serde(borrow)]
    slope: Raw<'t>,
    #[serde(borrow)]
    width: Raw<'t>,
    #[serde(borrow)]
    height: Raw<'t>,
}

/// A file that is read.
struct Reader<'t> {
    bytes: &'t [u8],
    remedy: &'static str,
}

/// The features of a file, and its own members.
pub fn read(bytes: &[u8], remedy: &'static str) -> Result<(Vec<Feature>, Option<JsonObject>), Problem> {
    let reader = Reader { bytes, remedy };
    let file = reader.object(bytes)?;
    let members = reader.system(&file)?;
    let features = match (file.kind.as_deref(), file.features) {
        (Some("FeatureCollection"), Some(features)) => reader.features(features.get().as_bytes())?,
        (Some("FeatureCollection"), None) => {
            return Err(reader.problem(bytes, "there is no member `features`".to_owned()));
        }
        (Some("Feature"), _) => vec![reader.feature(bytes, &file)?],
        _ => vec![Feature::from(reader.geometry(bytes, &file)?)],
    };
    Ok((features, members))
}

impl<'t> Reader<'t> {
    /// The problem of a part of the file, at its first sign.
    fn problem(&self, part: &[u8], detail: String) -> Problem {
        let blanks = part.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        Problem::Lines { at: Some(self.position(part, (1, blanks + 1))), detail, remedy: self.remedy }
    }

    /// The position in the file of a position in a part of it.
    fn position(&self, part: &[u8], (line, column): (usize, usize)) -> (usize, usize) {
        let start = (part.as_ptr() as usize).saturating_sub(self.bytes.as_ptr() as usize);
        let before = &self.bytes[..start.min(self.bytes.len())];
        let breaks = before.iter().filter(|byte| **byte == b'\n').count();
        let begun = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        (breaks + line, if line > 1 { column } else { begun + column })
    }

    fn parse<T: Deserialize<'t>>(&self, part: &'t [u8]) -> Result<T, Problem> {
        serde_json::from_slice(part).map_err(|error| {
            let text = error.to_string();
            // The position is reported separately.
            let detail = text.rsplit_once(" at line ").map_or(text.as_str(), |(detail, _)| detail).to_owned();
            let at = (error.line() > 0).then(|| self.position(part, (error.line(), error.column())));
            Problem::Lines { at, detail, remedy: self.remedy }
        })
    }

    /// Reads an object. A list would be read as an object without names.
    fn keyed<T: Deserialize<'t>>(&self, part: &'t [u8]) -> Result<T, Problem> {
        match part.iter().find(|byte| !byte.is_ascii_whitespace()) {
            None | Some(b'{') => self.parse(part),
            Some(_) => Err(self.problem(part, "expected an object of GeoJSON".to_owned())),
        }
    }

    fn object(&self, part: &'t [u8]) -> Result<Object<'t>, Problem> {
        self.keyed(part)
    }

    fn features(&self, part: &'t [u8]) -> Result<Vec<Feature>, Problem> {
        // A feature has up to three objects, and at least one point.
        if count(part, b'{') > 4 * MAX_POINTS {
            return Err(too_many_points());
        }
        let features: Vec<&RawValue> = self.parse(part)?;
        if features.len() > MAX_POINTS {
            return Err(too_many_points());
        }
        let read = |feature: &&'t RawValue| {
            let part = feature.get().as_bytes();
            let object = self.object(part)?;
            match object.kind.as_deref() {
                Some("Feature") => self.feature(part, &object),
                _ => Err(self.problem(part, "expected an object of the type `Feature`".to_owned())),
            }
        };
        features.iter().map(read).collect()
    }

    fn feature(&self, part: &'t [u8], object: &Object<'t>) -> Result<Feature, Problem> {
        let geometry = object.geometry.map(|geometry| {
            let part = geometry.get().as_bytes();
            self.geometry(part, &self.object(part)?)
        });
        let properties = object.properties.map(|properties| self.properties(properties.get().as_bytes()));
        // A file that is one feature has its own reference system.
        let foreign_members = if part.len() == self.bytes.len() { None } else { self.system(object)? };
        let (geometry, properties) = (geometry.transpose()?, properties.transpose()?);
        Ok(Feature { bbox: None, geometry, id: None, properties, foreign_members })
    }

    fn properties(&self, part: &'t [u8]) -> Result<JsonObject, Problem> {
        let Properties { slope, width, height } = self.keyed(part)?;
        let mut properties = JsonObject::new();
        for (name, value) in PROPERTIES.into_iter().zip([slope, width, height]) {
            if let Some(value) = value {
                properties.insert(name.to_owned(), self.value(value, MAX_PROPERTY)?);
            }
        }
        Ok(properties)
    }

    /// A member as a value, or as the beginning of its text if it is long.
    fn value(&self, raw: &'t RawValue, max: usize) -> Result<JsonValue, Problem> {
        let text = raw.get();
        if text.len() > max {
            return Ok(format!("{}...", &text[..text.floor_char_boundary(MAX_PROPERTY)]).into());
        }
        self.parse(text.as_bytes())
    }

    /// The reference system of an object.
    fn system(&self, object: &Object<'t>) -> Result<Option<JsonObject>, Problem> {
        let Some(crs) = object.crs else { return Ok(None) };
        Ok(Some(JsonObject::from_iter([("crs".to_owned(), self.value(crs, MAX_SYSTEM)?)])))
    }

    fn geometry(&self, part: &'t [u8], object: &Object<'t>) -> Result<Geometry, Problem> {
        let value = match object.kind.as_deref() {
            Some("Point") => GeometryValue::Point { coordinates: self.coordinates(part, object)? },
            Some("MultiPoint") => GeometryValue::MultiPoint { coordinates: self.coordinates(part, object)? },
            Some("LineString") => GeometryValue::LineString { coordinates: self.coordinates(part, object)? },
            Some("MultiLineString") => {
                GeometryValue::MultiLineString { coordinates: self.coordinates(part, object)? }
            }
            // These are refused by their names, so their coordinates are not read.
            Some("Polygon") => GeometryValue::Polygon { coordinates: Vec::new() },
            Some("MultiPolygon") => GeometryValue::MultiPolygon { coordinates: Vec::new() },
            Some("GeometryCollection") => GeometryValue::GeometryCollection { geometries: Vec::new() },
            Some(_) => return Err(self.problem(part, "the `type` is not one of GeoJSON".to_owned())),
            None => return Err(self.problem(part, "there is no member `type`".to_owned())),
        };
        let foreign_members = if part.len() == self.bytes.len() { None } else { self.system(object)? };
        Ok(Geometry { bbox: None, value, foreign_members })
    }

    fn coordinates<T: Deserialize<'t>>(&self, part: &[u8], object: &Object<'t>) -> Result<T, Problem> {
        let Some(coordinates) = object.coordinates else {
            return Err(self.problem(part, "there is no member `coordinates`".to_owned()));
        };
        let text = coordinates.get().as_bytes();
        // A line has at least two points, and few points have more than three numbers.
        if count(text, b'[') > 2 * MAX_POINTS || count(text, b',') > 8 * MAX_POINTS {
            return Err(too_many_points());
        }
        self.parse(text)
    }
}

fn count(text: &[u8], sign: u8) -> usize {
    text.iter().filter(|byte| **byte == sign).count()
}
