//! Units of length in files, in metres.

use terrane_grid::GeoReference;

use crate::keys::{OWN, real_key, short_key};

/// Keys of `GeoKeyDirectoryTag`: the unit of a projected reference system, its length if it is none of the
/// usual ones, and the unit of heights.
const LINEAR: u16 = 3076;
const LINEAR_SIZE: u16 = 3077;
const VERTICAL: u16 = 4099;

/// The unit of a geographic reference system, and its size in radians if it is none of the usual ones.
const ANGULAR: u16 = 2054;
const ANGULAR_SIZE: u16 = 2055;

/// The reference system of heights.
const HEIGHTS: u16 = 4096;

/// Units of length by their EPSG codes.
const CODES: [(u16, f64); 23] = [
    (9001, 1.0),
    (9002, FOOT),
    (9003, SURVEY_FOOT),
    (9005, 0.304_797_265_4),
    (9014, 1.8288),
    (9030, 1852.0),
    (9031, 1.000_013_596_5),
    (9036, 1000.0),
    (9037, 0.914_391_796_2),
    (9038, 20.116_619_516_4),
    (9039, 0.201_166_195_164),
    (9040, 0.914_398_414_616_028_8),
    (9041, 0.304_799_471_538_676_2),
    (9042, 20.116_765_121_552_632),
    (9084, 0.914_398_530_744_440_8),
    (9093, 1609.344),
    (9094, 0.304_799_710_181_508_8),
    (9095, 0.304_800_749_1),
    (9096, 0.9144),
    (9097, 20.1168),
    (9098, 0.201_168),
    (1025, 0.001),
    (1033, 0.01),
];

/// Units of angles by their EPSG codes, in degrees.
const ANGLES: [(u16, f64); 6] = [
    (9101, 180.0 / std::f64::consts::PI),
    (9102, 1.0),
    (9122, 1.0),
    (9103, 1.0 / 60.0),
    (9104, 1.0 / 3600.0),
    (9105, 0.9),
];

/// Codes of geographic reference systems in grads. All other ones of EPSG are in degrees.
const IN_GRADS: [u16; 8] = [4807, 4810, 4811, 4816, 4819, 4821, 4901, 4902];

/// Codes of reference systems of heights in feet, with the code of their unit. All other ones of EPSG are in
/// metres.
const HEIGHTS_IN_FEET: [(u16, u16); 15] = [
    (5614, 9002),
    (5702, 9003),
    (5754, 9095),
    (6130, 9002),
    (6131, 9002),
    (6132, 9002),
    (6358, 9003),
    (6359, 9003),
    (6360, 9003),
    (8050, 9002),
    (8051, 9002),
    (8052, 9003),
    (8053, 9003),
    (8228, 9002),
    (8897, 9002),
];

const FOOT: f64 = 0.3048;
const SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// Names of units, as programs write them.
const NAMES: [(&str, f64); 26] = [
    ("m", 1.0),
    ("metre", 1.0),
    ("metres", 1.0),
    ("meter", 1.0),
    ("meters", 1.0),
    ("mm", 0.001),
    ("cm", 0.01),
    ("centimetre", 0.01),
    ("centimeter", 0.01),
    ("dm", 0.1),
    ("decimetre", 0.1),
    ("decimeter", 0.1),
    ("km", 1000.0),
    ("kilometre", 1000.0),
    ("kilometer", 1000.0),
    ("ft", FOOT),
    ("foot", FOOT),
    ("feet", FOOT),
    ("international foot", FOOT),
    ("ft (international)", FOOT),
    ("us survey foot", SURVEY_FOOT),
    ("us-ft", SURVEY_FOOT),
    ("ftus", SURVEY_FOOT),
    ("us_survey_foot", SURVEY_FOOT),
    ("foot_us", SURVEY_FOOT),
    ("sfoot", SURVEY_FOOT),
];

