//! Longitude and latitude of positions on a map, and true distances about them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proj4rs::{proj::Proj, transform::transform};

use crate::ellipsoid::Ellipsoid;

/// Ellipsoids of datums, whose shifts are of no importance for distances and may need files.
const DATUMS: [(&str, &str); 10] = [
    ("WGS84", "WGS84"),
    ("NAD83", "GRS80"),
    ("NAD27", "clrk66"),
    ("GGRS87", "GRS80"),
    ("potsdam", "bessel"),
    ("carthage", "clrk80ign"),
    ("hermannskogel", "bessel"),
    ("ire65", "mod_airy"),
    ("nzgd49", "intl"),
    ("OSGB36", "airy"),
];

/// The shortest distance of which the true length is computed: shorter ones are lost in the rounding of
/// eastings.
const SHORTEST: f64 = 10.0;

/// The inverse of a projection.
pub(crate) struct Inverse {
    map: Proj,
    /// Longitude and latitude on the ellipsoid of the map.
    degrees: Proj,
    ellipsoid: Ellipsoid,
    /// Metres in a unit of the map.
    unit: f64,
}

impl Inverse {
    /// The inverse of the projection of this text of PROJ, whose unit has so many metres; `None` if it is not
    /// known.
    pub fn of(text: &str, unit: f64) -> Option<Self> {
        let mut words: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            let datum = word.strip_prefix("+datum=");
            match datum.map(|datum| DATUMS.iter().find(|(known, _)| *known == datum)) {
                Some(Some((_, ellipsoid))) => words.push(format!("+ellps={ellipsoid}")),
                Some(None) => return None,
                None if word.starts_with("+towgs84=") || word.starts_with("+nadgrids=") => {}
                None => words.push(word.to_owned()),
            }
        }
        let is_body = |word: &&String| {
            ["+ellps=", "+a=", "+b=", "+rf=", "+f=", "+R="].iter().any(|start| word.starts_with(start))
        };
        let body: Vec<&str> = words.iter().filter(is_body).map(String::as_str).collect();
        let degrees = format!("+proj=longlat {}", body.join(" "));
        // Numbers of a file reach functions of another crate.
        let made = catch_unwind(|| {
            let degrees = Proj::from_proj_string(&degrees).ok()?;
            Some((Proj::from_proj_string(&words.join(" ")).ok()?, degrees))
        });
        let (map, degrees) = made.ok().flatten()?;
        let (a, b) = degrees.ellipse_parameters();
        // Web Mercator projects latitudes of the ellipsoid as if they were those of its sphere.
        let is_web = text.contains("+nadgrids=@null") || text.contains("+proj=webmerc");
        let ellipsoid = if is_web { Ellipsoid::WGS84 } else { Ellipsoid::of_axes(a, b) };
        (!map.is_latlong() && !map.is_geocent()).then_some(Self { map, degrees, ellipsoid, unit })
    }

    fn transformed(from: &Proj, to: &Proj, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let mut point = (x, y, 0.0);
        let done = catch_unwind(AssertUnwindSafe(|| transform(from, to, &mut point).is_ok()));
        (done.unwrap_or(false) && point.0.is_finite() && point.1.is_finite()).then_some((point.0, point.1))
    }

    /// Longitude and latitude in radians of an easting and a northing, if the projection leads back to them.
    pub fn position(&self, at: (f64, f64)) -> Option<(f64, f64)> {
        let found = Self::transformed(&self.map, &self.degrees, at)?;
        let back = Self::transformed(&self.degrees, &self.map, found)?;
        let off = (back.0 - at.0).abs().max((back.1 - at.1).abs());
        (off * self.unit < 0.01 * SHORTEST).then_some(found)
    }

    /// The true length in metres of a distance about a position, along eastings and along northings: that of
    /// the straight line between the two ends on the map's ellipsoid.
    pub fn distances(&self, at: (f64, f64), (across, down): (f64, f64)) -> Option<(f64, f64)> {
        let along = |direction: (f64, f64), distance: f64| {
            let used = distance.max(SHORTEST / self.unit);
            let end = |half: f64| self.position((at.0 + half * direction.0, at.1 + half * direction.1));
            let apart = self.ellipsoid.apart(end(-0.5 * used)?, end(0.5 * used)?);
            Some(apart / used * distance).filter(|apart| *apart > 0.0)
        };
        Some((along((1.0, 0.0), across)?, along((0.0, 1.0), down)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By PROJ 9.5 and geographiclib, for steps of 30 units.
    #[test]
    fn true_distances_are_those_of_geodesics() {
        let web = "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +k=1 +units=m +nadgrids=@null +wktext";
        let polar = "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +datum=WGS84";
        let feet = "+proj=lcc +lat_1=33 +lat_2=45 +lat_0=40 +lon_0=-100 +datum=NAD83 +units=us-ft";
        let at = (1.0e6, 4.0e6);
        for (text, unit, at, right) in [
            ("+proj=merc +lat_ts=30 +lon_0=10 +datum=WGS84", 1.0, at, (27.146_043_566_5, 27.146_043_566_5)),
            ("+proj=sinu +lon_0=0 +R=6371007.181", 1.0, at, (30.0, 30.194_056_538)),
            (feet, 1200.0 / 3937.0, at, (8.988_397_059, 8.988_397_059)),
            ("+proj=laea +lat_0=45 +lon_0=-100 +datum=NAD27", 1.0, at, (28.574_030_059, 31.540_101_460)),
            ("+proj=merc +lon_0=0 +ellps=bessel +pm=paris", 1.0, at, (24.906_977_950, 24.906_977_950)),
            (web, 1.0, at, (24.959_683_022, 24.844_022_526)),
            // Over the pole, where longitudes jump.
            (polar, 1.0, (0.0, 0.0), (30.932_357_226, 30.932_357_226)),
        ] {
            let found = Inverse::of(text, unit).unwrap().distances(at, (30.0, 30.0)).unwrap();
            let off = (found.0 / right.0 - 1.0).abs().max((found.1 / right.1 - 1.0).abs());
            assert!(off < 1e-7, "{text}: {found:?} instead of {right:?}");
        }
    }

    #[test]
    fn what_is_not_known_or_leads_nowhere_has_no_distances() {
        for text in ["+proj=longlat +datum=WGS84", "+proj=unheard +datum=WGS84", "+proj=tmerc +datum=own", ""]
        {
            assert!(Inverse::of(text, 1.0).is_none(), "{text}");
        }
        let utm = Inverse::of("+proj=utm +zone=11 +datum=WGS84 +units=m", 1.0).unwrap();
        for at in [(1e12, 0.0), (f64::NAN, 0.0), (5e5, 1e300)] {
            assert_eq!(utm.distances(at, (30.0, 30.0)), None, "{at:?}");
        }
        let robust = Inverse::of("+proj=lcc +lat_1=0 +lat_2=0 +lon_0=1e300 +a=1 +rf=1.000001", 1.0);
        let _any = robust.map(|inverse| inverse.distances((1.0, 2.0), (1.0, 1.0)));
    }
}
