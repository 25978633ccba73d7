//! WKT of projected reference systems as texts of PROJ.

use crate::{srs::degrees, units::degrees_in, wkt::Part};

/// Methods, by their names in WKT without spaces and signs: their names in PROJ, which of a cone's or
/// cylinder's parallels the first standard parallel is, and what is always added.
const METHODS: [(&[&str], &str, &str, &str); 24] = [
    (&["transversemercator", "gausskruger"], "tmerc", "", ""),
    (
        &["mercator", "mercator1sp", "mercator2sp", "mercatorvarianta", "mercatorvariantb"],
        "merc",
        "lat_ts",
        "",
    ),
    (
        &[
            "lambertconformalconic",
            "lambertconformalconic1sp",
            "lambertconformalconic2sp",
            "lambertconicconformal1sp",
            "lambertconicconformal2sp",
        ],
        "lcc",
        "lat_1",
        "",
    ),
    (&["lambertazimuthalequalarea", "lambertazimuthalequalareaspherical"], "laea", "", ""),
    (&["albers", "albersconicequalarea", "albersequalarea"], "aea", "lat_1", ""),
    (&["azimuthalequidistant", "modifiedazimuthalequidistant"], "aeqd", "", ""),
    (&["equidistantconic"], "eqdc", "lat_1", ""),
    (&["stereographic"], "stere", "", ""),
    (
        &[
            "polarstereographic",
            "polarstereographicvarianta",
            "polarstereographicvariantb",
            "stereographicnorthpole",
            "stereographicsouthpole",
        ],
        "stere",
        "lat_ts",
        "",
    ),
    (&["obliquestereographic", "doublestereographic"], "sterea", "", ""),
    (
        &["equirectangular", "equidistantcylindrical", "equidistantcylindricalspherical", "platecarree"],
        "eqc",
        "lat_ts",
        "",
    ),
    (&["cassini", "cassinisoldner"], "cass", "", ""),
    (&["gnomonic"], "gnom", "", ""),
    (&["millercylindrical"], "mill", "", ""),
    (&["orthographic"], "ortho", "", ""),
    (&["polyconic", "americanpolyconic"], "poly", "", ""),
    (&["robinson"], "robin", "", ""),
    (&["sinusoidal"], "sinu", "", ""),
    (&["mollweide"], "moll", "", ""),
    (&["equalearth"], "eqearth", "", ""),
    (
        &[
            "cylindricalequalarea",
            "lambertcylindricalequalarea",
            "lambertcylindricalequalareaspherical",
            // At 30 degrees.
            "behrmann",
        ],
        "cea",
        "lat_ts",
        "",
    ),
    (
        &[
            "hotineobliquemercator",
            "hotineobliquemercatorvarianta",
            "hotineobliquemercatorazimuthnaturalorigin",
            "rectifiedskeworthomorphicnaturalorigin",
        ],
        "omerc",
        "",
        " +no_uoff",
    ),
    (
        &[
            "hotineobliquemercatorazimuthcenter",
            "hotineobliquemercatorvariantb",
            "rectifiedskeworthomorphiccenter",
        ],
        "omerc",
        "",
        "",
    ),
    (&["geostationarysatellite", "geostationarysatellitesweepy"], "geos", "", " +sweep=y"),
];

/// Parameters, by their names in WKT without spaces and signs: their names in PROJ.
const PARAMETERS: [(&[&str], &str); 11] = [
    (
        &[
            "latitudeoforigin",
            "latitudeofcenter",
            "latitudeofnaturalorigin",
            "latitudeoffalseorigin",
            "latitudeofprojectioncentre",
        ],
        "lat_0",
    ),
    (
        &[
            "centralmeridian",
            "longitudeofcenter",
            "longitudeoforigin",
            "longitudeofnaturalorigin",
            "longitudeoffalseorigin",
            "longitudeofprojectioncentre",
            "straightverticallongitudefrompole",
        ],
        "lon_0",
    ),
    (&["standardparallel1", "latitudeof1ststandardparallel"], "lat_1"),
    (&["standardparallel2", "latitudeof2ndstandardparallel"], "lat_2"),
    (&["latitudeofstandardparallel", "pseudostandardparallel1"], "lat_ts"),
    (
        &[
            "scalefactor",
            "scalefactoratnaturalorigin",
            "scalefactoratprojectioncentre",
            "scalefactoroninitialline",
        ],
        "k_0",
    ),
    (&["azimuth", "azimuthofinitialline", "azimuthatprojectioncentre"], "alpha"),
    (&["rectifiedgridangle", "anglefromrectifiedtoskewgrid"], "gamma"),
    (&["satelliteheight", "height"], "h"),
    (&["falseeasting", "eastingatfalseorigin", "eastingatprojectioncentre"], "x_0"),
    (&["falsenorthing", "northingatfalseorigin", "northingatprojectioncentre"], "y_0"),
];