/// Metres in a unit of a projected reference system.
pub(crate) fn of_map(georef: &GeoReference) -> f64 {
    match short_key(georef, LINEAR) {
        Some(OWN) => real_key(georef, LINEAR_SIZE).unwrap_or(1.0),
        Some(code) => CODES.iter().find(|(known, _)| *known == code).map_or(1.0, |(_, metres)| *metres),
        None => short_key(georef, 3072).and_then(of_code).unwrap_or(1.0),
    }
}

/// Degrees in a unit of a geographic reference system.
pub(crate) fn of_angle(georef: &GeoReference) -> f64 {
    let known = |code: u16| ANGLES.iter().find(|(known, _)| *known == code).map(|(_, degrees)| *degrees);
    match short_key(georef, ANGULAR) {
        Some(OWN) => real_key(georef, ANGULAR_SIZE).map_or(1.0, f64::to_degrees),
        Some(code) => known(code).unwrap_or(1.0),
        None => match short_key(georef, 2048) {
            Some(code) if IN_GRADS.contains(&code) => 0.9,
            _ => 1.0,
        },
    }
}

/// The EPSG code of a unit of length, if it is a usual one. Texts have at least ten digits.
pub(crate) fn length_code(metres: f64) -> Option<u16> {
    CODES.iter().find(|(_, known)| (known / metres - 1.0).abs() < 1e-9).map(|(code, _)| *code)
}

/// The EPSG code of a unit of angles, if it is a usual one.
pub(crate) fn angle_code(radians: f64) -> Option<u16> {
    let degrees = radians.to_degrees();
    // A degree is 9102, as GDAL writes it; texts have it with four digits at least.
    ANGLES.iter().find(|(_, known)| (known / degrees - 1.0).abs() < 1e-3).map(|(code, _)| *code)
}

/// Degrees in a unit of so many radians. Texts have usual ones with fewer digits.
pub(crate) fn degrees_in(radians: f64) -> f64 {
    let known = angle_code(radians).and_then(|code| ANGLES.iter().find(|(known, _)| *known == code));
    known.map_or(radians.to_degrees(), |(_, degrees)| *degrees)
}

/// Metres in the unit of a projected reference system that only its EPSG code names.
#[cfg(feature = "projections")]
pub(crate) fn of_code(code: u16) -> Option<f64> {
    let text = crs_definitions::from_code(code)?.proj4;
    let value = |name: &str| text.split_whitespace().find_map(|part| part.strip_prefix(name));
    match (value("+to_meter="), value("+units=")) {
        (Some(metres), _) => metres.parse().ok(),
        (None, Some("link")) => Some(0.201_168),
        (None, Some(unit)) => NAMES.iter().find(|(known, _)| *known == unit).map(|(_, metres)| *metres),
        (None, None) => None,
    }
}

#[cfg(not(feature = "projections"))]
pub(crate) const fn of_code(_: u16) -> Option<f64> {
    None
}

/// A warning of a unit of the reference system that is not known.
pub(crate) fn unknown(georef: &GeoReference) -> Option<String> {
    let lengths = short_key(georef, LINEAR).filter(|code| *code != OWN);
    let lengths = lengths.filter(|code| CODES.iter().all(|(known, _)| known != code));
    if let Some(code) = lengths {
        return Some(format!(
            "the unit of length {code} of the reference system is not known: it is taken for a metre"
        ));
    }
    let angles = short_key(georef, ANGULAR)
        .filter(|code| *code != OWN && ANGLES.iter().all(|(known, _)| known != code));
    Some(format!(
        "the unit of angles {} of the reference system is not known: it is taken for a degree",
        angles?
    ))
}

