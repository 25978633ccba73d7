//! Reference systems in texts beside a raster: WKT, as in `.prj` and `.aux.xml` files, or an EPSG code.

use terrane_grid::GeoReference;

use crate::{
    esri::esri_code,
    keys::{Keys, OWN},
    meridians,
    units::{angle_code, degrees_in, length_code},
    wkt::Part,
};

/// Why a text is no reference system.
const NO_WKT: &str = "it is not the WKT of a reference system";

/// Why a text is not used, although it is one.
const ROTATED: &str = "its longitudes and latitudes are those about another pole, which these files cannot \
    name, so the raster has no place; `gdalwarp -t_srs EPSG:4326` makes one that has";

/// The longest WKT that GDAL reads from a key, in bytes.
const LONGEST: usize = 2000;

/// What GDAL writes before the WKT of a projection that keys cannot describe.
pub(crate) const WKT_MARK: &str = "ESRI PE String = ";

/// Replaces the reference system of a raster by that of a text. The error is why the text names none. A
/// raster about another pole loses its position too: its numbers would be taken for metres.
pub(crate) fn apply(text: &str, georef: &mut GeoReference) -> Result<(), &'static str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut keys = Keys::default();
    keys.short(1025, 1 + u16::from(georef.is_point()));
    match text.to_ascii_uppercase().strip_prefix("EPSG:").map(|code| code.trim().parse::<u16>()) {
        Some(Ok(code)) => of_code(&mut keys, code, is_geographic_code(code)),
        Some(Err(_)) => return Err(NO_WKT),
        None => {
            let all = Part::all(text);
            let part = all.first().and_then(Part::horizontal).ok_or(NO_WKT)?;
            if part.is_rotated() {
                *georef = GeoReference { nodata: georef.nodata.take(), ..GeoReference::default() };
                return Err(ROTATED);
            }
            match part.code().or_else(|| esri_code(part.name())) {
                Some(code) => of_code(&mut keys, code, part.is_geographic()),
                None if part.is_geographic() => of_geographic(&mut keys, part),
                None => of_projected(&mut keys, part)?,
            }
            if part.is_geographic() {
                of_unit(&mut keys, part);
            }
            if let Some(heights) = all.iter().find_map(Part::vertical) {
                of_heights(&mut keys, heights);
            }
        }
    }
    keys.replace(georef);
    Ok(())
}

/// The keys of a reference system with an EPSG code.
fn of_code(keys: &mut Keys, code: u16, is_geographic: bool) {
    let (model, key) = if is_geographic { (2, 2048) } else { (1, 3072) };
    keys.short(1024, model);
    keys.short(key, code);
}

/// The name of a reference system. No usual name is longer.
fn name(part: &Part<'_>) -> String {
    part.name().chars().take(200).collect()
}

/// The keys of a geographic reference system without an EPSG code: its name, its ellipsoid and its meridian.
fn of_geographic(keys: &mut Keys, part: &Part<'_>) {
    keys.short(1024, 2);
    keys.text(2049, &name(part));
    of_base(keys, part);
}

/// The unit of a geographic reference system.
fn of_unit(keys: &mut Keys, part: &Part<'_>) {
    let Some(radians) = part.radians() else { return };
    keys.short(2054, angle_code(radians).unwrap_or(OWN));
    if angle_code(radians).is_none() {
        keys.real(2055, radians);
    }
}

