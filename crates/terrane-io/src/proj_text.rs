//! Reference systems as texts of PROJ, for those that keys describe without an EPSG code.

use terrane_grid::GeoReference;

use crate::{
    ellipsoid,
    keys::{any_real_key, real_key, reals_key, short_key, text_key},
    meridians::prime_meridian,
    proj_wkt,
    srs::WKT_MARK,
    units::{of_angle, of_code, of_map},
    wkt::Part,
};

/// A parameter of a projection: its name in PROJ, and the keys that hold it.
type Parameter = (&'static str, &'static [u16]);

/// Angles and scales, by the code of the method: its name in PROJ, and its parameters.
const METHODS: [(u16, &str, &[Parameter]); 25] = [
    (1, "tmerc", &[LATITUDE, LONGITUDE, SCALE]),
    (3, "omerc +no_uoff", OBLIQUE),
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
    (18, "cass", &[LATITUDE, LONGITUDE]),
    (19, "gnom", &[LATITUDE, LONGITUDE]),
    (20, "mill", &[LONGITUDE]),
    (21, "ortho", &[LATITUDE, LONGITUDE]),
    (22, "poly", &[LATITUDE, LONGITUDE]),
    (23, "robin", &[LONGITUDE]),
    (24, "sinu", &[LONGITUDE]),
    (25, "vandg", &[LONGITUDE]),
    (26, "nzmg", &[LATITUDE, LONGITUDE]),
    (27, "tmerc +axis=wsu", &[LATITUDE, LONGITUDE, SCALE]),
    (28, "cea", &[("lat_ts", &[3078]), LONGITUDE]),
    (9815, "omerc", OBLIQUE),
];

const LATITUDE: Parameter = ("lat_0", &[3081, 3085, 3089]);
const LONGITUDE: Parameter = ("lon_0", &[3080, 3084, 3088, 3095]);
const SCALE: Parameter = ("k_0", &[3092, 3093]);
const EAST: Parameter = ("x_0", &[3082, 3086, 3090]);
const NORTH: Parameter = ("y_0", &[3083, 3087, 3091]);
const OBLIQUE: &[Parameter] =
    &[LATITUDE, ("lonc", &[3088, 3080]), SCALE, ("alpha", &[3094]), ("gamma", &[3096])];

/// The EPSG code of a reference system; `None` if it has none, or if its coordinates are in another unit than
/// that of the code, so that the code alone would be wrong.
#[must_use]
pub fn epsg_of(georef: &GeoReference) -> Option<u16> {
    georef.epsg().filter(|code| has_unit_of(georef, *code))
}

/// The reference system as GDAL reads it: its EPSG code, its WKT or a text of PROJ. `None` if none of these
/// is known.
pub(crate) fn definition(georef: &GeoReference) -> Option<String> {
    match (epsg_of(georef), wkt(georef)) {
        (Some(code), _) => Some(format!("EPSG:{code}")),
        (None, Some(text)) if georef.epsg().is_none() => Some(text.to_owned()),
        _ => parameters(georef),
    }
}

/// The reference system as a text of PROJ; `None` if it is not known.
pub(crate) fn parameters(georef: &GeoReference) -> Option<String> {
    if let Some(code) = georef.epsg() {
        return of_epsg(georef, code);
    }
    if let Some(text) = wkt(georef) {
        return proj_wkt::text(Part::all(text).first()?.horizontal()?);
    }
    let body = body(georef)?;
    if short_key(georef, 1024) == Some(2) {
        return Some(format!("+proj=longlat {body} +no_defs"));
    }
    let metres = of_map(georef);
    let unit = if metres == 1.0 { "+units=m".to_owned() } else { format!("+to_meter={metres}") };
    Some(format!("{} {body} {unit} +no_defs", projection(georef, metres)?))
}

/// The WKT of a projection that keys cannot describe, as GDAL and ArcGIS keep it.
fn wkt(georef: &GeoReference) -> Option<&str> {
    let text = text_key(georef, 3073)?.trim_start().strip_prefix(WKT_MARK)?;
    Part::all(text).first()?.horizontal().map(|part| part.text)
}

