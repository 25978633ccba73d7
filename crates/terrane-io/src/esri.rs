//! Names of reference systems that stand for an EPSG code.

/// The EPSG code of a name in the files of ESRI's programs, which have no codes.
pub(crate) fn esri_code(name: &str) -> Option<u16> {
    // Other programs write the name of EPSG, `WGS 84 / Pseudo-Mercator`.
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = &words.collect::<Vec<_>>().join("_");
    match name.as_str() {
        "NAD_1983_UTM_Zone_59N" => return Some(3372),
        "NAD_1983_UTM_Zone_60N" => return Some(3373),
        "GCS_WGS_1984" => return Some(4326),
        "GCS_North_American_1983" => return Some(4269),
        "WGS_1984_Web_Mercator_Auxiliary_Sphere"
        | "WGS_1984_Web_Mercator"
        | "WGS_84_Pseudo_Mercator"
        | "Popular_Visualisation_CRS_Mercator"
        | "Google_Maps_Global_Mercator" => return Some(3857),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_codes() {
        for (name, code) in [
            ("WGS_1984_UTM_Zone_61N", None),
            ("WGS_1984_UTM_Zone_11", None),
            ("WGS_1984_UTM_Zone_19S", Some(32719)),
            ("NAD_1983_UTM_Zone_23N", Some(26923)),
            ("NAD_1983_UTM_Zone_24N", None),
            ("NAD_1983_UTM_Zone_60N", Some(3373)),
            ("ETRS_1989_UTM_Zone_32N", Some(25832)),
            ("ETRS_1989_UTM_Zone_12N", None),
            ("WGS_1984_Web_Mercator", Some(3857)),
            ("WGS_84_Pseudo_Mercator", Some(3857)),
            ("WGS 84 / Pseudo-Mercator", Some(3857)),
            ("Popular_Visualisation_CRS_Mercator", Some(3857)),
            ("Google Maps Global Mercator", Some(3857)),
        ] {
            assert_eq!(esri_code(name), code, "{name}");
        }
    }
}
