//! Reference systems as texts of PROJ, for those that keys describe without an EPSG code.

use terrane_grid::GeoReference;

use crate::units::{of_map, real_key, short_key};

/// A parameter of a projection: its name in PROJ, and the keys that hold it.
type Parameter = (&'static str, &'static [u16]);

/// Angles and scales, by the code of the method: its name in PROJ, and its parameters.
const METHODS: [(u16, &str, &[Parameter]); 13] = [
    (1, "tmerc", &[LATITUDE, LONGITUDE, SCALE]),
    (7, "merc", &[("lat_ts", &[3078]), LONGITUDE, SCALE]),
    (8, "lcc", &[("lat_1", &[3078]), ("lat_2", &[3079]), LATITUDE, LONGITUDE]),
    (9, "lcc", &[("lat_1", &[3081]), LATITUDE, LONGITUDE, SCALE]),
    (10, "laea", &[LATITUDE, LONGITUDE]),
    (11, "aea", &[("lat_1", &[3078]), ("lat_2", &[3079]), LATITUDE, LONGITUDE]),
    (12, "aeqd", &[LATITUDE, LONGITUDE]),
    (13, "eqdc", &[("lat_1", &[3078]), ("lat_2", &[3079]), LATITUDE, LONGITUDE]),
    (14, "stere", &[LATITUDE, LONGITUDE, SCALE]),
    (15, "stere", &[("lat_ts", &[3081]), LONGITUDE, SCALE]),
    (16, "sterea", &[LATITUDE, LONGITUDE, SCALE]),
    (17, "eqc", &[("lat_ts", &[3078]), ("lat_0", &[3081, 3089]), LONGITUDE]),
    (24, "sinu", &[LONGITUDE]),
];

const LATITUDE: Parameter = ("lat_0", &[3081, 3085, 3089]);
const LONGITUDE: Parameter = ("lon_0", &[3080, 3084, 3088, 3095]);
const SCALE: Parameter = ("k_0", &[3092, 3093]);
const EAST: Parameter = ("x_0", &[3082, 3086, 3090]);
const NORTH: Parameter = ("y_0", &[3083, 3087, 3091]);

/// The reference system as GDAL reads it: its EPSG code or a text of PROJ. `None` if neither is known.
pub(crate) fn definition(georef: &GeoReference) -> Option<String> {
    if let Some(code) = georef.epsg() {
        return Some(format!("EPSG:{code}"));
    }
    // Angles in other units than degrees are rare, and would need all parameters in degrees.
    if short_key(georef, 2054).is_some_and(|unit| !matches!(unit, 9102 | 9122)) {
        return None;
    }
    let body = body(georef)?;
    if short_key(georef, 1024) == Some(2) {
        return Some(format!("+proj=longlat {body} +no_defs"));
    }
    let code = short_key(georef, 3075)?;
    let (_, name, parameters) = METHODS.iter().find(|(known, ..)| *known == code)?;
    let metres = of_map(georef);
    let mut text = format!("+proj={name}");
    let mut add = |(name, keys): Parameter, factor: f64| {
        if let Some(number) = keys.iter().find_map(|&key| any_real_key(georef, key)) {
            text.push_str(&format!(" +{name}={}", number * factor));
        }
    };
    parameters.iter().for_each(|&parameter| add(parameter, 1.0));
    add(EAST, metres);
    add(NORTH, metres);
    if code == 15 {
        // The pole is the one on the side of the true parallel.
        let is_south = any_real_key(georef, 3081).is_some_and(|latitude| latitude < 0.0);
        text.push_str(if is_south { " +lat_0=-90" } else { " +lat_0=90" });
    }
    let unit = if metres == 1.0 { "+units=m".to_owned() } else { format!("+to_meter={metres}") };
    Some(format!("{text} {body} {unit} +no_defs"))
}

/// The datum or the ellipsoid.
fn body(georef: &GeoReference) -> Option<String> {
    if let Some(axis) = real_key(georef, 2057) {
        let shape = real_key(georef, 2059).map(|flattening| format!(" +rf={flattening}"));
        let shape = shape.or_else(|| real_key(georef, 2058).map(|axis| format!(" +b={axis}")));
        return Some(format!("+a={axis}{}", shape.unwrap_or_else(|| format!(" +b={axis}"))));
    }
    match (short_key(georef, 2048), short_key(georef, 2056)) {
        (Some(4326), _) => Some("+datum=WGS84".to_owned()),
        (Some(4269), _) => Some("+datum=NAD83".to_owned()),
        (Some(4258), _) | (_, Some(7019)) => Some("+ellps=GRS80".to_owned()),
        (_, Some(7030)) => Some("+ellps=WGS84".to_owned()),
        _ => None,
    }
}

/// The value of a key that is a real number of any sign.
fn any_real_key(georef: &GeoReference, id: u16) -> Option<f64> {
    let mut keys = georef.key_directory.chunks_exact(4).skip(1);
    let key = keys.find(|key| key[0] == id && key[1] == 34736)?;
    georef.double_params.get(usize::from(key[3])).copied().filter(|real| real.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys with these numbers and reals.
    fn georef(shorts: &[(u16, u16)], reals: &[(u16, f64)]) -> GeoReference {
        let mut keys = vec![1, 1, 0, (shorts.len() + reals.len()) as u16];
        shorts.iter().for_each(|&(id, value)| keys.extend([id, 0, 1, value]));
        (0..).zip(reals).for_each(|(at, &(id, _))| keys.extend([id, 34736, 1, at]));
        GeoReference {
            key_directory: keys,
            double_params: reals.iter().map(|&(_, real)| real).collect(),
            ..GeoReference::default()
        }
    }

    #[test]
    fn keys_without_a_code_become_a_text() {
        let own = [(1024, 1), (3072, 32767), (2048, 4326)];
        let laea = georef(&[&own[..], &[(3075, 10)]].concat(), &[(3088, -81.0), (3089, 10.0), (3082, 100.0)]);
        assert_eq!(
            definition(&laea).as_deref(),
            Some("+proj=laea +lat_0=10 +lon_0=-81 +x_0=100 +datum=WGS84 +units=m +no_defs")
        );
        let feet = [(1024, 1), (3072, 32767), (3075, 1), (3076, 9002)];
        let feet = georef(
            &feet,
            &[(2057, 6_378_137.0), (2059, 298.25), (3080, -120.5), (3082, 1000.0), (3092, 0.9996)],
        );
        assert_eq!(
            definition(&feet).as_deref(),
            Some(
                "+proj=tmerc +lon_0=-120.5 +k_0=0.9996 +x_0=304.8 +a=6378137 +rf=298.25 \
                +to_meter=0.3048 +no_defs"
            )
        );
        let mars = georef(&[(1024, 2), (2048, 32767)], &[(2057, 3_396_190.0)]);
        assert_eq!(definition(&mars).as_deref(), Some("+proj=longlat +a=3396190 +b=3396190 +no_defs"));
        assert_eq!(definition(&georef(&[(1024, 1), (3072, 32611)], &[])).as_deref(), Some("EPSG:32611"));
        assert_eq!(definition(&georef(&own, &[])), None);
        assert_eq!(definition(&GeoReference::default()), None);
    }
}
