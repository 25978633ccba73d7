//! Reference systems in texts beside a raster: WKT, as in `.prj` and `.aux.xml` files, or an EPSG code.

use std::str::Chars;

use terrane_grid::GeoReference;

/// The deepest nesting of WKT that is read. Usual texts have six levels.
const DEEPEST: usize = 32;

/// A part of WKT: a keyword with its values.
#[derive(Debug, Default)]
struct Part {
    keyword: String,
    values: Vec<String>,
    parts: Vec<Part>,
}

/// Why a text is no reference system.
const NO_WKT: &str = "it is not the WKT of a reference system";

/// Replaces the reference system of a raster by that of a text. The error is why the text names none.
pub(crate) fn apply(text: &str, georef: &mut GeoReference) -> Result<(), &'static str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let is_point = georef.is_point();
    let keys = match text.to_ascii_uppercase().strip_prefix("EPSG:").map(|code| code.trim().parse::<u16>()) {
        Some(Ok(code)) => of_code(code, is_geographic_code(code), is_point),
        Some(Err(_)) => return Err(NO_WKT),
        None => {
            let part = Part::of(text).ok_or(NO_WKT)?;
            let part = part.horizontal().ok_or(NO_WKT)?;
            let is_geographic = part.keyword.starts_with("GEO");
            match part.code().or_else(|| esri_code(part.name())) {
                Some(code) => of_code(code, is_geographic, is_point),
                None => of_unit(part, is_geographic, is_point)?,
            }
        }
    };
    (georef.key_directory, georef.double_params, georef.ascii_params) = keys;
    Ok(())
}

type Keys = (Vec<u16>, Vec<f64>, String);

/// The keys of a reference system with an EPSG code.
fn of_code(code: u16, is_geographic: bool, is_point: bool) -> Keys {
    let (model, key) = if is_geographic { (2, 2048) } else { (1, 3072) };
    (
        vec![1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 1 + u16::from(is_point), key, 0, 1, code],
        Vec::new(),
        String::new(),
    )
}

/// The keys of a reference system without an EPSG code: its name, and the unit of its coordinates.
fn of_unit(part: &Part, is_geographic: bool, is_point: bool) -> Result<Keys, &'static str> {
    // A tag holds at most 65,535 bytes, and no usual name is longer than this.
    let name: String = part.name().replace('|', " ").chars().take(200).collect();
    let text = format!("{name}|");
    let (model, key) = if is_geographic { (2, 2048) } else { (1, 3072) };
    let mut keys = vec![1024, 0, 1, model, 1025, 0, 1, 1 + u16::from(is_point)];
    keys.extend([1026, 34737, text.len() as u16, 0, key, 0, 1, 32767]);
    let metres = if is_geographic { None } else { part.unit()? };
    if metres.is_some() {
        keys.extend([3076, 0, 1, 32767, 3077, 34736, 1, 0]);
    }
    let count = (keys.len() / 4) as u16;
    Ok(([&[1, 1, 0, count], &keys[..]].concat(), metres.into_iter().collect(), text))
}

/// Whether an EPSG code is that of a geographic reference system. The codes of most unknown ones lie in this
/// range.
fn is_geographic_code(code: u16) -> bool {
    #[cfg(feature = "projections")]
    if let Some(known) = crs_definitions::from_code(code) {
        return known.proj4.contains("+proj=longlat");
    }
    matches!(code, 4001..=4999)
}

/// The EPSG code of a name in the files of ESRI's programs, which have no codes.
fn esri_code(name: &str) -> Option<u16> {
    match name {
        "NAD_1983_UTM_Zone_59N" => return Some(3372),
        "NAD_1983_UTM_Zone_60N" => return Some(3373),
        "GCS_WGS_1984" => return Some(4326),
        "GCS_North_American_1983" => return Some(4269),
        "WGS_1984_Web_Mercator_Auxiliary_Sphere" => return Some(3857),
        _ => {}
    }
    let families = [
        ("WGS_1984_UTM_Zone_", 'N', 32600, 1..=60),
        ("WGS_1984_UTM_Zone_", 'S', 32700, 1..=60),
        ("NAD_1983_UTM_Zone_", 'N', 26900, 1..=23),
        ("ETRS_1989_UTM_Zone_", 'N', 25800, 28..=38),
    ];
    families.into_iter().find_map(|(prefix, hemisphere, first, zones)| {
        let zone = name.strip_prefix(prefix)?.strip_suffix(hemisphere)?.parse::<u16>().ok()?;
        zones.contains(&zone).then_some(first + zone)
    })
}

impl Part {
    fn of(text: &str) -> Option<Self> {
        Self::parse(&mut text.chars(), 0)
    }

