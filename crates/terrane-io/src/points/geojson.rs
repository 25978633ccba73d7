//! Reading points from GeoJSON.

use geojson::{Feature, GeometryValue};

use super::point::{Entry, Point, number, problem};
use crate::lines::geojson::{File, features, number_of, read_point};
use crate::{LonLat, Problem};

/// Reads points: alone, as features, or in a collection. The height is the feature's property, otherwise the
/// third coordinate.
pub fn parse(bytes: &[u8], lonlat: &LonLat) -> Result<Vec<Point>, Problem> {
    let File { features, crs } = features(bytes, "write a FeatureCollection of Points").map_err(of_points)?;
    let to_world = lonlat.reader(crs.as_deref()).map_err(of_points)?;
    let mut points = Vec::new();
    for (index, feature) in features.iter().enumerate() {
        read_feature(index, feature, &to_world, &mut points).map_err(of_points)?;
    }
    Ok(points)
}

fn read_feature(
    index: usize,
    feature: &Feature,
    to_world: &impl Fn((f64, f64)) -> (f64, f64),
    points: &mut Vec<Point>,
) -> Result<(), Problem> {
    let entry = Entry::Feature(index);
    let positions = match feature.geometry.as_ref().map(|geometry| &geometry.value) {
        Some(GeometryValue::Point { coordinates }) => std::slice::from_ref(coordinates),
        Some(GeometryValue::MultiPoint { coordinates }) => coordinates.as_slice(),
        other => {
            let what =
                other.map_or("has no geometry".to_owned(), |value| format!("is a {}", value.type_name()));
            let detail = format!("{entry} {what}, which is not a point");
            return Err(problem(entry, detail, "keep features that are Point or MultiPoint"));
        }
    };
    let property = number_of(index, feature, "height", |_| true, "give a number, in world units")?;
    for (number_of_point, position) in positions.iter().enumerate() {
        let (x, y) = read_point(index, number_of_point, position, to_world)?;
        let height = property.or_else(|| position.as_slice().get(2).copied());
        let height = height.map(|height| number(height, "height", entry)).transpose()?;
        points.push(Point { x, y, height, entry });
    }
    Ok(())
}

/// The same problem, for a file of points.
pub fn of_points(problem: Problem) -> Problem {
    match problem {
        Problem::Lines { at, detail, remedy } => {
            Problem::Points { at: at.map(|(line, column)| (line, Some(column))), detail, remedy }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> Result<Vec<Point>, Problem> {
        super::parse(bytes, &LonLat::of(None))
    }

    fn collection(features: &[(&str, &str)]) -> String {
        let feature = |(geometry, properties): &(&str, &str)| {
            format!(r#"{{"type": "Feature", "properties": {properties}, "geometry": {geometry}}}"#)
        };
        let features: Vec<String> = features.iter().map(feature).collect();
        format!(r#"{{"type": "FeatureCollection", "features": [{}]}}"#, features.join(","))
    }

    #[test]
    fn heights_are_properties_or_third_coordinates() {
        let text = collection(&[
            (r#"{"type": "Point", "coordinates": [1, 2, 3]}"#, r#"{"height": -7.5}"#),
            (r#"{"type": "MultiPoint", "coordinates": [[3, 4, 5], [-0.0, 6]]}"#, r#"{"name": "a"}"#),
        ]);
        let point = |x, y, height, feature| Point { x, y, height, entry: Entry::Feature(feature) };
        assert_eq!(
            parse(text.as_bytes()).unwrap(),
            [point(1.0, -2.0, Some(-7.5), 0), point(3.0, -4.0, Some(5.0), 1), point(0.0, -6.0, None, 1)]
        );
    }

    #[test]
    fn errors_name_their_feature() {
        let error_of = |text: &str| match parse(text.as_bytes()) {
            Err(Problem::Points { at, detail, remedy }) => (at, format!("{detail}; {remedy}")),
            other => panic!("{other:?}"),
        };
        assert_eq!(error_of("{\"type\": \"Point\",\n \"coordinates\": [0 1]}").0, Some((2, Some(20))));
        for (geometry, properties, expected) in [
            (r#"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#, "{}", "feature 1 is a LineString"),
            ("null", "{}", "feature 1 has no geometry"),
            (r#"{"type": "Point", "coordinates": [1, 1e13]}"#, "{}", "feature 1 is at (1, 10000000000000)"),
            (
                r#"{"type": "Point", "coordinates": [1, 2]}"#,
                r#"{"height": "5"}"#,
                "the height of feature 1 is \"5\"",
            ),
            (r#"{"type": "Point", "coordinates": [1, 2, 1e13]}"#, "{}", "height of the point of feature 1"),
        ] {
            let text =
                collection(&[(r#"{"type": "Point", "coordinates": [9, 9]}"#, "{}"), (geometry, properties)]);
            let (_, text) = error_of(&text);
            assert!(text.contains(expected), "{text}");
        }
    }
}