/// The ellipsoid and the meridian of a geographic reference system.
fn of_base(keys: &mut Keys, base: &Part<'_>) {
    match base.code().or_else(|| esri_code(base.name())) {
        Some(code) => return keys.short(2048, code),
        None => [2048, 2050].into_iter().for_each(|id| keys.short(id, OWN)),
    }
    let datum = base.find(&["DATUM", "TRF", "ENSEMBLE"]).unwrap_or(base);
    let shape = datum.find(&["SPHEROID", "ELLIPSOID"]);
    if let Some(radius) = shape.and_then(|shape| shape.number(1)).filter(|radius| *radius > 0.0) {
        keys.short(2056, OWN);
        keys.real(2057, radius);
        // Texts write 0 for a sphere.
        match shape.and_then(|shape| shape.number(2)).filter(|inverse| *inverse > 1.0) {
            Some(inverse) => keys.real(2059, inverse),
            None => keys.real(2058, radius),
        }
    }
    if let Some((meridian, degrees)) = base.find(&["PRIMEM"]).and_then(|part| Some((part, degrees(part)?))) {
        match meridian.code().or_else(|| meridians::code_of(degrees)) {
            Some(code) => keys.short(2051, code),
            None => {
                let unit = base.radians().map_or(1.0, degrees_in);
                keys.short(2051, OWN);
                keys.real(2061, degrees / unit);
            }
        }
    }
}

/// Degrees east of Greenwich. WKT of the first kind has them in degrees whatever the unit of longitudes is.
pub(crate) fn degrees(meridian: &Part<'_>) -> Option<f64> {
    Some(meridian.number(1)? * meridian.radians().map_or(1.0, degrees_in))
}