    /// A keyword, and what follows in brackets.
    fn parse(text: &mut Chars<'_>, depth: usize) -> Option<Self> {
        let rest = text.as_str();
        let end = rest.find(['[', '('])?;
        let keyword = rest[..end].trim().to_ascii_uppercase();
        if depth == DEEPEST
            || keyword.is_empty()
            || !keyword.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return None;
        }
        *text = rest[end + 1..].chars();
        let mut part = Self { keyword, ..Self::default() };
        loop {
            *text = text.as_str().trim_start_matches([' ', '\t', '\r', '\n', ',']).chars();
            let rest = text.as_str();
            match rest.chars().next()? {
                ']' | ')' => {
                    text.next();
                    return Some(part);
                }
                '"' => {
                    let end = rest[1..].find('"')? + 1;
                    part.values.push(rest[1..end].to_owned());
                    *text = rest[end + 1..].chars();
                }
                _ => match rest.find(['[', '(', ',', ']', ')'])? {
                    end if rest[end..].starts_with(['[', '(']) => {
                        part.parts.push(Self::parse(text, depth + 1)?);
                    }
                    end => {
                        part.values.push(rest[..end].trim().to_owned());
                        *text = rest[end..].chars();
                    }
                },
            }
        }
    }

    /// The projected or geographic reference system of this one, which may have heights too.
    fn horizontal(&self) -> Option<&Self> {
        match self.keyword.as_str() {
            "PROJCS" | "PROJCRS" | "GEOGCS" | "GEOGCRS" | "GEODCRS" => Some(self),
            "COMPD_CS" | "COMPOUNDCRS" | "BOUNDCRS" | "SOURCECRS" => {
                self.parts.iter().find_map(Self::horizontal)
            }
            _ => None,
        }
    }

    fn name(&self) -> &str {
        self.values.first().map_or("", String::as_str)
    }

    fn code(&self) -> Option<u16> {
        let own = self.parts.iter().find(|part| matches!(part.keyword.as_str(), "AUTHORITY" | "ID"))?;
        let is_epsg = own.name().eq_ignore_ascii_case("EPSG");
        own.values.get(1).filter(|_| is_epsg)?.parse().ok()
    }

    /// Metres in the unit of a projected reference system, if it has a unit.
    fn unit(&self) -> Result<Option<f64>, &'static str> {
        let unit = |part: &&Self| matches!(part.keyword.as_str(), "UNIT" | "LENGTHUNIT");
        let own = self
            .parts
            .iter()
            .rfind(unit)
            .or_else(|| self.parts.iter().find_map(|part| part.parts.iter().find(unit)));
        let Some(own) = own else { return Ok(None) };
        let metres = own.values.get(1).and_then(|text| text.parse().ok());
        let metres = metres.filter(|metres: &f64| metres.is_finite() && *metres > 0.0);
        metres.map(Some).ok_or("its unit has no length in metres")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::of_map;

    fn georef(text: &str) -> Option<GeoReference> {
        let mut georef = GeoReference::default();
        apply(text, &mut georef).ok().map(|()| georef)
    }

    #[test]
    fn codes_are_found_in_all_dialects() {
        let utm = r#"PROJCS["WGS 84 / UTM zone 11N",GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]],
            PROJECTION["Transverse_Mercator"],UNIT["metre",1,AUTHORITY["EPSG","9001"]],
            AUTHORITY["EPSG","32611"]]"#;
        let esri =
            r#"PROJCS["WGS_1984_UTM_Zone_11N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"]],UNIT["Meter",1.0]]"#;
        let second = r#"COMPOUNDCRS["a + b",PROJCRS["a",BASEGEOGCRS["g",ID["EPSG",4326]],CONVERSION["c"],
            CS[Cartesian,2],LENGTHUNIT["metre",1],ID["EPSG",32611]],VERTCRS["b"]]"#;
        for text in ["EPSG:32611", utm, esri, second] {
            let found = georef(text).unwrap();
            assert_eq!((found.epsg(), found.key_directory[7]), (Some(32611), 1), "{text}");
        }
        let degrees = georef(r#"GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]]"#).unwrap();
        assert_eq!((degrees.epsg(), degrees.key_directory[7]), (Some(4326), 2));
        assert_eq!(georef("EPSG:4326").unwrap().key_directory[7], 2);
        let of_name = |name: &str| georef(&format!("PROJCS[\"{name}\"]")).unwrap().epsg();
        for (name, code) in [
            ("WGS_1984_UTM_Zone_61N", None),
            ("WGS_1984_UTM_Zone_11", None),
            ("WGS_1984_UTM_Zone_19S", Some(32719)),
            ("NAD_1983_UTM_Zone_23N", Some(26923)),
            ("NAD_1983_UTM_Zone_24N", None),
            ("NAD_1983_UTM_Zone_60N", Some(3373)),
            ("ETRS_1989_UTM_Zone_32N", Some(25832)),
            ("ETRS_1989_UTM_Zone_12N", None),
        ] {
            assert_eq!(of_name(name), code, "{name}");
        }
        // Beyond the usual range of geographic systems, and projected ones within it.
        for (code, model) in [(7844, 2), (4647, 1), (4547, 1), (4326, 2)] {
            assert_eq!(georef(&format!("EPSG:{code}")).unwrap().key_directory[7], model, "{code}");
        }
    }

    #[test]
    fn a_system_without_a_code_has_its_unit() {
        let feet =
            r#"PROJCS["state",GEOGCS["g",UNIT["degree",0.01745]],UNIT["US survey foot",0.304800609601]]"#;
        let found = georef(feet).unwrap();
        assert_eq!((found.epsg(), of_map(&found)), (None, 0.304_800_609_601));
        assert_eq!(found.ascii_params, "state|");
        let degrees = georef(r#"GEOGCS["g",UNIT["degree",0.01745]]"#).unwrap();
        assert_eq!((degrees.epsg(), degrees.key_directory[7]), (None, 2));
    }

    #[test]
    fn other_texts_are_none() {
        let deep = "A[".repeat(100_000);
        for text in ["", "EPSG:", "EPSG:x", "PROJCS[", "PROJCS[\"a", "LOCAL_CS[\"a\"]", "+proj=utm", &deep] {
            assert!(georef(text).is_none(), "{text:.20}");
        }
        for unit in ["0", "nan", "-1", "inf", "\"a\""] {
            assert!(georef(&format!("PROJCS[\"a\",UNIT[\"u\",{unit}]]")).is_none(), "{unit}");
        }
    }
}