/// Whether the unit of the keys is that of an EPSG code. Programs round units.
fn has_unit_of(georef: &GeoReference, code: u16) -> bool {
    let is_named = short_key(georef, 3076).is_some() && short_key(georef, 1024) != Some(2);
    !is_named || of_code(code).is_none_or(|metres| (of_map(georef) / metres - 1.0).abs() < 1e-8)
}

/// The definition of an EPSG code, in the unit of the keys: GDAL, too, follows them.
#[cfg(feature = "projections")]
fn of_epsg(georef: &GeoReference, code: u16) -> Option<String> {
    let definition = crs_definitions::from_code(code)?.proj4;
    if has_unit_of(georef, code) {
        return Some(definition.to_owned());
    }
    let is_unit = |word: &str| word.starts_with("+units=") || word.starts_with("+to_meter=");
    let words: Vec<&str> = definition.split_whitespace().filter(|word| !is_unit(word)).collect();
    Some(format!("{} +to_meter={}", words.join(" "), of_map(georef)))
}

#[cfg(not(feature = "projections"))]
const fn of_epsg(_: &GeoReference, _: u16) -> Option<String> {
    None
}

/// The method with its parameters.
fn projection(georef: &GeoReference, metres: f64) -> Option<String> {
    let Some(code) = short_key(georef, 3075) else {
        // A zone of UTM on an ellipsoid of its own.
        return match short_key(georef, 3074)? {
            code @ 16001..=16060 => Some(format!("+proj=utm +zone={}", code - 16000)),
            code @ 16101..=16160 => Some(format!("+proj=utm +zone={} +south", code - 16100)),
            _ => None,
        };
    };
    let (_, name, parameters) = METHODS.iter().find(|(known, ..)| *known == code)?;
    let degrees = of_angle(georef);
    let mut text = format!("+proj={name}");
    let mut add = |(name, keys): Parameter, factor: f64| {
        if let Some(number) = keys.iter().find_map(|&key| any_real_key(georef, key)) {
            text.push_str(&format!(" +{name}={}", number * factor));
        }
    };
    parameters.iter().for_each(|&parameter| add(parameter, if parameter == SCALE { 1.0 } else { degrees }));
    add(EAST, metres);
    add(NORTH, metres);
    if code == 15 {
        // The pole is the one on the side of the true parallel.
        let is_south = any_real_key(georef, 3081).is_some_and(|latitude| latitude < 0.0);
        text.push_str(if is_south { " +lat_0=-90" } else { " +lat_0=90" });
    }
    Some(text)
}

/// The datum or the ellipsoid, and the meridian from which longitudes are counted.
fn body(georef: &GeoReference) -> Option<String> {
    let codes = (short_key(georef, 2048), short_key(georef, 2050));
    let axis = real_key(georef, 2057);
    let datum = match codes {
        (Some(4326), _) | (_, Some(6326)) => Some(("WGS84", 6_378_137.0)),
        (Some(4269), _) | (_, Some(6269)) => Some(("NAD83", 6_378_137.0)),
        (Some(4267), _) | (_, Some(6267)) => Some(("NAD27", 6_378_206.4)),
        _ => None,
    };
    let datum = datum.filter(|(_, radius)| axis.is_none_or(|axis| (axis - radius).abs() < 1e-3));
    let body = if let Some((name, _)) = datum {
        format!("+datum={name}")
    } else if let Some(axis) = axis {
        let shape = real_key(georef, 2059).map(|flattening| format!(" +rf={flattening}"));
        let shape = shape.or_else(|| real_key(georef, 2058).map(|axis| format!(" +b={axis}")));
        format!("+a={axis}{}{}", shape.unwrap_or_else(|| format!(" +b={axis}")), shift(georef))
    } else if let Some(body) = codes.0.and_then(body_of_code) {
        return Some(body);
    } else if codes.0 == Some(4258) {
        "+ellps=GRS80".to_owned()
    } else {
        format!("+ellps={}{}", ellipsoid::name_of(georef)?, shift(georef))
    };
    let meridian = prime_meridian(georef);
    Some(if meridian == 0.0 { body } else { format!("{body} +pm={meridian}") })
}

