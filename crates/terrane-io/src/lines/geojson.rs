//! Reading lines from GeoJSON.

use geojson::{Feature, GeometryValue, JsonObject, Position};
use terrane_grid::Polyline;

use super::line::{Line, MAX_COORDINATE, checked, problem};
use crate::{LonLat, Problem};

/// Reads line strings: alone, as features, or in a collection. Of each position, the first two coordinates
/// count. Neighbouring points of a line must differ.
pub fn parse(bytes: &[u8], lonlat: &LonLat) -> Result<Vec<Line>, Problem> {
    let File { features, crs } = features(bytes, "write a FeatureCollection of LineStrings")?;
    let to_world = lonlat.reader(crs.as_deref())?;
    let mut lines = Vec::new();
    for (number, feature) in features.iter().enumerate() {
        read_feature(number, feature, &to_world, &mut lines)?;
    }
    checked(lines, "add a LineString")
}

/// A file of GeoJSON.
pub(crate) struct File {
    pub features: Vec<Feature>,
    /// The name of its reference system, if it has a member `crs`.
    pub crs: Option<String>,
}

/// The features of a file.
pub(crate) fn features(bytes: &[u8], remedy: &'static str) -> Result<File, Problem> {
    let (features, members) = super::geojson_file::read(bytes, remedy)?;
    let crs = crs_of(members.as_ref());
    for (number, feature) in features.iter().enumerate() {
        let inner = crs_of(feature.foreign_members.as_ref())
            .or_else(|| crs_of(feature.geometry.as_ref()?.foreign_members.as_ref()))
            .filter(|inner| crs.as_ref() != Some(inner));
        if let Some(inner) = inner {
            let detail = format!(
                "feature {number} has its own reference system, `{}`, which is not that of the file",
                inner.escape_debug()
            );
            let remedy = "write all features in one reference system, and name it in the file's `crs`";
            return Err(problem(detail, remedy));
        }
    }
    Ok(File { features, crs })
}

/// The name of the reference system in a member `crs`, if there is one.
fn crs_of(members: Option<&JsonObject>) -> Option<String> {
    let crs = members?.get("crs").filter(|crs| !crs.is_null())?;
    Some(crs["properties"]["name"].as_str().map_or_else(|| crs.to_string(), str::to_owned))
}

fn read_feature(
    number: usize,
    feature: &Feature,
    to_world: &impl Fn((f64, f64)) -> (f64, f64),
    lines: &mut Vec<Line>,
) -> Result<(), Problem> {
    let geometry = feature.geometry.as_ref().map(|geometry| &geometry.value);
    let parts = match geometry {
        Some(GeometryValue::LineString { coordinates }) => std::slice::from_ref(coordinates),
        Some(GeometryValue::MultiLineString { coordinates }) => coordinates.as_slice(),
        other => {
            let what =
                other.map_or("has no geometry".to_owned(), |value| format!("is a {}", value.type_name()));
            let remedy = "keep features that are LineString or MultiLineString";
            return Err(problem(format!("feature {number} {what}, which is not a line"), remedy));
        }
    };
    let positive = |number: f64| number >= 0.0;
    let slope = number_of(number, feature, "slope", positive, "give a number, rise over run, of 0 or more")?;
    let width = number_of(number, feature, "width", positive, "give a number, in world units, of 0 or more")?;
    for part in parts {
        let points: Vec<(f64, f64)> = part
            .iter()
            .enumerate()
            .map(|(index, position)| read_point(number, index, position, to_world))
            .collect::<Result<_, _>>()?;
        if points.len() < 2 {
            let detail = format!("a line of feature {number} has {} points", points.len());
            return Err(problem(detail, "give it at least two"));
        }
        if let Some(index) = points.windows(2).position(|pair| pair[0] == pair[1]) {
            let (x, y) = (part[index].as_slice()[0], part[index].as_slice()[1]);
            let detail =
                format!("points {index} and {} of feature {number} are both at ({x}, {y})", index + 1);
            return Err(problem(detail, "remove one of them"));
        }
        let line = Polyline { points, closed: false };
        lines.push(Line { line, feature: number, slope, width });
    }
    Ok(())
}