/// The keys of a projected reference system without an EPSG code: its name, its unit, and the text itself,
/// as GDAL writes it for projections that have no keys of their own.
fn of_projected(keys: &mut Keys, part: &Part<'_>) -> Result<(), &'static str> {
    let is_kept = part.text.len() <= LONGEST && part.text.is_ascii() && !part.text.contains('|');
    let is_kept = is_kept && part.find(&["PROJECTION", "CONVERSION"]).is_some();
    keys.short(1024, if is_kept { OWN } else { 1 });
    keys.text(1026, &name(part));
    if is_kept {
        keys.text(3073, &format!("{WKT_MARK}{}", part.text));
    }
    if let Some(base) = part.base() {
        of_base(keys, base);
    }
    keys.short(3072, OWN);
    if let Some(metres) = part.metres()? {
        keys.short(3076, OWN);
        keys.real(3077, metres);
    }
    Ok(())
}

/// The keys of a reference system of heights: its code, and its unit if it is a usual one.
fn of_heights(keys: &mut Keys, part: &Part<'_>) {
    keys.short(4096, part.code().unwrap_or(OWN));
    if let Some(unit) = part.metres().ok().flatten().and_then(length_code) {
        keys.short(4099, unit);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::{any_real_key, real_key, short_key, text_key};
    use crate::units::{heights, of_angle, of_map};

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
            assert_eq!((found.epsg(), short_key(&found, 1024)), (Some(32611), Some(1)), "{text}");
        }
        let degrees = georef(r#"GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]]"#).unwrap();
        assert_eq!((degrees.epsg(), short_key(&degrees, 1024)), (Some(4326), Some(2)));
        // Beyond the usual range of geographic systems, and projected ones within it.
        for (code, model) in [(7844, 2), (4647, 1), (4547, 1), (4326, 2)] {
            assert_eq!(short_key(&georef(&format!("EPSG:{code}")).unwrap(), 1024), Some(model), "{code}");
        }
    }

    #[test]
    fn a_system_without_a_code_has_its_unit() {
        let feet =
            r#"PROJCS["state",GEOGCS["g",UNIT["degree",0.01745]],UNIT["US survey foot",0.304800609601]]"#;
        let found = georef(feet).unwrap();
        assert_eq!((found.epsg(), of_map(&found)), (None, 0.304_800_609_601));
        assert_eq!((found.ascii_params.as_str(), short_key(&found, 1024)), ("state|", Some(1)));
        let degrees = georef(r#"GEOGCS["g",UNIT["degree",0.01745]]"#).unwrap();
        assert_eq!((degrees.epsg(), short_key(&degrees, 1024)), (None, Some(2)));
    }

    #[test]
    fn a_projection_without_a_code_is_kept_as_it_is_written() {
        let text = r#"PROJCS["own",GEOGCS["GCS_WGS_1984"],PROJECTION["Mollweide"],UNIT["Meter",1.0]]"#;
        let found = georef(text).unwrap();
        assert_eq!((text_key(&found, 1026), short_key(&found, 1024)), (Some("own"), Some(OWN)));
        assert_eq!(text_key(&found, 3073), Some(format!("{WKT_MARK}{text}").as_str()));
        assert_eq!((found.epsg(), short_key(&found, 2048)), (None, Some(4326)));
        // Texts that a key cannot hold are not cut.
        let long = text.replace("own", &"o".repeat(LONGEST));
        assert_eq!(text_key(&georef(&long).unwrap(), 3073), None);
    }

    #[test]
    fn a_geographic_system_keeps_its_ellipsoid_meridian_and_unit() {
        let mars =
            georef(r#"GEOGCS["Mars",DATUM["m",SPHEROID["m",3396190,0]],UNIT["degree",0.01745]]"#).unwrap();
        assert_eq!((real_key(&mars, 2057), real_key(&mars, 2058)), (Some(3_396_190.0), Some(3_396_190.0)));
        let base = r#"DATUM["d",SPHEROID["b",6377397.155,299.1528128]]"#;
        let paris =
            georef(&format!(r#"GEOGCS["g",{base},PRIMEM["Paris",2.33722917],UNIT["degree",0.01745]]"#));
        let paris = paris.unwrap();
        assert_eq!((short_key(&paris, 2051), real_key(&paris, 2059)), (Some(8903), Some(299.152_812_8)));
        // The second kind of WKT has the meridian in a unit of its own.
        let grads = format!(
            r#"GEOGCRS["g",{base},PRIMEM["Paris",2.5969213,ANGLEUNIT["grad",0.0157079632679489]],
            CS[ellipsoidal,2],ANGLEUNIT["grad",0.0157079632679489]]"#
        );
        let grads = georef(&grads).unwrap();
        assert_eq!((short_key(&grads, 2051), of_angle(&grads)), (Some(8903), 0.9));
        let own = georef(&format!(r#"GEOGCS["g",{base},PRIMEM["p",1.8],UNIT["grad",0.01570796326794897]]"#));
        assert!((any_real_key(&own.unwrap(), 2061).unwrap() - 2.0).abs() < 1e-12);
        let coded = r#"GEOGCS["NTF (Paris)",UNIT["grad",0.01570796326794897],AUTHORITY["EPSG","4807"]]"#;
        assert_eq!(of_angle(&georef(coded).unwrap()), 0.9);
        assert_eq!(of_angle(&georef("EPSG:4807").unwrap()), 0.9);
    }

    #[test]
    fn the_unit_of_heights_is_that_of_the_vertical_system() {
        let foot = r#"VERTCS["NAVD88_height_(ftUS)",UNIT["Foot_US",0.304800609601219]]"#;
        let flat = r#"PROJCS["WGS_1984_UTM_Zone_11N"]"#;
        for text in [format!("{flat},{foot}"), format!(r#"COMPD_CS["c",{flat},{foot}]"#)] {
            let found = georef(&text).unwrap();
            assert_eq!((found.epsg(), short_key(&found, 4099)), (Some(32611), Some(9003)));
            assert!(heights(None, Some(&found)).unwrap().contains("US survey feet"));
        }
        let coded = format!(r#"COMPD_CS["c",{flat},VERT_CS["v",AUTHORITY["EPSG","8228"]]]"#);
        assert!(heights(None, Some(&georef(&coded).unwrap())).unwrap().contains("0.3048"));
    }

    #[test]
    fn a_raster_about_another_pole_has_no_place() {
        let mut georef = GeoReference {
            pixel_scale: vec![0.1, 0.1, 0.0],
            nodata: Some("7".to_owned()),
            ..GeoReference::default()
        };
        let text = "GEOGCRS[\"a\",BASEGEOGCRS[\"b\"],DERIVINGCONVERSION[\"c\"]]";
        assert!(apply(text, &mut georef).unwrap_err().contains("another pole"));
        assert!(!georef.is_placed() && georef.nodata.is_some());
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
