//! The coordinates of GeoJSON: longitude and latitude in WGS 84 where the reference system of a place is
//! known, otherwise the place's own easting and northing.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use terrane_grid::Place;

#[cfg(feature = "projections")]
use crate::projection::{Projection, projection};
use crate::{Problem, meridians::turned};

/// The coordinates of positions of a world in GeoJSON.
///
/// RFC 7946 knows only longitude and latitude in WGS 84. A world without a reference system has none, so its
/// eastings and northings are written: x, and y with its sign changed, since northings grow to the north.
#[derive(Clone)]
pub struct LonLat {
    place: Arc<Place>,
    #[cfg(feature = "projections")]
    projection: Option<Arc<Projection>>,
}

impl std::fmt::Debug for LonLat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LonLat")
            .field("place", &self.place)
            .field("is_geographic", &self.is_geographic())
            .finish()
    }
}

impl LonLat {
    /// The coordinates of a world with this place. Without one, the world is its own map.
    #[must_use]
    pub fn of(place: Option<&Arc<Place>>) -> Self {
        let place = place.cloned().unwrap_or_default();
        Self {
            #[cfg(feature = "projections")]
            projection: projection(&place).map(Arc::new),
            place,
        }
    }

    /// Whether coordinates are longitudes and latitudes in WGS 84.
    #[must_use]
    pub fn is_geographic(&self) -> bool {
        #[cfg(feature = "projections")]
        return self.projection.is_some();
        #[cfg(not(feature = "projections"))]
        false
    }

    /// The coordinates of a position in the world. Not finite if the position lies beyond its reference
    /// system.
    #[must_use]
    pub fn of_world(&self, position: (f64, f64)) -> (f64, f64) {
        let map = self.place.to_map(position);
        #[cfg(feature = "projections")]
        if let Some(projection) = &self.projection {
            return projection.to_wgs84(map);
        }
        // Adding 0 turns -0 into 0.
        (map.0 + 0.0, map.1 + 0.0)
    }

    /// The coordinates of a position in the world, near others: longitudes are not cut at 180 degrees between
    /// them.
    #[must_use]
    pub fn of_world_near(&self, position: (f64, f64), near: (f64, f64)) -> (f64, f64) {
        let (x, y) = self.of_world(position);
        if self.is_geographic() { (turned(x, near.0), y) } else { (x, y) }
    }

    /// The position in the world of coordinates in a file. Not finite if it lies beyond the reference system.
    #[must_use]
    pub fn to_world(&self, coordinates: (f64, f64)) -> (f64, f64) {
        #[cfg(feature = "projections")]
        let coordinates = match &self.projection {
            // Some projections would take such numbers for turns around the Earth.
            Some(_) if coordinates.0.abs() > 540.0 || coordinates.1.abs() > 90.0 => (f64::NAN, f64::NAN),
            Some(projection) => projection.of_wgs84(coordinates),
            None => coordinates,
        };
        self.of_map(coordinates)
    }

    /// The position in the world of an easting and a northing.
    fn of_map(&self, map: (f64, f64)) -> (f64, f64) {
        let (x, y) = self.place.to_world(map);
        // Adding 0 turns -0 into 0.
        (x + 0.0, y + 0.0)
    }

    /// A function from the coordinates of a file to the world, for a file whose member `crs` has this name,
    /// if it has one.
    pub(crate) fn reader(&self, crs: Option<&str>) -> Result<impl Fn((f64, f64)) -> (f64, f64), Problem> {
        let is_epsg = crs.is_some_and(|name| name.contains("EPSG"));
        let code = crs.filter(|_| is_epsg).and_then(|name| name.rsplit([':', '/']).next());
        let code = code.and_then(|code| code.parse::<u16>().ok());
        let is_wgs84 = crs.is_none_or(|name| name.ends_with("CRS84")) || code == Some(4326);
        let own = self.place.reference().epsg();
        let is_own =
            crs.is_some() && (code.is_some() && code == own || Some(crs) == Some(self.name().as_deref()));
        if !is_own && !is_wgs84 {
            return Err(Problem::Lines {
                at: None,
                detail: format!(
                    "the coordinates are in `{}`, and those of the graph are not",
                    crs.unwrap_or_default().escape_debug()
                ),
                remedy: "write it in WGS 84, for example with `ogr2ogr -t_srs EPSG:4326`",
            });
        }
        if crs.is_some() && is_wgs84 && !is_own && !self.is_geographic() {
            return Err(Problem::Lines {
                at: None,
                detail: "the coordinates are longitudes and latitudes, and the graph has no place on Earth"
                    .to_owned(),
                remedy: "write it in the coordinates of the graph's ground, or import ground with a place",
            });
        }
        let own = self.clone();
        Ok(move |coordinates| if is_own { own.of_map(coordinates) } else { own.to_world(coordinates) })
    }