/// Projections of a sphere whose latitudes are those of the ellipsoid.
const WEB: [&str; 2] = ["mercatorauxiliarysphere", "popularvisualisationpseudomercator"];

/// A projected reference system as PROJ reads it; `None` for a method or a parameter that is not known.
pub(crate) fn text(part: &Part<'_>) -> Option<String> {
    let method = part.find(&["PROJECTION"]);
    let conversion = part.find(&["CONVERSION"]).unwrap_or(part);
    let method = plain(method.or_else(|| conversion.find(&["METHOD", "PROJECTION"]))?.name());
    let base = part.base()?;
    let datum = base.find(&["DATUM", "TRF", "ENSEMBLE"])?;
    let shape = datum.find(&["SPHEROID", "ELLIPSOID"])?;
    let (radius, inverse) = (shape.number(1).filter(|radius| *radius > 0.0)?, shape.number(2)?);
    let metres = part.metres().ok()?.unwrap_or(1.0);
    let units = format!("+to_meter={metres}");
    let known = METHODS.iter().find(|(names, ..)| names.contains(&method.as_str()));
    let is_web = WEB.contains(&method.as_str());
    let (name, parallel, more) = match known {
        Some((_, name, parallel, more)) => (*name, *parallel, *more),
        None if is_web => ("merc", "lat_ts", " +wktext"),
        None => return None,
    };
    let mut all = parameters(conversion, base, metres)?;
    place_parallels(&mut all, name, parallel);
    let mut text = format!("+proj={name}");
    for (name, value) in all {
        text.push_str(&format!(" +{name}={value}"));
    }
    let body = match inverse {
        _ if is_web => format!("+a={radius} +b={radius} +nadgrids=@null"),
        inverse if inverse > 1.0 => format!("+a={radius} +rf={inverse}{}", shift(datum)),
        _ => format!("+a={radius} +b={radius}{}", shift(datum)),
    };
    let meridian = base.find(&["PRIMEM"]).and_then(degrees).filter(|degrees| *degrees != 0.0);
    let meridian = meridian.map(|degrees| format!(" +pm={degrees}")).unwrap_or_default();
    Some(format!("{text}{more} {body}{meridian} {units} +no_defs"))
}

/// A name in small letters, without spaces and signs.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The parameters of a method, by their names in PROJ: angles in degrees, lengths in metres.
fn parameters(conversion: &Part<'_>, base: &Part<'_>, metres: f64) -> Option<Vec<(&'static str, f64)>> {
    let mut all = Vec::new();
    for parameter in conversion.parts.iter().filter(|part| part.keyword == "PARAMETER") {
        let (name, value) = (plain(parameter.name()), parameter.number(1)?);
        let Some((_, name)) = PARAMETERS.iter().find(|(names, _)| names.contains(&name.as_str())) else {
            // One that is 0 changes nothing.
            if value == 0.0 {
                continue;
            }
            return None;
        };
        let factor = match *name {
            "k_0" => 1.0,
            // The height of a satellite is in metres.
            "h" => parameter.metres().ok()?.unwrap_or(1.0),
            "x_0" | "y_0" => parameter.metres().ok()?.unwrap_or(metres),
            _ => parameter.radians().or_else(|| base.radians()).map_or(1.0, degrees_in),
        };
        all.push((*name, value * factor));
    }
    Some(all)
}