/// Datum, ellipsoid and meridian of a geographic reference system with an EPSG code.
#[cfg(feature = "projections")]
fn body_of_code(code: u16) -> Option<String> {
    let text = crs_definitions::from_code(code)?.proj4;
    let is_other = |word: &str| word.starts_with("+proj=") || word == "+no_defs";
    let words: Vec<&str> = text.split_whitespace().filter(|word| !is_other(word)).collect();
    text.contains("+proj=longlat").then(|| words.join(" "))
}

#[cfg(not(feature = "projections"))]
const fn body_of_code(_: u16) -> Option<String> {
    None
}

/// The shift of the datum to WGS 84.
fn shift(georef: &GeoReference) -> String {
    let numbers = reals_key(georef, 2062).filter(|numbers| matches!(numbers.len(), 3 | 7));
    let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    let text = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
    numbers.map(|numbers| format!(" +towgs84={}", text(numbers))).unwrap_or_default()
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

    #[test]
    fn other_methods_meridians_and_datums_are_named() {
        let own = [(1024, 1), (3072, 32767)];
        let of = |shorts: &[(u16, u16)], reals: &[(u16, f64)]| {
            definition(&georef(&[&own[..], shorts].concat(), reals)).unwrap()
        };
        let cea = of(&[(2050, 6326), (3075, 28)], &[(2057, 6_378_137.0), (3078, 30.0), (3080, 3.0)]);
        assert_eq!(cea, "+proj=cea +lat_ts=30 +lon_0=3 +datum=WGS84 +units=m +no_defs");
        let utm = of(&[(3074, 16111)], &[(2057, 6_378_388.0), (2059, 297.0)]);
        assert_eq!(utm, "+proj=utm +zone=11 +south +a=6378388 +rf=297 +units=m +no_defs");
        let grads = of(&[(2054, 9105), (2051, 8903), (2056, 7004), (3075, 18)], &[(3080, 10.0)]);
        assert_eq!(grads, "+proj=cass +lon_0=9 +ellps=bessel +pm=2.33722917 +units=m +no_defs");
        assert_eq!(definition(&georef(&[&own[..], &[(2048, 4326), (3075, 4)]].concat(), &[])), None);
    }

    #[test]
    fn wkt_in_a_key_is_the_reference_system() {
        let wkt = r#"PROJCS["n",GEOGCS["g",DATUM["d",SPHEROID["s",6378137,0]]],PROJECTION["Mollweide"]]"#;
        let (mut keys, mut georef) = (crate::keys::Keys::default(), GeoReference::default());
        keys.short(1024, 32767);
        keys.short(3075, 7);
        keys.text(3073, &format!("{WKT_MARK}{wkt}"));
        keys.replace(&mut georef);
        assert_eq!(definition(&georef).as_deref(), Some(wkt));
        let text = "+proj=moll +a=6378137 +b=6378137 +to_meter=1 +no_defs";
        assert_eq!(parameters(&georef).as_deref(), Some(text));
    }

    #[cfg(feature = "projections")]
    #[test]
    fn a_code_in_another_unit_is_described_by_parameters() {
        let metres = georef(&[(1024, 1), (3072, 32611), (3076, 9001)], &[]);
        assert_eq!(definition(&metres).as_deref(), Some("EPSG:32611"));
        let feet = definition(&georef(&[(1024, 1), (3072, 32611), (3076, 9002)], &[]));
        assert_eq!(feet.as_deref(), Some("+proj=utm +zone=11 +datum=WGS84 +no_defs +to_meter=0.3048"));
        let base = definition(&georef(&[(1024, 1), (3072, 32767), (2048, 4807), (3075, 18)], &[])).unwrap();
        assert!(base.contains("+pm=paris") && base.contains("+a=6378249.2"), "{base}");
    }
}