/// A warning if heights are not in metres: their unit's name in the file, or a code in its keys.
pub(crate) fn heights(name: Option<&str>, georef: Option<&GeoReference>) -> Option<String> {
    let told = |name: &str, metres: f64| {
        let text = if metres == 1.0 {
            return None;
        } else {
            format!(
                "the heights are in {name}, and slopes are right only if the graph's spacing is too: \
                multiply them by {metres} for metres"
            )
        };
        Some(text)
    };
    if let Some(name) = name {
        let lower = name.to_lowercase();
        return match NAMES.iter().find(|(known, _)| *known == lower) {
            Some((_, metres)) => told(name, *metres),
            None => Some(format!("the unit of the heights, `{}`, is not known", name.escape_debug())),
        };
    }
    let georef = georef?;
    let of_system = || {
        let system = short_key(georef, HEIGHTS)?;
        HEIGHTS_IN_FEET.iter().find(|(known, _)| *known == system).map(|(_, unit)| *unit)
    };
    let code = short_key(georef, VERTICAL).or_else(of_system)?;
    let (_, metres) = CODES.iter().find(|(known, _)| *known == code)?;
    let name = match code {
        9002 => "feet",
        9003 => "US survey feet",
        9014 => "fathoms",
        9036 => "kilometres",
        9095 => "British feet",
        1025 => "millimetres",
        1033 => "centimetres",
        code => &format!("units of code {code}"),
    };
    told(name, *metres)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn georef(keys: &[u16], reals: &[f64]) -> GeoReference {
        let count = (keys.len() / 4) as u16;
        GeoReference {
            key_directory: [&[1, 1, 0, count], keys].concat(),
            double_params: reals.to_vec(),
            ..GeoReference::default()
        }
    }

    #[test]
    fn units_of_maps_are_metres_unless_a_key_says_otherwise() {
        assert_eq!(of_map(&georef(&[], &[])), 1.0);
        assert_eq!(of_map(&georef(&[LINEAR, 0, 1, 9001], &[])), 1.0);
        assert!((of_map(&georef(&[LINEAR, 0, 1, 9003], &[])) - 0.304_800_609_601).abs() < 1e-12);
        let own = [LINEAR, 0, 1, 32767, LINEAR_SIZE, 34736, 1, 0];
        assert_eq!(of_map(&georef(&own, &[0.5])), 0.5);
        assert!(unknown(&georef(&[LINEAR, 0, 1, 9999], &[])).unwrap().contains("9999"));
        assert_eq!(unknown(&georef(&[LINEAR, 0, 1, 9095, ANGULAR, 0, 1, 9102], &[])), None);
        assert_eq!(of_angle(&georef(&[ANGULAR, 0, 1, 9105], &[])), 0.9);
        assert_eq!(of_angle(&georef(&[2048, 0, 1, 4807], &[])), 0.9);
        assert_eq!(of_angle(&georef(&[2048, 0, 1, 4807, ANGULAR, 0, 1, 9102], &[])), 1.0);
        let own = georef(&[ANGULAR, 0, 1, OWN, ANGULAR_SIZE, 34736, 1, 0], &[0.25]);
        assert!((of_angle(&own) - 0.25f64.to_degrees()).abs() < 1e-12 && unknown(&own).is_none());
        assert_eq!(of_map(&georef(&[LINEAR, 0, 1, 9031], &[])), 1.000_013_596_5);
        assert_eq!((length_code(0.304_800_609_601), length_code(0.3048)), (Some(9003), Some(9002)));
        assert_eq!((angle_code(0.01745), angle_code(0.015_707_963_267_948_97)), (Some(9102), Some(9105)));
        if cfg!(feature = "projections") {
            assert!((of_map(&georef(&[3072, 0, 1, 2263], &[])) - SURVEY_FOOT).abs() < 1e-15);
        }
    }

    #[test]
    fn heights_that_are_not_in_metres_are_named() {
        assert_eq!(heights(Some("Metre"), None), None);
        assert_eq!(heights(None, Some(&georef(&[VERTICAL, 0, 1, 9001], &[]))), None);
        assert!(heights(Some("ft"), None).unwrap().contains("0.3048"));
        assert!(heights(Some("furlong"), None).unwrap().contains("`furlong`, is not known"));
        assert!(heights(None, Some(&georef(&[VERTICAL, 0, 1, 9003], &[]))).unwrap().contains("survey"));
        let by_system = |code: u16| heights(None, Some(&georef(&[HEIGHTS, 0, 1, code], &[])));
        assert!(by_system(6360).unwrap().contains("US survey feet"));
        assert!(by_system(8228).unwrap().contains("in feet"));
        assert_eq!(by_system(5703), None);
    }
}