/// Gives parallels and meridians the names that they have for a method of PROJ.
fn place_parallels(all: &mut Vec<(&'static str, f64)>, method: &str, parallel: &'static str) {
    let value = |all: &[(&'static str, f64)], wanted: &str| {
        all.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value)
    };
    if parallel == "lat_ts" {
        let first = value(all, "lat_ts").or_else(|| value(all, "lat_1"));
        let first = first.or_else(|| value(all, "lat_0").filter(|_| method == "stere"));
        let origin = value(all, "lat_0").filter(|_| method == "eqc");
        all.retain(|(name, _)| !matches!(*name, "lat_ts" | "lat_0" | "lat_1"));
        all.extend(first.map(|first| ("lat_ts", first)));
        all.extend(origin.map(|origin| ("lat_0", origin)));
        if method == "stere" {
            // The pole is the one on the side of the true parallel.
            all.push(("lat_0", if first.is_some_and(|first| first < 0.0) { -90.0 } else { 90.0 }));
        }
    }
    if method == "lcc" && value(all, "lat_1").is_none() {
        all.extend(value(all, "lat_0").map(|origin| ("lat_1", origin)));
    }
    if method == "omerc" {
        all.iter_mut().filter(|(name, _)| *name == "lon_0").for_each(|(name, _)| *name = "lonc");
    }
}

/// The shift of a datum to WGS 84.
fn shift(datum: &Part<'_>) -> String {
    let numbers = datum.find(&["TOWGS84"]).map(|part| &part.values[..]);
    let numbers = numbers.filter(|numbers| matches!(numbers.len(), 3 | 7));
    let are_numbers = |numbers: &&[&str]| numbers.iter().all(|number| number.parse::<f64>().is_ok());
    numbers.filter(are_numbers).map(|numbers| format!(" +towgs84={}", numbers.join(","))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(projection: &str, unit: &str) -> Option<String> {
        let wkt = format!(
            "PROJCS[\"n\",GEOGCS[\"g\",DATUM[\"d\",SPHEROID[\"s\",6378388,297]],PRIMEM[\"Greenwich\",0],
            UNIT[\"Degree\",0.0174532925199433]],{projection},UNIT[\"u\",{unit}]]"
        );
        text(&Part::all(&wkt)[0])
    }

    #[test]
    fn methods_of_esri_and_gdal_are_those_of_proj() {
        let body = "+a=6378388 +rf=297 +to_meter=1 +no_defs";
        let two = "PARAMETER[\"Standard_Parallel_1\",30],PARAMETER[\"Central_Meridian\",3]";
        for (projection, right) in [
            (format!("PROJECTION[\"Mercator_2SP\"],{two}"), "+proj=merc +lon_0=3 +lat_ts=30"),
            (format!("PROJECTION[\"Lambert_Conformal_Conic\"],{two}"), "+proj=lcc +lat_1=30 +lon_0=3"),
            (format!("PROJECTION[\"Cylindrical_Equal_Area\"],{two}"), "+proj=cea +lon_0=3 +lat_ts=30"),
            (
                "PROJECTION[\"Stereographic_South_Pole\"],PARAMETER[\"Standard_Parallel_1\",-71]".to_owned(),
                "+proj=stere +lat_ts=-71 +lat_0=-90",
            ),
            (
                "PROJECTION[\"Lambert_Conformal_Conic_1SP\"],PARAMETER[\"latitude_of_origin\",40]".to_owned(),
                "+proj=lcc +lat_0=40 +lat_1=40",
            ),
            (
                "PROJECTION[\"Hotine_Oblique_Mercator\"],PARAMETER[\"longitude_of_center\",115],
                PARAMETER[\"azimuth\",53]"
                    .to_owned(),
                "+proj=omerc +lonc=115 +alpha=53 +no_uoff",
            ),
            ("PROJECTION[\"Mollweide\"],PARAMETER[\"Option\",0.0]".to_owned(), "+proj=moll"),
        ] {
            assert_eq!(of(&projection, "1.0"), Some(format!("{right} {body}")));
        }
        assert_eq!(of("PROJECTION[\"Bonne\"]", "1"), None);
        assert_eq!(of("PROJECTION[\"Mollweide\"],PARAMETER[\"Option\",1.0]", "1"), None);
    }

    #[test]
    fn units_meridians_and_spheres_are_kept() {
        let feet = of("PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",1000]", "0.3048");
        assert!(feet.unwrap().starts_with("+proj=tmerc +x_0=304.8 +a=6378388"));
        let web = of("PROJECTION[\"Mercator_Auxiliary_Sphere\"]", "1").unwrap();
        assert!(web.contains("+a=6378388 +b=6378388 +nadgrids=@null"), "{web}");
        let second = r#"PROJCRS["n",BASEGEOGCRS["g",DATUM["d",ELLIPSOID["s",3396190,0]],
            PRIMEM["Paris",2.5969213,ANGLEUNIT["grad",0.0157079632679489]]],CONVERSION["c",
            METHOD["Equal Earth"],PARAMETER["Longitude of natural origin",10,
            ANGLEUNIT["grad",0.0157079632679489]]],CS[Cartesian,2],LENGTHUNIT["metre",1]]"#;
        let second = text(&Part::all(second)[0]).unwrap();
        let start = "+proj=eqearth +lon_0=9 +a=3396190 +b=3396190 +pm=2.337";
        assert!(second.starts_with(start), "{second}");
    }
}
