//! Ellipsoids of planets, and distances on them.

use terrane_grid::GeoReference;

use crate::keys::{real_key, short_key};

/// An ellipsoid of revolution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ellipsoid {
    /// The radius of the equator in metres.
    pub radius: f64,
    /// The square of the eccentricity.
    pub square: f64,
}

impl Ellipsoid {
    pub const WGS84: Self = Self { radius: 6_378_137.0, square: 0.006_694_379_990_141_316 };

    /// The ellipsoid with these half axes, that of the equator first.
    pub fn of_axes(a: f64, b: f64) -> Self {
        Self { radius: a, square: 1.0 - (b / a) * (b / a) }
    }

    /// The ellipsoid that keys name; WGS 84 if they name none. All codes of EPSG are those of the Earth.
    pub fn of(georef: &GeoReference) -> Self {
        let Some(a) = real_key(georef, 2057) else { return Self::WGS84 };
        let flattened = real_key(georef, 2059).map(|inverse| a * (1.0 - 1.0 / inverse));
        let b = flattened.or_else(|| real_key(georef, 2058)).unwrap_or(a);
        // No planet is flattened more than by a half.
        Self::of_axes(a, if (0.5 * a..=a).contains(&b) { b } else { a })
    }

    /// Metres in a radian of longitude and of latitude, at a latitude in radians: along the parallel and
    /// along the meridian.
    pub fn radian(&self, latitude: f64) -> (f64, f64) {
        let sine = libm::sin(latitude);
        let rest = 1.0 - self.square * sine * sine;
        let across = self.radius / libm::sqrt(rest);
        (across * libm::cos(latitude), across * (1.0 - self.square) / rest)
    }

    /// The distance of two positions in a straight line, which is shorter than that along the ground by less
    /// than a hundred-thousandth if they are 100 km apart, anywhere on the Earth. Angles are in radians.
    #[cfg(feature = "projections")]
    pub fn apart(&self, from: (f64, f64), to: (f64, f64)) -> f64 {
        let at = |(longitude, latitude): (f64, f64)| {
            let (out, _) = self.radian(latitude);
            let sine = libm::sin(latitude);
            let across = self.radius / libm::sqrt(1.0 - self.square * sine * sine);
            [out * libm::cos(longitude), out * libm::sin(longitude), across * (1.0 - self.square) * sine]
        };
        let (from, to) = (at(from), at(to));
        libm::sqrt(from.iter().zip(to).map(|(a, b)| (a - b) * (a - b)).sum())
    }
}

/// The ellipsoid's name in PROJ, by its EPSG code.
pub(crate) fn name_of(georef: &GeoReference) -> Option<&'static str> {
    Some(match short_key(georef, 2056)? {
        7001 => "airy",
        7002 => "mod_airy",
        7003 => "aust_SA",
        7004 => "bessel",
        7008 => "clrk66",
        7011 => "clrk80ign",
        7012 => "clrk80",
        7015 => "evrst30",
        7016 => "evrst69",
        7018 => "evrst48",
        7019 => "GRS80",
        7022 => "intl",
        7024 => "krass",
        7025 => "NWL9D",
        7030 => "WGS84",
        7036 => "GRS67",
        7043 => "WGS72",
        7046 => "bess_nam",
        7053 => "hough",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By geographiclib, for the two steps of 0.001 degrees about 10 degrees east, 50 degrees north.
    #[test]
    fn steps_on_the_ellipsoid_are_those_of_geodesics() {
        let (across, down) = Ellipsoid::WGS84.radian(50f64.to_radians());
        let step = 0.001f64.to_radians();
        assert!((across * step - 71.695_753_6).abs() < 1e-6, "{}", across * step);
        assert!((down * step - 111.229_064_0).abs() < 1e-6, "{}", down * step);
        #[cfg(feature = "projections")]
        {
            let at = |longitude: f64, latitude: f64| (longitude.to_radians(), latitude.to_radians());
            let across = Ellipsoid::WGS84.apart(at(9.9995, 50.0), at(10.0005, 50.0));
            assert!((across - 71.695_753_6).abs() < 1e-6, "{across}");
            // Over a pole.
            let over = Ellipsoid::WGS84.apart(at(0.0, 89.9995), at(180.0, 89.9995));
            assert!((over - 111.693_979_9).abs() < 1e-6, "{over}");
        }
    }
}