    /// The name of the reference system.
    fn name(&self) -> Option<String> {
        let reference = self.place.reference();
        match reference.epsg() {
            Some(code) => Some(format!("urn:ogc:def:crs:EPSG::{code}")),
            None => reference
                .ascii_params
                .split('|')
                .next()
                .filter(|name| !name.is_empty() && !name.contains("unknown"))
                .map(str::to_owned),
        }
    }

    /// The member `crs` of a file whose coordinates are not longitude and latitude: the name of the reference
    /// system, as programs read it that follow GeoJSON of 2008.
    #[must_use]
    pub fn crs(&self) -> Option<Json> {
        if self.is_geographic() {
            return None;
        }
        Some(json!({ "type": "name", "properties": { "name": self.name()? } }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use terrane_grid::GeoReference;

    fn place(code: u16, scale: f64, tie: (f64, f64)) -> Arc<Place> {
        let georef = GeoReference {
            pixel_scale: vec![scale, scale, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, tie.0, tie.1, 0.0],
            key_directory: vec![1, 1, 0, 2, 1025, 0, 1, 2, 3072, 0, 1, code],
            ..GeoReference::default()
        };
        Arc::new(Place::of(&georef, (0.0, 0.0), scale, (1.0, 1.0)).unwrap())
    }

    #[test]
    fn a_world_without_a_place_has_its_own_coordinates_with_north_up() {
        let own = LonLat::of(None);
        assert_eq!(own.of_world((3.5, 7.0)), (3.5, -7.0));
        assert_eq!(own.to_world((3.5, -7.0)), (3.5, 7.0));
        assert!(own.crs().is_none() && !own.is_geographic());
    }

    /// Longitudes and latitudes of PROJ 9.5.
    #[cfg(feature = "projections")]
    #[test]
    fn longitude_and_latitude_are_those_of_proj() {
        for (code, right, tolerance) in [
            (32719, (-70.530_476_711_458_25, -54.138_511_003_683_02), 1e-8),
            (32611, (-118.111_309_431_738_33, 36.139_426_786_332_066), 1e-8),
            (2193, (155.123_769_739_990_42, -52.789_013_435_757_35), 1e-8),
            (2263, (-76.497_808_676_376_27, 51.056_818_332_492_156), 1e-8),
            (3857, (3.593_395_883_770_704, 33.785_118_077_722_87), 1e-8),
            (2154, (0.264_429_454_086_701_6, 23.574_264_364_643_753), 1e-8),
            (31370, (17.493_988_289_022_25, 82.483_297_316_705_52), 1e-5),
        ] {
            let lonlat = LonLat::of(Some(&place(code, 30.0, (400_015.0, 3_999_985.0))));
            let found = lonlat.of_world((0.0, 0.0));
            assert!((found.0 - right.0).abs() < tolerance, "{code} {found:?}");
            assert!((found.1 - right.1).abs() < tolerance, "{code} {found:?}");
            let back = lonlat.to_world(lonlat.of_world((600.0, 900.0)));
            assert!((back.0 - 600.0).abs() < 1e-3 && (back.1 - 900.0).abs() < 1e-3, "{code} {back:?}");
            assert!(lonlat.crs().is_none());
        }
    }

    /// A zone of UTM by its number instead of its code: longitude and latitude need a datum.
    #[cfg(feature = "projections")]
    #[test]
    fn a_projection_without_a_code_needs_a_datum() {
        let of = |geographic: &[u16]| {
            let count = 4 + geographic.len() as u16 / 4;
            let keys = [&[1, 1, 0, count, 1024, 0, 1, 1, 1025, 0, 1, 2], geographic];
            let georef = GeoReference {
                pixel_scale: vec![30.0, 30.0, 0.0],
                tiepoints: vec![0.0, 0.0, 0.0, 400_015.0, 3_999_985.0, 0.0],
                key_directory: [keys.concat(), vec![3072, 0, 1, 32767, 3074, 0, 1, 16011]].concat(),
                double_params: vec![6_378_137.0, 298.257_223_563],
                ..GeoReference::default()
            };
            LonLat::of(Some(&Arc::new(Place::of(&georef, (0.0, 0.0), 30.0, (1.0, 1.0)).unwrap())))
        };
        let known = of(&[2048, 0, 1, 4326]);
        let (longitude, latitude) = known.of_world((0.0, 0.0));
        assert!((longitude + 118.111_309_431_738_33).abs() < 1e-8, "{longitude}");
        assert!((latitude - 36.139_426_786_332_066).abs() < 1e-8, "{latitude}");
        let without = of(&[2048, 0, 1, 32767, 2057, 34736, 1, 0, 2059, 34736, 1, 1]);
        assert_eq!(without.of_world((0.0, 0.0)), (400_015.0, 3_999_985.0));
    }

    #[cfg(feature = "projections")]
    #[test]
    fn longitudes_turn_to_where_the_ground_is() {
        let georef = GeoReference {
            pixel_scale: vec![0.01, 0.01, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 238.0, 40.0, 0.0],
            key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326],
            ..GeoReference::default()
        };
        let place = Arc::new(Place::of(&georef, (0.0, 0.0), 0.01, (1.0, 1.0)).unwrap());
        let lonlat = LonLat::of(Some(&place));
        let (longitude, latitude) = lonlat.of_world((0.0, 0.0));
        assert!((longitude + 122.0).abs() < 1e-9 && (latitude - 40.0).abs() < 1e-9);
        let (x, y) = lonlat.to_world((-121.0, 39.0));
        assert!((x - 1.0).abs() < 1e-9 && (y - 1.0).abs() < 1e-9, "{x} {y}");
    }

    /// By PROJ 9.5.
    #[cfg(feature = "projections")]
    #[test]
    fn units_of_the_keys_are_those_of_the_coordinates() {
        let of = |keys: &[u16], tie: (f64, f64)| {
            let georef = GeoReference {
                pixel_scale: vec![0.001, 0.001, 0.0],
                tiepoints: vec![0.0, 0.0, 0.0, tie.0, tie.1, 0.0],
                key_directory: [&[1, 1, 0, (keys.len() / 4 + 1) as u16, 1025, 0, 1, 2], keys].concat(),
                ..GeoReference::default()
            };
            let lonlat =
                LonLat::of(Some(&Arc::new(Place::of(&georef, (0.0, 0.0), 1.0, (1.0, 1.0)).unwrap())));
            let found = lonlat.of_world((0.0, 0.0));
            let back = lonlat.to_world(found);
            assert!(back.0.abs() < 1e-3 && back.1.abs() < 1e-3, "{back:?}");
            found
        };
        let grads = of(&[1024, 0, 1, 2, 2048, 0, 1, 4807], (1.004, 49.996));
        assert!((grads.0 - 3.240_189_9).abs() < 1e-4 && (grads.1 - 44.996_4).abs() < 1e-3, "{grads:?}");
        let feet = of(
            &[1024, 0, 1, 1, 3072, 0, 1, 32611, 3076, 0, 1, 9003],
            (400_015.0 * 3937.0 / 1200.0, 3_999_985.0 * 3937.0 / 1200.0),
        );
        assert!((feet.0 + 118.111_309_431_738).abs() < 1e-8, "{feet:?}");
    }

    #[test]
    fn files_in_other_reference_systems_are_refused() {
        let own = LonLat::of(Some(&place(32611, 30.0, (400_000.0, 4_000_000.0))));
        let read = |crs: Option<&str>| own.reader(crs).map(|to_world| to_world((400_030.0, 3_999_910.0)));
        assert_eq!(read(Some("urn:ogc:def:crs:EPSG::32611")).unwrap(), (30.0, 90.0));
        assert!(read(Some("urn:ogc:def:crs:EPSG::32612")).unwrap_err().to_string().contains("32612"));
        let nowhere = LonLat::of(None);
        assert!(nowhere.reader(None).is_ok());
        let refused = nowhere.reader(Some("urn:ogc:def:crs:OGC:1.3:CRS84")).err().unwrap();
        assert!(refused.to_string().contains("no place on Earth"), "{refused}");
    }

    #[test]
    fn a_reference_system_that_is_not_known_is_named() {
        let unknown = LonLat::of(Some(&place(9, 30.0, (400_015.0, 3_999_985.0))));
        assert_eq!(unknown.of_world((30.0, 60.0)), (400_045.0, 3_999_925.0));
        assert_eq!(unknown.crs().unwrap()["properties"]["name"], "urn:ogc:def:crs:EPSG::9");
    }
}
