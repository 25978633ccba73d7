//! Units of length in files, in metres.

use terrane_grid::GeoReference;

/// Keys of `GeoKeyDirectoryTag`: the unit of a projected reference system, its length if it is none of the
/// usual ones, and the unit of heights.
const LINEAR: u16 = 3076;
const LINEAR_SIZE: u16 = 3077;
const VERTICAL: u16 = 4099;

/// The unit of a geographic reference system.
const ANGULAR: u16 = 2054;

/// Units of length by their EPSG codes.
const CODES: [(u16, f64); 22] = [
    (9001, 1.0),
    (9002, FOOT),
    (9003, SURVEY_FOOT),
    (9005, 0.304_797_265_4),
    (9014, 1.8288),
    (9030, 1852.0),
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

/// The value of a key that is stored in the key directory itself.
pub(crate) fn short_key(georef: &GeoReference, id: u16) -> Option<u16> {
    georef.key_directory.chunks_exact(4).skip(1).find(|k| k[0] == id && k[1] == 0).map(|k| k[3])
}

/// The value of a key that is a real number.
pub(crate) fn real_key(georef: &GeoReference, id: u16) -> Option<f64> {
    let mut keys = georef.key_directory.chunks_exact(4).skip(1);
    let key = keys.find(|k| k[0] == id && k[1] == 34736)?;
    georef.double_params.get(usize::from(key[3])).copied().filter(|r| r.is_finite() && *r > 0.0)
}

/// Metres in a unit of a projected reference system.
pub(crate) fn of_map(georef: &GeoReference) -> f64 {
    match short_key(georef, LINEAR) {
        Some(32767) => real_key(georef, LINEAR_SIZE).unwrap_or(1.0),
        Some(code) => CODES.iter().find(|(known, _)| *known == code).map_or(1.0, |(_, metres)| *metres),
        None => of_code(georef).unwrap_or(1.0),
    }
}

/// Degrees in a unit of a geographic reference system.
pub(crate) fn of_angle(georef: &GeoReference) -> f64 {
    let code = short_key(georef, ANGULAR);
    code.and_then(|code| ANGLES.iter().find(|(known, _)| *known == code)).map_or(1.0, |(_, degrees)| *degrees)
}

/// Metres in the unit of a projected reference system that only its EPSG code names.
#[cfg(feature = "projections")]
fn of_code(georef: &GeoReference) -> Option<f64> {
    let text = crs_definitions::from_code(short_key(georef, 3072)?)?.proj4;
    let value = |name: &str| text.split_whitespace().find_map(|part| part.strip_prefix(name));
    match (value("+to_meter="), value("+units=")) {
        (Some(metres), _) => metres.parse().ok(),
        (None, Some(unit)) => NAMES.iter().find(|(known, _)| *known == unit).map(|(_, metres)| *metres),
        (None, None) => None,
    }
}

#[cfg(not(feature = "projections"))]
fn of_code(_: &GeoReference) -> Option<f64> {
    None
}

/// A warning of a unit of the reference system that is not known.
pub(crate) fn unknown(georef: &GeoReference) -> Option<String> {
    let lengths = short_key(georef, LINEAR).filter(|code| *code != 32767);
    let lengths = lengths.filter(|code| CODES.iter().all(|(known, _)| known != code));
    if let Some(code) = lengths {
        return Some(format!(
            "the unit of length {code} of the reference system is not known: it is taken for a metre"
        ));
    }
    let angles = short_key(georef, ANGULAR).filter(|code| ANGLES.iter().all(|(known, _)| known != code));
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
    let code = short_key(georef?, VERTICAL)?;
    let (_, metres) = CODES.iter().find(|(known, _)| *known == code)?;
    let name = match code {
        9002 => "feet",
        9003 => "US survey feet",
        9014 => "fathoms",
        9036 => "kilometres",
        _ => "millimetres",
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
    }
}