/// The position in the world of a position of a feature.
pub(crate) fn read_point(
    feature: usize,
    index: usize,
    position: &Position,
    to_world: &impl Fn((f64, f64)) -> (f64, f64),
) -> Result<(f64, f64), Problem> {
    let &[x, y, ..] = position.as_slice() else {
        let detail = format!("point {index} of feature {feature} does not have two coordinates");
        return Err(problem(detail, "write [x, y], in world units"));
    };
    if !(x.abs() <= MAX_COORDINATE && y.abs() <= MAX_COORDINATE) {
        let detail = format!("point {index} of feature {feature} is at ({x}, {y})");
        return Err(problem(detail, "coordinates must be finite and within 1e12 of 0"));
    }
    // Adding 0 turns -0 into 0, so that equal positions have equal bits.
    let (east, north) = to_world((x + 0.0, y + 0.0));
    if east.is_finite() && north.is_finite() {
        return Ok((east, north));
    }
    let detail =
        format!("point {index} of feature {feature} at ({x}, {y}) is beyond the graph's reference system");
    let remedy = "write longitude and latitude in degrees, in this order, or name the reference system of \
        other coordinates in a member `crs`";
    Err(problem(detail, remedy))
}

/// A property of a feature, if present.
pub(crate) fn number_of(
    number: usize,
    feature: &Feature,
    name: &str,
    allowed: impl Fn(f64) -> bool,
    remedy: &'static str,
) -> Result<Option<f64>, Problem> {
    match feature.property(name) {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(value) => match value.as_f64().filter(|number| number.is_finite() && allowed(*number)) {
            Some(number) => Ok(Some(number)),
            None => Err(problem(format!("the {name} of feature {number} is {value}"), remedy)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::MAX_POINTS;
    use super::*;

    fn parse(bytes: &[u8]) -> Result<Vec<Line>, Problem> {
        super::parse(bytes, &LonLat::of(None))
    }

    fn collection(features: &[&str]) -> String {
        format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","))
    }

    fn line(coordinates: &str, properties: &str) -> String {
        format!(
            r#"{{"type": "Feature", "properties": {properties}, "geometry": {{"type": "LineString",
                "coordinates": {coordinates}}}}}"#
        )
    }

    #[test]
    fn lines_come_alone_in_features_and_in_collections() {
        let alone = parse(br#"{"type": "LineString", "coordinates": [[-0.0, 1], [2.5, 3, 99]]}"#).unwrap();
        assert_eq!(alone[0].line.points, [(0.0, -1.0), (2.5, -3.0)]);
        assert!(alone[0].line.points[0].0.is_sign_positive());
        let text = collection(&[
            &line("[[0, 0], [1, 0.1]]", r#"{"slope": 0.25, "width": 6, "name": "way"}"#),
            r#"{"type": "Feature", "properties": null, "geometry": {"type": "MultiLineString",
                "coordinates": [[[5, 5], [6, 6]], [[7, 7], [8, 8], [9, 7]]]}}"#,
        ]);
        let lines = parse(text.as_bytes()).unwrap();
        assert_eq!(lines.iter().map(|line| line.feature).collect::<Vec<_>>(), [0, 1, 1]);
        assert_eq!(lines.iter().map(|line| line.slope).collect::<Vec<_>>(), [Some(0.25), None, None]);
        assert_eq!(lines.iter().map(|line| line.width).collect::<Vec<_>>(), [Some(6.0), None, None]);
        assert_eq!(lines[0].line.points[1].1.to_bits(), (-0.1f64).to_bits());
        assert_eq!(lines[2].line.points.len(), 3);
    }

    #[test]
    fn errors_name_their_position() {
        let error_of = |text: &str| match parse(text.as_bytes()) {
            Err(Problem::Lines { at, detail, remedy }) => (at, format!("{detail}; {remedy}")),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            error_of("{\n \"type\": \"LineString\",\n \"coordinates\": [[0, 0] [1, 1]]}").0,
            Some((3, 25))
        );
        assert_eq!(
            error_of("{\"type\": \"LineString\", \"coordinates\": [[0, 0], [1, 1e999]]}").0,
            Some((1, 56))
        );
        assert!(error_of("[1, 2]").0.is_some());
        assert!(
            error_of(r#"{"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [2, 0], [0, 0]]]}"#)
                .1
                .contains("feature 0 is a Polygon")
        );
        for (feature, expected) in [
            (line("[[0, 0], [1, 1e13]]", "{}"), "point 1 of feature 1 is at (1, 10000000000000)"),
            (line("[[0, 0], [4, 4], [4, 4]]", "{}"), "points 1 and 2 of feature 1 are both at (4, 4)"),
            (line("[[0, 0]]", "{}"), "a line of feature 1 has 1 points"),
            (line("[[0, 0], [1, 1]]", r#"{"slope": -1}"#), "the slope of feature 1 is -1"),
            (line("[[0, 0], [1, 1]]", r#"{"width": -3}"#), "the width of feature 1 is -3"),
            (line("[[0, 0], [1, 1]]", r#"{"slope": "flat"}"#), "the slope of feature 1 is \"flat\""),
            (
                r#"{"type": "Feature", "properties": {}, "geometry": null}"#.to_owned(),
                "feature 1 has no geometry",
            ),
        ] {
            let (_, text) = error_of(&collection(&[&line("[[0, 0], [9, 9]]", "{}"), &feature]));
            assert!(text.contains(expected), "{text}");
        }
        assert!(error_of(&collection(&[])).1.contains("there are no lines"));
        let many: String = (0..=MAX_POINTS).map(|i| format!("[{i},0],")).collect();
        let many = format!(r#"{{"type": "LineString", "coordinates": [{}]}}"#, many.trim_end_matches(','));
        assert!(error_of(&many).1.contains("more than 1000000 points"));
    }

    #[test]
    fn reference_systems_inside_a_file_are_not_ignored() {
        let crs = |name: &str| format!(r#""crs": {{"type": "name", "properties": {{"name": "{name}"}}}}"#);
        let (own, other) = (crs("EPSG:32611"), crs("EPSG:2154"));
        let geometry =
            |crs: &str| format!(r#"{{"type": "LineString", "coordinates": [[0, 0], [9, 9]]{crs}}}"#);
        let plain = geometry("");
        for inner in [
            format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {plain}, {other}}}"#),
            format!(
                r#"{{"type": "Feature", "properties": {{}}, "geometry": {}}}"#,
                geometry(&format!(", {other}"))
            ),
        ] {
            for outer in [String::new(), format!(", {own}")] {
                let text = format!(r#"{{"type": "FeatureCollection", "features": [{inner}]{outer}}}"#);
                let refused = parse(text.as_bytes()).unwrap_err().to_string();
                assert!(refused.contains("feature 0") && refused.contains("EPSG:2154"), "{refused}");
            }
            let same = format!(r#"{{"type": "FeatureCollection", "features": [{inner}], {other}}}"#);
            let refused = parse(same.as_bytes()).unwrap_err().to_string();
            assert!(!refused.contains("its own"), "{refused}");
        }
        // A file that is one feature has its own member.
        let alone = format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {plain}, {other}}}"#);
        assert!(!parse(alone.as_bytes()).unwrap_err().to_string().contains("its own"));
    }

    #[test]
    fn members_that_are_not_needed_are_skipped() {
        let list = format!("[{}0]", "0,".repeat(100_000));
        let coordinates = "[[0, 0], [9, 9]]";
        let text = collection(&[
            &line(coordinates, &format!(r#"{{"x": {list}, "slope": 0.5, "y": {{"slope": {list}}}}}"#)),
            &line(coordinates, "{}").replacen('{', &format!(r#"{{"id": 5, "features": 7, "z": {list}, "#), 1),
        ]);
        assert_eq!(parse(text.as_bytes()).unwrap()[0].slope, Some(0.5));
        let long = line(coordinates, &format!(r#"{{"slope": {list}}}"#));
        let refused = parse(long.as_bytes()).unwrap_err().to_string();
        assert!(refused.contains("the slope of feature 0 is \"[0,0,0") && refused.len() < 300, "{refused}");
        for wrong in [
            r#"["LineString", null, null, null, [[0, 0], [9, 9]], null]"#,
            r#"{"type": "LineString"}"#,
            r#"{"type": "FeatureCollection"}"#,
            r#"{"type": "FeatureCollection", "features": [{"type": "LineString"}]}"#,
            r#"{"type": "Line", "coordinates": [[0, 0], [9, 9]]}"#,
            r#"{"coordinates": [[0, 0], [9, 9]]}"#,
            r#"{"type": "Feature", "properties": [1], "geometry": null}"#,
        ] {
            assert!(
                matches!(parse(wrong.as_bytes()), Err(Problem::Lines { at: Some((1, _)), .. })),
                "{wrong}"
            );
        }
    }

    #[test]
    fn truncated_and_deeply_nested_files_do_not_panic() {
        let whole = collection(&[&line("[[0, 0], [1, 0.1]]", r#"{"slope": 0.25}"#)]);
        assert!(parse(whole.as_bytes()).is_ok());
        assert!((0..whole.len()).all(|length| parse(&whole.as_bytes()[..length]).is_err()));
        let deep = format!(r#"{{"type": "LineString", "coordinates": {}"#, "[".repeat(100_000));
        assert!(parse(deep.as_bytes()).is_err());
    }
}
