//! Longitude and latitude in WGS 84 of positions on a map.

use proj4rs::{proj::Proj, transform::transform};
use terrane_grid::Place;

use crate::{meridians::turned, proj_text::parameters, units::of_angle};

/// The projection of a map to and from longitude and latitude in WGS 84.
pub(crate) struct Projection {
    map: Proj,
    wgs84: Proj,
    /// The longitude near which those of a geographic map are.
    longitude: f64,
    /// Degrees in a unit of a geographic map.
    unit: f64,
}

/// The projection of a place whose EPSG code is known, or whose projection and datum are, if its inverse
/// works there. Without a datum, places on the Earth are uncertain by hundreds of metres, and may be those of
/// Mars.
pub(crate) fn projection(place: &Place) -> Option<Projection> {
    let text = parameters(place.reference())?;
    let has_datum = || ["+datum=", "+towgs84="].iter().any(|word| text.contains(word));
    if place.reference().epsg().is_none() && !has_datum() {
        return None;
    }
    let map = Proj::from_proj_string(&text).ok()?;
    let wgs84 = Proj::from_proj_string("+proj=longlat +datum=WGS84 +no_defs").ok()?;
    let unit = if map.is_latlong() { of_angle(place.reference()) } else { 1.0 };
    let here = place.known_at();
    let projection = Projection { map, wgs84, longitude: unit * here.0, unit };
    let back = projection.of_wgs84(projection.to_wgs84(here));
    // A centimetre, or as much in degrees.
    let tolerance = if projection.map.is_latlong() { 1e-7 } else { 0.01 };
    let is_near = (back.0 - here.0).abs() < tolerance && (back.1 - here.1).abs() < tolerance;
    is_near.then_some(projection)
}

impl Projection {
    pub fn to_wgs84(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let angle = |angle: f64| (self.unit * angle).to_radians();
        let mut point = match self.map.is_latlong() {
            true => (angle(x), angle(y), 0.0),
            false => (x, y, 0.0),
        };
        match transform(&self.map, &self.wgs84, &mut point) {
            Ok(()) => (turned(point.0.to_degrees(), 0.0), point.1.to_degrees()),
            Err(_) => (f64::NAN, f64::NAN),
        }
    }

    pub fn of_wgs84(&self, (longitude, latitude): (f64, f64)) -> (f64, f64) {
        let mut point = (longitude.to_radians(), latitude.to_radians(), 0.0);
        match transform(&self.wgs84, &self.map, &mut point) {
            Ok(()) if self.map.is_latlong() => {
                let longitude = turned(point.0.to_degrees(), self.longitude);
                (longitude / self.unit, point.1.to_degrees() / self.unit)
            }
            Ok(()) => (point.0, point.1),
            Err(_) => (f64::NAN, f64::NAN),
        }
    }
}
