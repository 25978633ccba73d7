//! Units of length in files, in metres.

use terrane_grid::GeoReference;

/// Keys of `GeoKeyDirectoryTag`: the unit of a projected reference system, its length if it is none of the
/// usual ones, and the unit of heights.
const LINEAR: u16 = 3076;
const LINEAR_SIZE: u16 = 3077;
const VERTICAL: u16 = 4099;

/// Units by their EPSG codes.
const CODES: [(u16, f64); 6] =
    [(9001, 1.0), (9002, FOOT), (9003, SURVEY_FOOT), (9014, 1.8288), (9036, 1000.0), (1025, 0.001)];

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
        None => 1.0,
    }
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
